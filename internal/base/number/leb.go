package number

// ULEB returns the unsigned LEB128 number at the start of b and its length in bytes, or 0 if b ends
// before the number does. Bits beyond the 64th are dropped.
func ULEB(b []byte) (v uint64, n int) {
	v, _, n = leb(b)
	return v, n
}

// SLEB is [ULEB] for a signed number.
func SLEB(b []byte) (v int64, n int) {
	u, shift, n := leb(b)
	if n > 0 && shift < 64 && b[n-1]&0x40 != 0 {
		u |= ^uint64(0) << shift
	}
	return int64(u), n
}

// leb returns the bits of a number, how many there are, and its length.
func leb(b []byte) (v uint64, shift uint, n int) {
	for i, c := range b {
		if shift < 64 {
			v |= uint64(c&0x7f) << shift
		}
		shift = min(shift+7, 70)
		if c < 0x80 {
			return v, shift, i + 1
		}
	}
	return 0, 0, 0
}
