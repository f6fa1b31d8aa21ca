//go:build unix

package regular

import (
	"io"
	"io/fs"
	"syscall"
)

// readOnly opens a FIFO that has taken the place of a file without blocking.
const readOnly = syscall.O_RDONLY | syscall.O_NONBLOCK

// Reader reads a regular file at any place. It takes fewer system calls and less memory
// than an [os.File], which matters where many small files are read.
type Reader struct {
	fd   int
	path string
	size int64
}

// OpenReader does what [Open] does.
func OpenReader(path string) (*Reader, error) {
	var info syscall.Stat_t
	if err := look(path, &info, func() error { return syscall.Stat(path, &info) }); err != nil {
		return nil, err
	}
	r := &Reader{path: path}
	err := again(func() (err error) {
		r.fd, err = syscall.Open(path, readOnly|syscall.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	if err := look(path, &info, func() error { return syscall.Fstat(r.fd, &info) }); err != nil {
		r.Close()
		return nil, err
	}
	r.size = info.Size
	return r, nil
}

// look calls stat, and returns an error for what is no regular file.
func look(path string, info *syscall.Stat_t, stat func() error) error {
	if err := again(stat); err != nil {
		return &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	if info.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	return nil
}

// again calls do until no signal interrupts it.
func again(do func() error) error {
	for {
		if err := do(); err != syscall.EINTR {
			return err
		}
	}
}

// Size returns the bytes of the file when it was opened.
func (r *Reader) Size() int64 { return r.size }

// ReadAt implements [io.ReaderAt].
func (r *Reader) ReadAt(b []byte, off int64) (n int, err error) {
	for n < len(b) {
		var k int
		err := again(func() (err error) {
			k, err = syscall.Pread(r.fd, b[n:min(len(b), n+maxRead)], off+int64(n))
			return err
		})
		switch {
		case err != nil:
			return n, &fs.PathError{Op: "read", Path: r.path, Err: err}
		case k == 0:
			return n, io.EOF
		}
		n += k
	}
	return n, nil
}

// maxRead is how many bytes are read at once: some systems fail on 2 GiB.
const maxRead = 1 << 30

// Close closes the file. Reads fail afterwards.
func (r *Reader) Close() error {
	fd := r.fd
	r.fd = -1
	return syscall.Close(fd)
}

func (r *Reader) descriptor() int { return r.fd }
