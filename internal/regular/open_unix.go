//go:build unix

package regular

import (
	"io/fs"
	"os"
	"syscall"
)

// readOnly opens a FIFO that has taken the place of a file without blocking.
const readOnly = os.O_RDONLY | syscall.O_NONBLOCK

// open does what os.Open does, less the calls that prepare a file for polling, which
// take as long as a small file is read.
func open(path string) (*os.File, error) {
	for {
		fd, err := syscall.Open(path, readOnly|syscall.O_CLOEXEC, 0)
		if err == syscall.EINTR {
			continue
		}
		if err == nil {
			err = syscall.SetNonblock(fd, false)
		}
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
		return os.NewFile(uintptr(fd), path), nil
	}
}
