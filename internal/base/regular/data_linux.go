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

func data(fd int, off, n int64) (sum int64) {
	at, err := syscall.Seek(fd, 0, io.SeekCurrent)
	if err != nil {
		return n
	}
	defer func() { _, _ = syscall.Seek(fd, at, io.SeekStart) }() // it was there before
	end := off + n
	for range mostExtents {
		from, err := syscall.Seek(fd, off, seekData)
		switch {
		case err == syscall.ENXIO || err == nil && from >= end:
			return sum // a hole up to the end
		case err != nil:
			return n // the file system does not know holes
		}
		to, err := syscall.Seek(fd, from, seekHole)
		if err != nil {
			return n
		}
		if sum += min(to, end) - from; to >= end {
			return sum
		}
		off = to
	}
	return sum
}
