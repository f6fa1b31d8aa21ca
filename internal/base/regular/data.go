package regular

import "io"

// Data returns how many of n bytes from an offset on a file really has: those that are not
// in a hole, as far as the system can say so. A reader that shows a file otherwise says so by a
// method of the same name. Of other readers it returns n.
func Data(r io.ReaderAt, off, n int64) int64 {
	switch f := r.(type) {
	case interface{ Data(off, n int64) int64 }:
		return f.Data(off, n)
	case interface{ Fd() uintptr }:
		return data(int(f.Fd()), off, n)
	}
	return n
}

// mostExtents is the number of runs of bytes between holes that are counted. Linkers leave a few.
const mostExtents = 1 << 12
