package cfi

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// cursor reads fields of a section, up to the end of an entry. Positions are offsets in the section.
type cursor struct{ number.Cursor }

func newCursor(b []byte, pos int, big bool) cursor {
	return cursor{number.Cursor{B: b, Pos: pos, Big: big}}
}

// from returns the bytes from off to the position.
func (c *cursor) from(off int) model.Span {
	return model.Span{Off: int64(off), Len: int64(c.Pos - off)}
}

// Encoding is how a pointer is stored (DW_EH_PE_*; Linux Standard Base, "DWARF Exception Header Encoding"). The low 4
// bits are the form, and the next 3 bits are the base. The high bit means that the value is the address of the
// pointer.
type Encoding uint8

// The encodings.
const (
	Absptr  Encoding = 0x00 // 8 bytes
	Uleb128 Encoding = 0x01
	Udata2  Encoding = 0x02
	Udata4  Encoding = 0x03
	Udata8  Encoding = 0x04
	Signed  Encoding = 0x08 // 8 bytes
	Sleb128 Encoding = 0x09
	Sdata2  Encoding = 0x0a
	Sdata4  Encoding = 0x0b
	Sdata8  Encoding = 0x0c

	Pcrel    Encoding = 0x10 // relative to the field
	Textrel  Encoding = 0x20 // relative to the start of .text
	Datarel  Encoding = 0x30 // relative to the start of .got or .eh_frame_hdr
	Funcrel  Encoding = 0x40 // relative to the start of the function
	Aligned  Encoding = 0x50 // absolute, aligned to 8 bytes
	Indirect Encoding = 0x80
	Omit     Encoding = 0xff // no field
)

// Form returns the form in which the value is stored.
func (e Encoding) Form() Encoding { return e & 0x0f }

// Base returns the base to which the value is relative.
func (e Encoding) Base() Encoding { return e & 0x70 }

// Width returns the size of the value in bytes, or 0 for LEB128 numbers.
func (e Encoding) Width() int {
	switch e.Form() {
	case Udata2, Sdata2:
		return 2
	case Udata4, Sdata4:
		return 4
	case Uleb128, Sleb128:
		return 0
	}
	return 8
}

// Valid reports whether the encoding is defined.
func (e Encoding) Valid() bool {
	if e == Omit || e == Aligned {
		return true
	}
	f := e.Form()
	return e.Base() <= Funcrel && (f <= Udata8 || f >= Signed && f <= Sdata8)
}

// Pointer is a decoded address.
type Pointer struct {
	Addr     uint64 // an address; in a relocatable file, an offset in the section Place
	Place    uint32 // section header index; 0 except in relocatable files
	OK       bool   // Addr is known
	Null     bool   // no address: the field is 0 and has no relocation
	Indirect bool   // Addr is the address of the address
}

// Reloc is the relocation of a field, resolved as far as possible.
type Reloc struct {
	Offset int64  // offset of the field in the section
	Addr   uint64 // target of the field: symbol + addend
	Place  uint32 // section header index of the section in which Addr is an offset
	PCRel  bool   // the field is relative to its own address
	Width  uint8  // size of the field in bytes
	OK     bool   // the symbol has a place, and the type is a data relocation of the ABI
}

// sortRelocs returns relocations by offset.
func sortRelocs(rs []Reloc) []Reloc {
	byOffset := func(a, b Reloc) int { return cmp.Compare(a.Offset, b.Offset) }
	if !slices.IsSortedFunc(rs, byOffset) {
		rs = slices.Clone(rs)
		slices.SortStableFunc(rs, byOffset)
	}
	return rs
}

// hint remembers where the last relocation was found. Fields are mostly asked
// for in their order.
type hint struct{ next int }

// reloc returns the relocation of the field at off, and whether there is one.
// Where there are two, what they say together is unspecified: it is not OK.
func (s *Section) reloc(off int64, h *hint) (Reloc, bool) {
	rs := s.in.Relocs
	k := h.next
	for range 4 {
		if k < len(rs) && rs[k].Offset < off {
			k++
		}
	}
	if k > len(rs) || k < len(rs) && rs[k].Offset < off || k > 0 && rs[k-1].Offset >= off {
		k, _ = slices.BinarySearchFunc(rs, off, func(r Reloc, off int64) int { return cmp.Compare(r.Offset, off) })
	}
	h.next = k
	if k == len(rs) || rs[k].Offset != off {
		return Reloc{}, false
	}
	r := rs[k]
	if k+1 < len(rs) && rs[k+1].Offset == off {
		r.OK = false
	}
	return r, true
}

// raw reads a value as the form says, sign-extended where it is signed.
func (c *cursor) raw(e Encoding) uint64 {
	switch e.Form() {
	case Uleb128:
		return c.ULEB()
	case Sleb128:
		return uint64(c.SLEB())
	}
	v := c.Uint(e.Width())
	switch e.Form() {
	case Sdata2:
		v = uint64(int64(int16(v)))
	case Sdata4:
		v = uint64(int64(int32(v)))
	}
	return v
}

