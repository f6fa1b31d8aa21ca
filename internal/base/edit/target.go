package edit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

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

// Absolute returns a path from the root on, to compare it.
func Absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
