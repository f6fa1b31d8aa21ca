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
	"strings"
	"sync"
)

// prefix is how the names of copies begin. It is short, as the name of the file
// itself may be as long as names can be.
const prefix = ".sframe-lint-"

// errMeanwhile is the error for a file that someone else has changed since it was looked at.
var errMeanwhile = errors.New("changed meanwhile")

// File writes a new file beside path and renames it to path. It keeps the mode, owner, extended attributes and
// symbolic links; hard links keep the old contents. On failure it removes the new file. Devices, pipes and
// /dev/stdout get the bytes when they are complete.
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

// Write writes bytes to a file, as [File] does.
func Write(path string, data []byte) error {
	return File(path, func(f *os.File) error { _, err := f.Write(data); return err })
}

// Output is a file that is written from start to end, such as the report of a run. Close gives it the name of a
// regular file if no write has failed. Until then, the old file remains unchanged.
type Output struct {
	*target
	f     *os.File
	begin func() error // before the first write
	tmp   string       // name of the copy that is written; "" for what is written in its place
	ended bool
	err   error // of the first write that failed
}

// Create opens the file at path for writing. A file that can be written but not replaced, for example in a directory
// without write permission, is written in place; the first write empties it.
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

// Write writes to the file. After a failed write, it writes nothing.
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

// Close completes the file, or removes the incomplete file after a failed write. It returns the error of that write.
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

// Abandon ends the writing, and removes the incomplete file if it is a copy. It has no effect on a closed output.
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

// target is what a path leads to.
type target struct {
	path string      // without symbolic links
	info fs.FileInfo // nil for nothing
	fd   int         // the descriptor of this process that the path stands for, or -1
	proc bool        // a descriptor of any process
}

// maxLinks is the number of symbolic links that are followed.
const maxLinks = 40

// find follows the symbolic links of a path, one to what does not exist included. A
// descriptor is not followed: what it leads to may have another name, or none.
func find(path string) (*target, error) {
	if _, err := os.Stat(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for range maxLinks {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			var e *fs.PathError
			if errors.As(err, &e) {
				err = &fs.PathError{Op: "open", Path: path, Err: e.Err}
			}
			return nil, err
		}
		p := &target{path: filepath.Join(dir, filepath.Base(path)), fd: -1}
		if p.descriptor(dir) {
			p.info, err = os.Stat(p.path)
			return p, err
		}
		info, err := os.Lstat(p.path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return p, nil
		case err != nil:
			return nil, err
		case info.IsDir():
			return nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("is a directory")}
		case info.Mode()&fs.ModeSymlink == 0:
			p.info = info
			return p, nil
		}
		to, err := os.Readlink(p.path)
		if err != nil {
			return nil, err
		}
		if path = to; !filepath.IsAbs(to) {
			path = filepath.Join(dir, to)
		}
	}
	return nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("too many symbolic links")}
}

// descriptor reports whether a path in a directory stands for a descriptor of a process:
// /proc/PID/fd/N, /proc/PID/task/TID/fd/N, or /dev/fd/N where that is no symbolic link.
func (p *target) descriptor(dir string) bool {
	n, err := strconv.Atoi(filepath.Base(p.path))
	if err != nil {
		return false
	}
	parts := strings.Split(filepath.ToSlash(dir), "/")
	if dir != "/dev/fd" && (len(parts) < 4 || parts[1] != "proc" || parts[len(parts)-1] != "fd") {
		return false
	}
	p.proc = true
	if dir == "/dev/fd" || parts[2] == strconv.Itoa(os.Getpid()) {
		p.fd = n
	}
	return true
}

// through reports whether the bytes are written to what is there, which is not replaced.
func (p *target) through() bool {
	return p.proc || p.info != nil && !p.info.Mode().IsRegular()
}

// open opens what is there. A descriptor of this process is shared: the position in a
// file, and that writes append to it, are those of whoever has opened it.
func (p *target) open() (*os.File, error) {
	if p.fd >= 0 {
		return share(p.fd, p.path)
	}
	return os.OpenFile(p.path, os.O_WRONLY, 0)
}

// IsStdout reports whether a path stands for standard output.
func IsStdout(path string) bool {
	p, err := find(path)
	return err == nil && p.fd == 1
}

// Absolute returns an absolute path, for comparisons.
func Absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
