//go:build !unix

package regular

import "os"

const readOnly = os.O_RDONLY

// Reader reads a regular file at any place.
type Reader struct {
	*os.File
	size int64
}

// OpenReader does what [Open] does.
func OpenReader(path string) (*Reader, error) {
	f, info, err := Open(path)
	if err != nil {
		return nil, err
	}
	return &Reader{f, info.Size()}, nil
}

// Size returns the bytes of the file when it was opened.
func (r *Reader) Size() int64 { return r.size }

func (r *Reader) descriptor() int { return 0 }
