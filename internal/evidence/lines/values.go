package lines

import "github.com/sframe-lint/sframe-lint/internal/base/number"

// Forms of attributes. Those from 0x1f01 on are GNU's, for split DWARF before version 5 and for
// supplementary files.
const (
	formAddr          = 0x01
	formBlock2        = 0x03
	formBlock4        = 0x04
	formData2         = 0x05
	formData4         = 0x06
	formData8         = 0x07
	formString        = 0x08
	formBlock         = 0x09
	formBlock1        = 0x0a
	formData1         = 0x0b
	formFlag          = 0x0c
	formSdata         = 0x0d
	formStrp          = 0x0e
	formUdata         = 0x0f
	formRefAddr       = 0x10
	formRef1          = 0x11
	formRef2          = 0x12
	formRef4          = 0x13
	formRef8          = 0x14
	formRefUdata      = 0x15
	formIndirect      = 0x16
	formSecOffset     = 0x17
	formExprloc       = 0x18
	formFlagPresent   = 0x19
	formStrx          = 0x1a
	formAddrx         = 0x1b
	formRefSup4       = 0x1c
	formStrpSup       = 0x1d
	formData16        = 0x1e
	formLineStrp      = 0x1f
	formRefSig8       = 0x20
	formImplicitConst = 0x21
	formLoclistx      = 0x22
	formRnglistx      = 0x23
	formRefSup8       = 0x24
	formStrx1         = 0x25
	formStrx2         = 0x26
	formStrx3         = 0x27
	formStrx4         = 0x28
	formAddrx1        = 0x29
	formAddrx2        = 0x2a
	formAddrx3        = 0x2b
	formAddrx4        = 0x2c
	formGNUAddrIndex  = 0x1f01
	formGNUStrIndex   = 0x1f02
	formGNURefAlt     = 0x1f20
	formGNUStrpAlt    = 0x1f21
)

// value is the value of an attribute.
type value struct {
	form   uint64
	number uint64
	place  uint32 // of an address
	inline string // of formString
}

// values reads values of attributes in a unit.
type values struct {
	f    *source
	c    *cursor
	unit *unit
}

// width returns the bytes of a form, 0 for one without a width of its own.
func width(form uint64) int {
	switch form {
	case formData1, formFlag, formRef1, formStrx1, formAddrx1:
		return 1
	case formData2, formRef2, formStrx2, formAddrx2:
		return 2
	case formStrx3, formAddrx3:
		return 3
	case formData4, formRef4, formRefSup4, formStrx4, formAddrx4:
		return 4
	case formData8, formRef8, formRefSup8, formRefSig8:
		return 8
	}
	return 0
}

// read reads a value. implicit is that of formImplicitConst.
func (v *values) read(form uint64, implicit int64) value {
	c, out := v.c, value{form: form}
	if n := width(form); n > 0 {
		out.number = c.Uint(n)
		return out
	}
	switch form {
	case formAddr:
		p := c.address(v.unit.address)
		out.number, out.place = p.addr, p.section
	case formString:
		out.inline = c.text()
	case formUdata, formRefUdata, formStrx, formAddrx, formLoclistx, formRnglistx, formGNUAddrIndex, formGNUStrIndex:
		out.number = c.ULEB()
	case formSdata:
		out.number = uint64(c.SLEB())
	case formStrp, formLineStrp, formSecOffset, formStrpSup, formGNURefAlt, formGNUStrpAlt:
		out.number = c.offset()
	case formRefAddr:
		if v.unit.version <= 2 {
			out.number = c.Uint(v.unit.address)
		} else {
			out.number = c.offset()
		}
	case formImplicitConst:
		out.number = uint64(implicit)
	case formFlagPresent:
		out.number = 1
	case formIndirect:
		if form = c.ULEB(); form == formIndirect || form == formImplicitConst {
			c.Bad = true // the first one could go on forever
			break
		}
		return v.read(form, 0)
	default:
		v.block(form)
	}
	return out
}

