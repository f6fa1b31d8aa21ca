package edit

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// nextData returns where a file has data next, from an offset on; size if nowhere.
func nextData(f *os.File, off, size int64) (int64, error) {
	at, err := f.Seek(off, unix.SEEK_DATA)
	switch {
	case err == nil:
		return min(at, size), nil
	case errors.Is(err, unix.ENXIO):
		return size, nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOTSUP):
		return off, nil // the file system does not know
	}
	return 0, err
}
