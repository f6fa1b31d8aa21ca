// Package number reads and writes unsigned numbers of up to 8 bytes.
package number

import (
	"bytes"
	"encoding/binary"
)

// ByteOrder is a byte order that also appends.
type ByteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// Order returns the byte order for a flag.
func Order(big bool) ByteOrder {
	if big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// Get returns the number in b.
func Get(order binary.ByteOrder, b []byte) uint64 { return Of(b, order == binary.BigEndian) }

// Of is Get for callers that have the byte order as a flag.
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

// Fields are the bytes of a structure in a byte order. Its methods read the field at an offset.
type Fields struct {
	B   []byte
	Big bool
}

func (f Fields) U16(off int) uint16 { return U16(f.B[off:], f.Big) }
func (f Fields) U32(off int) uint32 { return U32(f.B[off:], f.Big) }
func (f Fields) U64(off int) uint64 { return U64(f.B[off:], f.Big) }

// Window returns the first 8 bytes of b as a little-endian number. Missing bytes are 0.
func Window(b []byte) uint64 {
	if len(b) >= 8 {
		return binary.LittleEndian.Uint64(b)
	}
	var tail [8]byte
	copy(tail[:], b)
	return binary.LittleEndian.Uint64(tail[:])
}

// ULEB returns the unsigned LEB128 number at the start of b and its length in bytes. Both are 0 if b ends before the
// number does. Bits beyond the 64th are dropped.
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

// AppendSLEB appends a number as a signed LEB128.
func AppendSLEB(b []byte, v int64) []byte {
	for ; v != int64(int8(v<<1))>>1; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v)&0x7f)
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

// Cursor reads numbers and strings of B from Pos. After a read beyond the end, Bad is set and all reads return 0.
type Cursor struct {
	B   []byte
	Pos int
	Big bool // the byte order
	Bad bool
}

// Left returns the number of unread bytes.
func (c *Cursor) Left() int { return len(c.B) - c.Pos }

// Skip skips n bytes.
func (c *Cursor) Skip(n uint64) {
	if c.Bad || n > uint64(c.Left()) {
		c.Bad = true
		return
	}
	c.Pos += int(n)
}

// U8 reads a byte.
func (c *Cursor) U8() uint8 {
	if c.Bad || c.Left() < 1 {
		c.Bad = true
		return 0
	}
	c.Pos++
	return c.B[c.Pos-1]
}

// Uint reads a number of up to 8 bytes.
func (c *Cursor) Uint(width int) uint64 {
	if c.Bad || width > 8 || c.Left() < width {
		c.Bad = true
		return 0
	}
	b := c.B[c.Pos : c.Pos+width]
	c.Pos += width
	switch width {
	case 2:
		return uint64(U16(b, c.Big))
	case 4:
		return uint64(U32(b, c.Big))
	case 8:
		return U64(b, c.Big)
	}
	return Of(b, c.Big)
}

// ULEB reads an unsigned LEB128 number. Bits beyond the 64th are dropped.
func (c *Cursor) ULEB() uint64 {
	if c.Pos < len(c.B) && c.B[c.Pos] < 0x80 && !c.Bad {
		c.Pos++
		return uint64(c.B[c.Pos-1])
	}
	if c.Bad {
		return 0
	}
	v, n := ULEB(c.B[c.Pos:])
	c.passed(n)
	return v
}

// SLEB reads a signed LEB128 number.
func (c *Cursor) SLEB() int64 {
	if c.Bad {
		return 0
	}
	v, n := SLEB(c.B[c.Pos:])
	c.passed(n)
	return v
}

// passed steps over a number of n bytes, or to the end if n is 0 since the number is cut.
func (c *Cursor) passed(n int) {
	if c.Bad = n == 0; c.Bad {
		n = c.Left()
	}
	c.Pos += n
}

// CString reads the bytes before a zero byte, and skips the zero byte.
func (c *Cursor) CString() (b []byte) {
	n := -1
	if !c.Bad {
		n = bytes.IndexByte(c.B[c.Pos:], 0)
	}
	if n < 0 {
		c.Bad = true
		return nil
	}
	b = c.B[c.Pos : c.Pos+n]
	c.Pos += n + 1
	return b
}
