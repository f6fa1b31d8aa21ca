package regular

import "io"

// Data returns how many of the n bytes at an offset are outside holes, as far as the system reports holes. A reader
// that transforms a file may implement a method Data for this. For other readers Data returns n.
func Data(r io.ReaderAt, off, n int64) int64 {
	switch f := r.(type) {
	case interface{ Data(off, n int64) int64 }:
		return f.Data(off, n)
	case interface{ Fd() uintptr }:
		sum, end := int64(0), off+n
		for range mostExtents {
			from, to := run(int(f.Fd()), off, end)
			sum += to - from
			if off = to; off >= end {
				break
			}
		}
		return sum
	}
	return n
}

// mostExtents is the number of runs of bytes between holes that are counted. Linkers leave a few.
const mostExtents = 1 << 12

// Next returns the offset of the first byte from off to end that is not in a hole.
func Next(r io.ReaderAt, off, end int64) int64 {
	if f, ok := r.(interface{ Fd() uintptr }); ok {
		off, _ = run(int(f.Fd()), off, end)
	}
	return off
}
