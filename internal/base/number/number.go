// Package number reads and writes unsigned numbers of up to 8 bytes.
package number

import "encoding/binary"

// Get returns the number in b.
func Get(order binary.ByteOrder, b []byte) uint64 { return Of(b, order == binary.BigEndian) }

// Of is Get for a caller that has the order as a flag.
func Of(b []byte, big bool) (v uint64) {
	for i, c := range b {
		if big {
			v = v<<8 | uint64(c)
		} else {
			v |= uint64(c) << (8 * i)
		}
	}
	return v
}

// Put writes the low bytes of v into b.
func Put(order binary.ByteOrder, b []byte, v uint64) {
	var full [8]byte
	order.PutUint64(full[:], v)
	copy(b, lowBytes(order, &full, len(b)))
}

// lowBytes returns the n low bytes of a number of 8 bytes.
func lowBytes(order binary.ByteOrder, full *[8]byte, n int) []byte {
	if order == binary.BigEndian {
		return full[8-n:]
	}
	return full[:n]
}

// U16, U32 and U64 read the first bytes of b in either order.
func U16(b []byte, big bool) uint16 {
	if big {
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

func U32(b []byte, big bool) uint32 {
	if big {
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

func U64(b []byte, big bool) uint64 {
	if big {
		return binary.BigEndian.Uint64(b)
	}
	return binary.LittleEndian.Uint64(b)
}

// Window returns the first 8 bytes of b, the first one lowest; 0 for those that b does not
// have.
func Window(b []byte) uint64 {
	if len(b) >= 8 {
		return binary.LittleEndian.Uint64(b)
	}
	var tail [8]byte
	copy(tail[:], b)
	return binary.LittleEndian.Uint64(tail[:])
}

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
