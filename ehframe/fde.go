package ehframe

import "github.com/sframe-lint/sframe-lint/model"

// FDE is a frame description entry: the CFI of a function, or of a part of
// one. It is decoded on demand and can be copied.
type FDE struct {
	Span      model.Span // of the whole entry, from its length on
	CIE       *CIE       // nil where there is none; not to be modified
	Start     Pointer    // of the code
	Size      uint64     // bytes of code
	LSDA      Pointer    // Null: there is none
	StartSpan model.Span // bytes of the start
	SizeSpan  model.Span // bytes of the size
	Program   model.Span
	// Dead says that the code has been discarded: the start is null, or the
	// linker left the entry of .debug_frame at address 0, or at -1 or -2.
	Dead  bool
	Fault Fault // why the entry can't be used, NoFault if it can

	s *Section
}

// Section returns the section that contains the FDE.
func (f *FDE) Section() *Section { return f.s }

// Usable reports whether the FDE describes code at a known place.
func (f *FDE) Usable() bool { return f.Fault.Code == NoFault && f.Start.OK && !f.Dead }

// End returns the address just past the code.
func (f *FDE) End() uint64 { return f.Start.Addr + f.Size }

// decode decodes an FDE. last is the index of the CIE of the previous one.
func (s *Section) decode(e entry, h *hint, last *int) FDE {
	f := FDE{s: s, Span: e.span(), LSDA: Pointer{Null: true}}
	id := model.Span{Off: int64(e.id), Len: int64(e.body - e.id)}
	off, ok := s.ciePointer(e, id, h)
	if ok {
		f.CIE = s.cieAt(off, last)
	}
	switch {
	case f.CIE == nil:
		f.Fault = Fault{Code: NoCIE, Span: id, Got: uint64(off)}
		return f
	case f.CIE.Fault.Code != NoFault:
		f.Fault = Fault{Code: BadCIE, Span: id, Got: uint64(off)}
		return f
	}
	c := cursor{b: s.in.Data[:e.end], pos: e.body, big: s.in.ABI.Big}
	c.skip(uint64(f.CIE.selector))
	at := c.pos
	f.Start = s.pointer(&c, f.CIE.Pointers, Pointer{}, h)
	f.StartSpan = c.from(at)
	at = c.pos
	f.Size = s.size(&c, f.CIE.Pointers)
	f.SizeSpan = c.from(at)
	if f.CIE.sized {
		n := c.uleb()
		if c.bad || n > uint64(c.left()) {
			c.bad, n = true, 0
		}
		data := c
		data.b = c.b[:c.pos+int(n)]
		if f.CIE.LSDA != Omit && n > 0 {
			f.LSDA = s.pointer(&data, f.CIE.LSDA, f.Start, h)
		}
		c.bad = c.bad || data.bad
		c.skip(n)
	}
	if c.bad {
		f.Fault = Fault{Code: FDETruncated, Span: f.Span}
		return f
	}
	f.Program = model.Span{Off: int64(c.pos), Len: int64(c.left())}
	f.Dead = s.dead(f.Start)
	if f.Start.OK && f.Start.Addr+f.Size < f.Start.Addr && !f.Dead {
		f.Fault = Fault{Code: RangeWraps, Span: f.SizeSpan, Got: f.Size}
	}
	return f
}

// size reads the size of the code, which has the form of the start and is
// unsigned.
func (s *Section) size(c *cursor, e Encoding) uint64 {
	if e.Width() == 0 {
		return c.uleb()
	}
	return c.uint(e.Width())
}

// ciePointer returns the offset of the CIE in the section.
func (s *Section) ciePointer(e entry, id model.Span, h *hint) (int64, bool) {
	if s.in.Kind == EHFrame {
		off := int64(e.id) - int64(e.pointer)
		return off, off >= 0
	}
	off := e.pointer
	if s.in.Relocatable {
		if r, ok := s.reloc(id.Off, h); ok {
			if !r.OK || r.Place != s.in.Index || r.PCRel || int64(r.Width) != id.Len {
				return 0, false
			}
			off = r.Addr
		}
	}
	return int64(off), off < uint64(len(s.in.Data))
}

// dead reports whether a start is what linkers leave of discarded code.
func (s *Section) dead(p Pointer) bool {
	switch {
	case s.in.Relocatable:
		return false
	case s.in.Kind == EHFrame && p.Null:
		return !p.OK || !s.in.ZeroIsCode
	case s.in.Kind == DebugFrame:
		return p.Addr == 0 && !s.in.ZeroIsCode || p.Addr >= ^uint64(1)
	}
	return false
}
