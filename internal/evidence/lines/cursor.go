package lines

import (
	"bytes"
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
)

// cursor reads fields of a window in order. Once a read does not fit, bad is set and later
// reads return 0.
type cursor struct {
	w    *window
	pos  int // in w.data
	big  bool
	wide bool // offsets have 8 bytes, as in 64-bit DWARF
	bad  bool
}

func (c *cursor) left() int { return len(c.w.data) - c.pos }

// seek moves to a position, which must be in the window or at its end.
func (c *cursor) seek(pos int) {
	if c.bad = c.bad || pos < 0 || pos > len(c.w.data); !c.bad {
		c.pos = pos
	}
}

func (c *cursor) skip(n uint64) {
	if n > uint64(c.left()) {
		c.bad = true
		return
	}
	c.pos += int(n)
}

// uint reads a number of up to 8 bytes.
func (c *cursor) uint(width int) uint64 {
	if c.bad || width > 8 || c.left() < width {
		c.bad = true
		return 0
	}
	b := c.w.data[c.pos : c.pos+width]
	c.pos += width
	if width == 1 {
		return uint64(b[0])
	}
	return number.Get(c.order(), b)
}

func (c *cursor) order() binary.ByteOrder {
	if c.big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func (c *cursor) u8() uint8 { return uint8(c.uint(1)) }

// offset reads an offset in a section.
func (c *cursor) offset() uint64 {
	if c.wide {
		return c.uint(8)
	}
	return c.uint(4)
}

// length reads the length at the start of a unit, and with it the width of offsets.
func (c *cursor) length() uint64 {
	n := c.uint(4)
	if c.wide = n == wideLength; c.wide {
		return c.uint(8)
	}
	if n >= firstReserved {
		c.bad = true
	}
	return n
}

// Lengths of units: what precedes one of 8 bytes, and the first one without a meaning.
const wideLength, firstReserved = 0xffffffff, 0xfffffff0

// address reads an address, and in a relocatable file the section that it is in.
func (c *cursor) address(width int) codeAddr {
	at := c.w.off + int64(c.pos)
	v := c.uint(width)
	return codeAddr{c.w.placeAt(at), v}
}

// uleb reads an unsigned LEB128 number. Bits beyond the 64th are dropped.
func (c *cursor) uleb() uint64 {
	if c.bad {
		return 0
	}
	v, n := number.ULEB(c.w.data[c.pos:])
	c.passed(n)
	return v
}

// sleb reads a signed LEB128 number.
func (c *cursor) sleb() int64 {
	if c.bad {
		return 0
	}
	v, n := number.SLEB(c.w.data[c.pos:])
	c.passed(n)
	return v
}

// passed steps over a number of n bytes, or to the end if n is 0 since the number is cut.
func (c *cursor) passed(n int) {
	if c.bad = n == 0; c.bad {
		n = c.left()
	}
	c.pos += n
}

// text reads a string up to its zero byte.
func (c *cursor) text() string {
	if c.bad {
		return ""
	}
	n := bytes.IndexByte(c.w.data[c.pos:], 0)
	if n < 0 {
		c.bad = true
		return ""
	}
	s := string(c.w.data[c.pos : c.pos+min(n, mostName)])
	c.pos += n + 1
	return s
}

// mostName is the number of bytes of a name or path that are used.
const mostName = 4096
