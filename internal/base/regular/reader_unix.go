//go:build unix

package regular

import (
	"io"
	"io/fs"
	"syscall"
)

// Reader is an open file that is read at offsets. It needs fewer system calls than an [os.File], which also asks
// whether the file can be polled. A Reader must not be closed during a read.
type Reader struct {
	fd   int
	path string
	size int64
}

// openReader opens a file that was a regular one when it was looked at.
func openReader(path string) (*Reader, error) {
	var fd int
	err := retry(func() (err error) {
		fd, err = syscall.Open(path, readOnly|syscall.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	r := &Reader{fd: fd, path: path}
	var st syscall.Stat_t
	switch err := retry(func() error { return syscall.Fstat(fd, &st) }); {
	case err != nil:
		r.Close()
		return nil, &fs.PathError{Op: "stat", Path: path, Err: err}
	case st.Mode&syscall.S_IFMT != syscall.S_IFREG:
		r.Close()
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	r.size = st.Size
	return r, nil
}

// retry calls a system call again that a signal has interrupted.
func retry(call func() error) error {
	for {
		if err := call(); err != syscall.EINTR {
			return err
		}
	}
}

// ReadAt implements [io.ReaderAt].
func (r *Reader) ReadAt(b []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, &fs.PathError{Op: "readat", Path: r.path, Err: fs.ErrInvalid}
	}
	for n < len(b) {
		m, err := syscall.Pread(r.fd, b[n:min(n+mostRead, len(b))], off+int64(n))
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return n, &fs.PathError{Op: "read", Path: r.path, Err: err}
		case m == 0:
			return n, io.EOF
		default:
			n += m
		}
	}
	return n, nil
}

// mostRead is the number of bytes that one system call reads: some systems refuse more.
const mostRead = 1 << 30

// Fd returns the descriptor, as [os.File] does.
func (r *Reader) Fd() uintptr { return uintptr(r.fd) }

// Close closes the file.
func (r *Reader) Close() error { return syscall.Close(r.fd) }
