package reader

import "encoding/binary"

// cursor reads fields from a bounded region. It copies nothing, keeps the
// absolute offset of its region, and once a read does not fit it stays
// failed, so that a run of reads needs one check at its end.
type cursor struct {
	buf  []byte
	pos  int
	base int64 // absolute offset of buf[0]
	big  bool
	bad  bool
}

func newCursor(buf []byte, base int64, big bool) cursor {
	return cursor{buf: buf, base: base, big: big}
}

// offset returns the absolute offset of the next byte.
func (c *cursor) offset() int64 { return c.base + int64(c.pos) }

// left returns the bytes that have not been read.
func (c *cursor) left() int { return len(c.buf) - c.pos }

// take returns the next n bytes and steps over them, nil where fewer are
// left.
func (c *cursor) take(n int) []byte {
	if n < 0 || n > c.left() || c.bad {
		c.bad = true
		return nil
	}
	b := c.buf[c.pos : c.pos+n : c.pos+n]
	c.pos += n
	return b
}

// sub returns a cursor over n bytes from off in this cursor's region,
// independent of the position; what reaches beyond the region is cut off,
// and whole reports whether nothing was.
func (c *cursor) sub(off, n int64) (s cursor, whole bool) {
	size := int64(len(c.buf))
	from := min(max(off, 0), size)
	to := min(max(from+min(max(n, 0), size), from), size)
	whole = off >= 0 && n >= 0 && off <= size && n <= size-off
	return cursor{buf: c.buf[from:to:to], base: c.base + from, big: c.big}, whole
}

func (c *cursor) u16() uint16 {
	if b := c.take(2); b != nil {
		return u16(b, c.big)
	}
	return 0
}

func (c *cursor) u32() uint32 {
	if b := c.take(4); b != nil {
		return u32(b, c.big)
	}
	return 0
}

func (c *cursor) u64() uint64 {
	if b := c.take(8); b != nil {
		return u64(b, c.big)
	}
	return 0
}

// u16, u32 and u64 read the first bytes of b in either order.
func u16(b []byte, big bool) uint16 {
	if big {
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

func u32(b []byte, big bool) uint32 {
	if big {
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

func u64(b []byte, big bool) uint64 {
	if big {
		return binary.BigEndian.Uint64(b)
	}
	return binary.LittleEndian.Uint64(b)
}
