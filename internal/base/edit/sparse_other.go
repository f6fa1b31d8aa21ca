//go:build !linux

package edit

import "os"

// nextData returns where a file has data next, from an offset on: here it is not known.
func nextData(_ *os.File, off, _ int64) (int64, error) { return off, nil }
