package regular

import (
	"io"
	"syscall"
)

// Values of lseek's whence.
const (
	seekData = 3
	seekHole = 4
)

// run returns the first run of bytes of a file that are not in a hole, from an offset on and before an end; all of them
// where the file system does not know holes.
func run(fd int, off, end int64) (from, to int64) {
	at, err := syscall.Seek(fd, 0, io.SeekCurrent)
	if err != nil {
		return off, end
	}
	defer func() { _, _ = syscall.Seek(fd, at, io.SeekStart) }() // it was there before
	from, err = syscall.Seek(fd, off, seekData)
	if err == syscall.ENXIO || err == nil && from >= end {
		return end, end
	}
	if err == nil {
		to, err = syscall.Seek(fd, from, seekHole)
	}
	if err != nil {
		return off, end
	}
	return from, min(to, end)
}
