// Package edit writes the files that flags name. A regular file is replaced when
// all of it has been written: whoever looks sees the old contents or the new ones, and
// no reader half of them. Devices, pipes and descriptors are written through.
package edit

import (
	"errors"
	"io"
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
// name. A symbolic link stays one: what it leads to is replaced, or made. Mode, owner and
// extended attributes, with them access control lists, stay as they were; other names
// of the file (hard links) keep the old contents. A file that is not there yet is made
// as any other. Without success the new file is removed.
//
// A device, a pipe and a descriptor of a process, as /dev/stdout, are not replaced: they
// get the bytes of the file when it is complete.
func File(path string, write func(*os.File) error) error {
	o, err := create(path, false)
	if err != nil {
		return err
	}
	f := o.f
	if o.through() {
		if f, err = os.CreateTemp("", prefix+"*"); err != nil {
			o.Abandon()
			return err
		}
		defer os.Remove(f.Name())
		defer f.Close()
	}
	err = write(f)
	switch {
	case err != nil:
	case !o.through():
		err = o.checkUnchanged()
	default:
		if _, err = f.Seek(0, io.SeekStart); err == nil {
			_, err = io.Copy(o, f)
		}
	}
	if err != nil {
		o.Abandon()
		return err
	}
	return o.Close()
}

// copy makes an empty file beside a regular one, with the owner, the mode and the
// extended attributes of that.
func (p *target) copy() (*os.File, error) {
	tmp, err := os.CreateTemp(filepath.Dir(p.path), prefix+"*")
	if err != nil {
		return nil, err
	}
	if err := p.copyAttributes(tmp); err != nil {
		return nil, errors.Join(err, tmp.Close(), os.Remove(tmp.Name()))
	}
	return tmp, nil
}

// checkUnchanged returns an error if a file is no longer the one that it was.
func (p *target) checkUnchanged() error {
	if p.info == nil {
		return nil
	}
	now, err := os.Lstat(p.path)
	if err == nil && (!os.SameFile(p.info, now) || p.info.Size() != now.Size() || !p.info.ModTime().Equal(now.ModTime())) {
		err = &fs.PathError{Op: "replace", Path: p.path, Err: ErrChanged}
	}
	return err
}

// copyAttributes gives the copy the owner, the mode and the extended attributes of what it
// replaces. The owner comes first, as a change of it takes bits from the mode, and the
// attributes last, as a list of access rights includes the mode.
func (p *target) copyAttributes(tmp *os.File) error {
	if p.info == nil {
		return tmp.Chmod(0o666 &^ umask())
	}
	if err := copyOwner(tmp, p.info); err != nil {
		return err
	}
	if err := tmp.Chmod(p.info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)); err != nil {
		return err
	}
	return copyAttributes(tmp, p.path)
}