// pointer reads an encoded pointer. fn is the start of the function, for
// Funcrel.
func (s *Section) pointer(c *cursor, e Encoding, fn Pointer, h *hint) Pointer {
	if e == Omit {
		return Pointer{Null: true}
	}
	if e.Base() == Aligned {
		c.Skip(-(s.in.Addr + uint64(c.Pos)) & 7)
		e = Absptr
	}
	at := c.Pos
	v := c.raw(e)
	p := Pointer{Addr: v, OK: !c.Bad, Indirect: e&Indirect != 0}
	if s.in.Relocatable {
		r, ok := s.reloc(int64(at), h)
		if !ok {
			p.OK, p.Null = false, v == 0
			return p
		}
		p.Addr, p.Place = r.Addr, r.Place
		p.OK = r.OK && p.OK && r.PCRel == (e.Base() == Pcrel) && int(r.Width) == e.Width()
		return p
	}
	if p.Null = v == 0; p.Null {
		p.OK = p.OK && e.Base() == 0
		return p
	}
	switch e.Base() {
	case Pcrel:
		p.Addr += s.in.Addr + uint64(at)
	case Textrel:
		p.Addr += s.in.TextAddr
		p.OK = p.OK && s.in.TextAddr != 0
	case Datarel:
		p.Addr += s.in.DataAddr
		p.OK = p.OK && s.in.DataAddr != 0
	case Funcrel:
		p.Addr += fn.Addr
		p.OK = p.OK && fn.OK
	}
	return p
}

// LSDA is the header of a language-specific data area, to which an [FDE] points. The format is that of GCC and Clang
// for C++, Rust, Ada and other languages.
type LSDA struct {
	// PadBase is the base of landing pads. If it is Null, the base is the start of the function.
	PadBase Pointer
	Table   model.Span // the call sites, relative to the start of the LSDA

	form Encoding // of the fields of a call site
	big  bool
}

// CallSite is code whose exceptions go to a landing pad. Start and End are offsets from the start of the function,
// and Pad is an offset from the PadBase, all in bytes. Pad is 0 if the code has no landing pad.
type CallSite struct{ Start, End, Pad uint64 }

// MaxLSDAHead is the maximum size in bytes of the header of an LSDA.
const MaxLSDAHead = 40

// NewLSDA decodes the header of an LSDA and reports whether the LSDA can be used. b holds the first bytes of the LSDA
// ([MaxLSDAHead] are enough), and addr is its address. reloc returns the target of the relocation at an offset in the
// LSDA; it is nil for files that are not relocatable.
func NewLSDA(b []byte, addr uint64, abi model.ABIInfo, reloc func(off int64) Pointer) (LSDA, bool) {
	c := newCursor(b, 0, abi.Big)
	l := LSDA{PadBase: Pointer{Null: true}, big: abi.Big}
	if e := Encoding(c.U8()); e != Omit {
		at := c.Pos
		v := c.raw(e)
		l.PadBase = Pointer{Addr: v, OK: true}
		switch {
		case !e.Valid() || e&Indirect != 0 || e.Base() != 0 && e.Base() != Pcrel:
			return l, false
		case reloc != nil:
			l.PadBase = reloc(int64(at))
		case e.Base() == Pcrel:
			l.PadBase.Addr += addr + uint64(at)
		}
		if !l.PadBase.OK {
			return l, false
		}
	}
	if e := Encoding(c.U8()); e != Omit {
		c.ULEB() // where the types end
	}
	l.form = Encoding(c.U8())
	n := c.ULEB()
	l.Table = model.Span{Off: int64(c.Pos), Len: int64(n)}
	return l, !c.Bad && l.form.Valid() && l.form.Base() == 0 && l.form&Indirect == 0 && n < 1<<31
}

// CallSites yields the call sites in table, which holds the bytes at l.Table. It stops before a truncated call site.
func (l *LSDA) CallSites(table []byte) iter.Seq[CallSite] {
	return func(yield func(CallSite) bool) {
		c := newCursor(table, 0, l.big)
		for c.Left() > 0 {
			s := CallSite{Start: c.raw(l.form)}
			s.End = s.Start + c.raw(l.form)
			s.Pad = c.raw(l.form)
			c.ULEB() // what is done
			if c.Bad || !yield(s) {
				return
			}
		}
	}
}

// Pushed is the size in bytes of a function's arguments on the stack, for the code from address From on.
type Pushed struct{ From, Bytes uint64 }

// Pushed appends each address at which DW_CFA_GNU_args_size changes the size of the pushed arguments. A function
// pushes these arguments for a call, and its landing pads run without them.
func (f *FDE) Pushed(out []Pushed) []Pushed {
	if !f.Usable() || bytes.IndexByte(f.s.in.Data[f.Program.Off:f.Program.End()], cfaGNUArgsSize) < 0 {
		return out
	}
	var r Runner
	var row Row
	last := uint64(0)
	for r.Reset(f); r.Next(&row); {
		if r.args != last {
			last = r.args
			out = append(out, Pushed{row.Start, last})
		}
	}
	return out
}