// block skips the bytes of a value that is not used.
func (v *values) block(form uint64) {
	c := v.c
	switch form {
	case formBlock1:
		c.Skip(c.Uint(1))
	case formBlock2:
		c.Skip(c.Uint(2))
	case formBlock4:
		c.Skip(c.Uint(4))
	case formBlock, formExprloc:
		c.Skip(c.ULEB())
	case formData16:
		c.Skip(16)
	default:
		c.Bad = true
	}
}

// text returns a string, or "" for a value that is not a string or is in a supplementary file.
func (v *values) text(x value) string {
	switch x.form {
	case formString:
		return x.inline
	case formStrp:
		return v.f.section(v.unit, ".debug_str").text(x.number)
	case formLineStrp:
		return v.f.sections[".debug_line_str"].text(x.number)
	case formStrx, formStrx1, formStrx2, formStrx3, formStrx4, formGNUStrIndex:
		return v.stringAt(x.number)
	}
	return ""
}

// stringAt returns a string by its index in the unit's offsets of strings.
func (v *values) stringAt(i uint64) string {
	u, size := v.unit, uint64(4)
	if v.c.wide {
		size = 8
	}
	if i >= 1<<32 {
		return ""
	}
	w, ok := v.f.section(u, ".debug_str_offsets").read(int64(u.strOffsets+i*size), int64(size))
	if !ok {
		return ""
	}
	c := newCursor(w, v.c.Big, v.c.wide)
	return v.f.section(u, ".debug_str").text(c.offset())
}

// addressOf returns the address that a value holds, itself or as an index in the unit's addresses. It
// reports false for a value of another kind.
func (v *values) addressOf(x value) (codeAddr, bool) {
	switch x.form {
	case formAddr:
		return codeAddr{x.place, x.number}, true
	case formAddrx, formAddrx1, formAddrx2, formAddrx3, formAddrx4, formGNUAddrIndex:
		return v.addressAt(x.number)
	}
	return codeAddr{}, false
}

func (v *values) addressAt(i uint64) (codeAddr, bool) {
	u := v.unit
	if i >= 1<<32 {
		return codeAddr{}, false
	}
	w, ok := u.addrs.sections[".debug_addr"].read(int64(u.addrBase+i*uint64(u.address)), int64(u.address))
	if !ok {
		return codeAddr{}, false
	}
	c := newCursor(w, v.c.Big, false)
	return c.address(u.address), true
}

// isAddress reports whether a form is that of an address.
func isAddress(form uint64) bool {
	switch form {
	case formAddr, formAddrx, formAddrx1, formAddrx2, formAddrx3, formAddrx4, formGNUAddrIndex:
		return true
	}
	return false
}

// cursor reads fields of a window in order.
type cursor struct {
	number.Cursor
	w    *window
	wide bool // offsets have 8 bytes, as in 64-bit DWARF
}

func newCursor(w *window, big, wide bool) *cursor {
	return &cursor{number.Cursor{B: w.data, Big: big}, w, wide}
}

// seek moves to a position, which must be in the window or at its end.
func (c *cursor) seek(pos int) {
	if c.Bad = c.Bad || pos < 0 || pos > len(c.B); !c.Bad {
		c.Pos = pos
	}
}

// offset reads an offset in a section.
func (c *cursor) offset() uint64 {
	if c.wide {
		return c.Uint(8)
	}
	return c.Uint(4)
}

// length reads the length at the start of a unit, and with it the width of offsets.
func (c *cursor) length() uint64 {
	n := c.Uint(4)
	if c.wide = n == wideLength; c.wide {
		return c.Uint(8)
	}
	if n >= firstReserved {
		c.Bad = true
	}
	return n
}

// Lengths of units: what precedes one of 8 bytes, and the first one without a meaning.
const wideLength, firstReserved = 0xffffffff, 0xfffffff0

// address reads an address, and in a relocatable file the section that it is in.
func (c *cursor) address(width int) codeAddr {
	at := c.w.off + int64(c.Pos)
	v := c.Uint(width)
	return codeAddr{c.w.placeAt(at), v}
}

// text reads a string up to its zero byte.
func (c *cursor) text() string {
	s := c.CString()
	return string(s[:min(len(s), mostName)])
}

// mostName is the number of bytes of a name or path that are used.
const mostName = 4096
