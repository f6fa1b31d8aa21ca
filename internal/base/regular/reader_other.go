//go:build !unix

package regular

import "os"

// Reader is an open file that is read at offsets.
type Reader struct {
	*os.File
	size int64
}

// openReader opens a file that was a regular one when it was looked at.
func openReader(path string) (*Reader, error) {
	f, info, err := Open(path)
	if err != nil {
		return nil, err
	}
	return &Reader{f, info.Size()}, nil
}
