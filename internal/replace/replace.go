// Package replace changes files so that whoever looks sees the old contents or
// the new ones, and no reader half of them.
package replace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// prefix is how the names of copies begin. It is short, as the name of the file
// itself may be as long as names can be.
const prefix = ".sframe-lint-"

// ErrChanged is the error for a file that someone else has changed since it was
// looked at.
var ErrChanged = errors.New("changed meanwhile")

// File has write make a new file beside the one at path, which then takes its
// name. A symbolic link stays one: what it leads to is replaced. Mode, owner and
// extended attributes, with them access control lists, stay as they were; other names
// of the file (hard links) keep the old contents. A file that is not there yet is made
// as any other. Without success the new file is removed.
func File(path string, write func(*os.File) error) (err error) {
	target, info, err := existing(path)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(target), prefix+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	if err = write(tmp); err == nil {
		err = dress(tmp, target, info)
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	if err = unchanged(target, info); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), target)
}

// unchanged returns an error if a file is no longer the one that it was.
func unchanged(path string, info fs.FileInfo) error {
	if info == nil {
		return nil
	}
	now, err := os.Lstat(path)
	if err == nil && (!os.SameFile(info, now) || info.Size() != now.Size() || !info.ModTime().Equal(now.ModTime())) {
		err = &fs.PathError{Op: "replace", Path: path, Err: ErrChanged}
	}
	return err
}

// existing returns what a path leads to, and what is there; nil for nothing.
func existing(path string) (string, fs.FileInfo, error) {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	info, err := os.Stat(target)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "replace", Path: path, Err: errors.New("not a regular file")}
	}
	return target, info, err
}

// dress gives the copy the owner, the mode and the extended attributes of what it
// replaces. The owner comes first, as a change of it takes bits from the mode, and the
// attributes last, as a list of access rights includes the mode.
func dress(tmp *os.File, target string, info fs.FileInfo) error {
	if info == nil {
		return tmp.Chmod(0o666 &^ umask())
	}
	if err := own(tmp, info); err != nil {
		return err
	}
	if err := tmp.Chmod(info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)); err != nil {
		return err
	}
	return copyAttributes(tmp, target)
}
