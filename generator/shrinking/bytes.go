package shrinking

import "slices"

// pieces bounds how many runs of bytes are tried in one go over the data: the
// larger the data, the coarser the runs.
const pieces = 4096

// Bytes leaves out runs of bytes and sets others to zero as long as try says
// that the result will do. The data given must do and are left alone.
func Bytes(data []byte, try func([]byte) bool) []byte {
	b := slices.Clone(data)
	for {
		cut := reduce(len(b), len(b)/pieces, func(at, n int) bool {
			c := slices.Concat(b[:at], b[at+n:])
			if !try(c) {
				return false
			}
			b = c
			return true
		})
		blank := zero(b, func(c []byte) bool {
			if !try(c) {
				return false
			}
			b = c
			return true
		})
		if !cut && !blank {
			return b
		}
	}
}

// Zero sets runs of bytes to zero as long as try says that the result will
// do, and leaves the length alone.
func Zero(data []byte, try func([]byte) bool) []byte {
	b := slices.Clone(data)
	for zero(b, func(c []byte) bool {
		if !try(c) {
			return false
		}
		b = c
		return true
	}) {
	}
	return b
}

// zero offers data with runs of bytes set to zero, and goes on from what was
// taken.
func zero(b []byte, try func([]byte) bool) (any bool) {
	for size := len(b); size > len(b)/pieces && size > 0; size /= 2 {
		for at := 0; at < len(b); at += size {
			end := min(at+size, len(b))
			if isZero(b[at:end]) {
				continue
			}
			c := slices.Clone(b)
			clear(c[at:end])
			if try(c) {
				b, any = c, true
			}
		}
	}
	return any
}

func isZero(b []byte) bool { return !slices.ContainsFunc(b, func(x byte) bool { return x != 0 }) }
