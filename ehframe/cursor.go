package ehframe

import (
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/model"
)

// cursor reads fields from b. Positions are offsets in the section. Once a
// read does not fit, bad is set and later reads return 0.
type cursor struct {
	b   []byte // of the section, up to the end of the entry
	pos int
	big bool
	bad bool
}

func (c *cursor) left() int { return len(c.b) - c.pos }

// from returns the bytes from off to the position.
func (c *cursor) from(off int) model.Span {
	return model.Span{Off: int64(off), Len: int64(c.pos - off)}
}

// skip steps over n bytes.
func (c *cursor) skip(n uint64) {
	if c.bad || n > uint64(c.left()) {
		c.bad = true
		return
	}
	c.pos += int(n)
}

func (c *cursor) u8() uint8 {
	if c.bad || c.left() < 1 {
		c.bad = true
		return 0
	}
	c.pos++
	return c.b[c.pos-1]
}

// uint reads an unsigned field of 2, 4 or 8 bytes.
func (c *cursor) uint(width int) uint64 {
	if c.bad || c.left() < width {
		c.bad = true
		return 0
	}
	b := c.b[c.pos : c.pos+width]
	c.pos += width
	switch {
	case width == 2 && c.big:
		return uint64(binary.BigEndian.Uint16(b))
	case width == 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case width == 4 && c.big:
		return uint64(binary.BigEndian.Uint32(b))
	case width == 4:
		return uint64(binary.LittleEndian.Uint32(b))
	case width == 8 && c.big:
		return binary.BigEndian.Uint64(b)
	case width == 8:
		return binary.LittleEndian.Uint64(b)
	}
	return uint64(b[0])
}

// uleb reads an unsigned LEB128 number. Bits beyond the 64th are dropped.
func (c *cursor) uleb() uint64 {
	if c.pos < len(c.b) && c.b[c.pos] < 0x80 && !c.bad {
		c.pos++
		return uint64(c.b[c.pos-1])
	}
	v, _, _ := c.leb()
	return v
}

// sleb reads a signed LEB128 number.
func (c *cursor) sleb() int64 {
	v, shift, last := c.leb()
	if shift < 64 && last&0x40 != 0 {
		v |= ^uint64(0) << shift
	}
	return int64(v)
}

func (c *cursor) leb() (v uint64, shift uint, last byte) {
	for {
		last = c.u8()
		if c.bad {
			return 0, 64, 0
		}
		if shift < 64 {
			v |= uint64(last&0x7f) << shift
		}
		shift = min(shift+7, 70)
		if last < 0x80 {
			return v, shift, last
		}
	}
}

// cstring reads a string up to its zero byte.
func (c *cursor) cstring() string {
	for i := c.pos; i < len(c.b) && !c.bad; i++ {
		if c.b[i] == 0 {
			str := string(c.b[c.pos:i])
			c.pos = i + 1
			return str
		}
	}
	c.bad = true
	return ""
}
