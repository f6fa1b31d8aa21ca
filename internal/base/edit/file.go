package edit

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

// prefix is how the names of copies begin. It is short, as the name of the file
// itself may be as long as names can be.
const prefix = ".sframe-lint-"

// errMeanwhile is the error for a file that someone else has changed since it was looked at.
var errMeanwhile = errors.New("changed meanwhile")

// File writes a new file beside path and renames it to path. It keeps mode, owner, extended attributes and symbolic links;
// hard links keep the old contents. On failure it removes the new file. Devices, pipes and /dev/stdout get the bytes when
// they are complete.
func File(path string, write func(*os.File) error) error {
	o, err := create(path, false)
	if err != nil {
		return err
	}
	defer o.Abandon()
	f, done := o.f, o.checkUnchanged
	if o.through() {
		if f, err = os.CreateTemp("", prefix+"*"); err != nil {
			return err
		}
		defer os.Remove(f.Name())
		defer f.Close()
		done = func() error {
			_, err := io.Copy(o, io.NewSectionReader(f, 0, math.MaxInt64))
			return err
		}
	}
	if err = write(f); err == nil {
		err = done()
	}
	if err != nil {
		return err
	}
	return o.Close()
}

// Write makes a file of bytes, as [File] does.
func Write(path string, data []byte) error {
	return File(path, func(f *os.File) error { _, err := f.Write(data); return err })
}

// Output is a file that is written from its start to its end: the report of a run. It
// takes the name of a regular file when it is closed and no write has failed; until
// then, that file is as it was.
type Output struct {
	*target
	f     *os.File
	begin func() error // before the first write
	tmp   string       // name of the copy that is written; "" for what is written in its place
	ended bool
	err   error // of the first write that failed
}

// Create opens the file at path to be written. A file that can be written and not be
// replaced, as one in a directory that can't be written, is written in its place; it is
// emptied by the first write.
func Create(path string) (*Output, error) { return create(path, true) }

func create(path string, inPlace bool) (*Output, error) {
	p, err := find(path)
	if err != nil {
		return nil, err
	}
	o := &Output{target: p, begin: func() error { return nil }}
	if p.through() {
		o.f, err = p.open()
		return o, err
	}
	var w *os.File
	if p.info != nil { // its directory may be writable where it is not
		if w, err = os.OpenFile(p.path, os.O_WRONLY, 0); err != nil {
			return nil, err
		}
	}
	o.f, err = p.copy()
	switch {
	case err == nil:
		o.tmp = o.f.Name()
	case inPlace && w != nil:
		o.f, o.begin = w, sync.OnceValue(func() error { return w.Truncate(0) })
		return o, nil
	}
	if w != nil {
		w.Close()
	}
	return o, err
}

// copy makes an empty file beside the one that there is or will be, with the owner, the mode and the extended
// attributes of that. The owner comes first, as a change of it takes bits from the mode, and the attributes last, as a
// list of access rights includes the mode.
func (p *target) copy() (*os.File, error) {
	mode := fs.FileMode(0o666)
	if p.info != nil {
		mode = 0o600
	}
	name := filepath.Join(filepath.Dir(p.path), prefix+strconv.FormatUint(rand.Uint64(), 36))
	tmp, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err != nil || p.info == nil {
		return tmp, err
	}
	if err = copyOwner(tmp, p.info); err == nil {
		err = tmp.Chmod(p.info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
	}
	if err == nil {
		err = copyAttributes(tmp, p.path)
	}
	if err != nil {
		return nil, errors.Join(err, tmp.Close(), os.Remove(name))
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
		err = &fs.PathError{Op: "replace", Path: p.path, Err: errMeanwhile}
	}
	return err
}

// Write writes to the file. No write follows one that has failed.
func (o *Output) Write(b []byte) (n int, err error) {
	if o.err == nil {
		o.err = o.begin()
	}
	if o.err == nil {
		n, o.err = o.f.Write(b)
		var e *fs.PathError
		if errors.As(o.err, &e) {
			o.err = &fs.PathError{Op: e.Op, Path: o.path, Err: e.Err} // not the name of the copy
		}
	}
	return n, o.err
}

// Close completes the file, or removes what was begun if a write has failed. It returns
// the error of that write.
func (o *Output) Close() error {
	if !o.ended && o.err == nil {
		o.err = o.begin()
	}
	if o.ended || o.err != nil {
		o.Abandon()
		return o.err
	}
	o.ended = true
	if o.err = o.f.Close(); o.tmp != "" {
		if o.err == nil {
			o.err = o.finish()
		}
		_ = os.Remove(o.tmp) // it is there still after an error
	}
	return o.err
}

// finish gives the copy its name. A file that is the root of a mount can't be replaced:
// it gets the bytes of the copy.
func (o *Output) finish() error {
	err := os.Rename(o.tmp, o.path)
	if err == nil || o.info == nil {
		return err
	}
	from, ferr := os.Open(o.tmp)
	if ferr != nil {
		return errors.Join(err, ferr)
	}
	defer from.Close()
	to, terr := os.OpenFile(o.path, os.O_WRONLY|os.O_TRUNC, 0)
	if terr != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}

// Abandon ends what was begun, and removes it if it is a copy. It has no effect on an
// output that is closed.
func (o *Output) Abandon() {
	if o.ended {
		return
	}
	o.ended = true
	_ = o.f.Close()
	if o.tmp != "" {
		_ = os.Remove(o.tmp)
	}
}
