package edit

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// Output is a file that is written from its start to its end: the report of a run. It
// takes the name of a regular file when it is closed and no write has failed; until
// then, that file is as it was.
type Output struct {
	*target
	f     *os.File
	tmp   string // name of the copy that is written; "" for what is written in its place
	begun bool
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
	o := &Output{target: p}
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
		o.f = w
		return o, nil
	}
	if w != nil {
		w.Close()
	}
	return o, err
}

// begin empties what is written in its place.
func (o *Output) begin() error {
	if o.begun || o.tmp != "" || o.through() {
		return nil
	}
	o.begun = true
	return o.f.Truncate(0)
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
	if o.ended {
		return o.err
	}
	if o.err == nil {
		o.err = o.begin()
	}
	if o.err != nil {
		o.Abandon()
		return o.err
	}
	o.ended = true
	if o.err = o.f.Close(); o.tmp == "" {
		return o.err
	}
	if o.err != nil {
		_ = os.Remove(o.tmp)
		return o.err
	}
	o.err = o.finish()
	return o.err
}

// finish gives the copy its name. A file that is the root of a mount can't be replaced:
// it gets the bytes of the copy.
func (o *Output) finish() error {
	err := os.Rename(o.tmp, o.path)
	if err == nil {
		return nil
	}
	defer os.Remove(o.tmp)
	if o.info == nil {
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
