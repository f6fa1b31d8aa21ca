package cfi

import (
	"bytes"
	"iter"

	"github.com/sframe-lint/sframe-lint/model"
)

// LSDA is the head of a language-specific data area, to which an [FDE] points, in the form
// that GCC and Clang write for C++, Rust, Ada and other languages.
type LSDA struct {
	// PadBase is the base of landing pads; Null: the start of the function.
	PadBase Pointer
	Table   model.Span // the call sites, from the start of the area

	form Encoding // of the fields of a call site
	big  bool
}

// CallSite is code whose exceptions go to a landing pad. Start and End are in bytes from the
// start of the function, Pad from the PadBase; Pad is 0 without a landing pad.
type CallSite struct{ Start, End, Pad uint64 }

// MaxLSDAHead is the maximum number of bytes before the call sites of an area.
const MaxLSDAHead = 40

// NewLSDA decodes the head of an area and reports whether it can be used. b has its first bytes, at the address addr;
// [MaxLSDAHead] bytes suffice. In a relocatable file, reloc returns the target of the relocation at an offset in the
// area; otherwise it is nil.
func NewLSDA(b []byte, addr uint64, abi model.ABIInfo, reloc func(off int64) Pointer) (LSDA, bool) {
	c := cursor{b: b, big: abi.Big}
	l := LSDA{PadBase: Pointer{Null: true}, big: abi.Big}
	if e := Encoding(c.u8()); e != Omit {
		at := c.pos
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
	if e := Encoding(c.u8()); e != Omit {
		c.uleb() // where the types end
	}
	l.form = Encoding(c.u8())
	n := c.uleb()
	l.Table = model.Span{Off: int64(c.pos), Len: int64(n)}
	return l, !c.bad && l.form.Valid() && l.form.Base() == 0 && l.form&Indirect == 0 && n < 1<<31
}

// CallSites yields the call sites in table, the bytes at Table, up to the first one that is cut.
func (l *LSDA) CallSites(table []byte) iter.Seq[CallSite] {
	return func(yield func(CallSite) bool) {
		c := cursor{b: table, big: l.big}
		for c.left() > 0 {
			s := CallSite{Start: c.raw(l.form)}
			s.End = s.Start + c.raw(l.form)
			s.Pad = c.raw(l.form)
			c.uleb() // what is done
			if c.bad || !yield(s) {
				return
			}
		}
	}
}

// Pushed is the size in bytes of a function's arguments on the stack, from an address on.
type Pushed struct{ From, Bytes uint64 }

// Pushed appends the places where the size of the arguments changes that a function pushes for
// a call and that are gone at its landing pads (DW_CFA_GNU_args_size).
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
