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

// File has write make a new file beside the one at path, which then takes its
// name. A symbolic link stays one: what it leads to is replaced. Mode and owner
// stay as they were; other names of the file (hard links) keep the old contents.
// A file that is not there yet is made as any other.
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
		err = dress(tmp, info)
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), target)
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

// dress gives the copy the owner and the mode of what it replaces. The owner
// comes first, as a change of it takes bits from the mode.
func dress(tmp *os.File, info fs.FileInfo) error {
	if info == nil {
		return tmp.Chmod(0o666 &^ umask())
	}
	if err := own(tmp, info); err != nil {
		return err
	}
	return tmp.Chmod(info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
}
