package cfi

import (
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// CIE is a common information entry. It holds data that several FDEs share.
type CIE struct {
	Span         model.Span // the whole entry, including the length
	Version      uint8
	Augmentation string
	CodeAlign    uint64 // factor for advances
	DataAlign    int64  // factor for offsets
	RA           uint32 // DWARF number of the return address column
	Pointers     Encoding
	LSDA         Encoding // Omit: the FDEs have no LSDA
	Personality  Pointer  // Null: no personality routine
	Signal       bool     // 'S': the FDEs describe signal frames
	KeyB         bool     // 'B': AArch64 return addresses are signed with key B
	MemTag       bool     // 'G': AArch64 frames have tagged memory
	Program      model.Span
	Fault        Fault // why the fields after Version are not valid; NoFault: they are valid

	sized    bool // 'z': FDEs have augmentation data with a length
	selector int  // bytes of a segment selector in FDEs
	start    state
	startErr Fault // of the program, or an unknown letter: the rows of the FDEs may be in their augmentation data
}

// cie decodes a CIE.
func (s *Section) cie(e entry, h *hint) CIE {
	c := newCursor(s.in.Data[:e.end], e.body, s.in.ABI.Big)
	k := CIE{Span: e.span(), LSDA: Omit, Personality: Pointer{Null: true}}
	s.cieHeader(&k, &c, h)
	if c.Bad && k.Fault.Code == NoFault {
		k.Fault = Fault{Code: CIETruncated, Span: k.Span}
	}
	if k.Fault.Code == NoFault {
		k.Program = model.Span{Off: int64(c.Pos), Len: int64(c.Left())}
	}
	return k
}

func (s *Section) cieHeader(k *CIE, c *cursor, h *hint) {
	fail := func(code FaultCode, at int, got uint64) {
		if !c.Bad {
			k.Fault = Fault{Code: code, Span: c.from(at), Got: got}
		}
	}
	at := c.Pos
	if k.Version = c.U8(); k.Version != 1 && k.Version != 3 && k.Version != 4 {
		fail(CIEVersion, at, uint64(k.Version))
		return
	}
	aug := c.Pos
	k.Augmentation = string(c.CString())
	if k.Version == 4 {
		at = c.Pos
		if n := c.U8(); n != 8 {
			fail(CIEAddressSize, at, uint64(n))
			return
		}
		at = c.Pos
		n := c.U8()
		if k.selector = int(n); n > 8 {
			fail(CIEAddressSize, at, uint64(n))
			return
		}
	}
	letters := k.Augmentation
	if strings.HasPrefix(letters, "eh") { // GCC 2: the address of a table of exceptions
		letters = letters[2:]
		c.Skip(8)
	}
	k.CodeAlign, k.DataAlign = c.ULEB(), c.SLEB()
	at = c.Pos
	ra := uint64(0)
	if k.Version == 1 {
		ra = uint64(c.U8())
	} else {
		ra = c.ULEB()
	}
	if k.RA = uint32(ra); uint64(k.RA) != ra {
		fail(CIERegister, at, ra)
		return
	}
	s.augmentation(k, c, letters, aug, h)
}

// augmentation decodes the augmentation data. aug is where the string starts.
func (s *Section) augmentation(k *CIE, c *cursor, letters string, aug int, h *hint) {
	whole := c.B
	if k.sized = strings.HasPrefix(letters, "z"); k.sized {
		letters = letters[1:]
		n := c.ULEB()
		if c.Bad || n > uint64(c.Left()) {
			c.Bad = true
			return
		}
		c.B = c.B[:c.Pos+int(n)]
	}
	encoding := func(e *Encoding) {
		at := c.Pos
		if *e = Encoding(c.U8()); !c.Bad && !e.Valid() {
			k.Fault = Fault{Code: BadEncoding, Span: c.from(at), Got: uint64(*e)}
		}
	}
	for i := 0; i < len(letters) && k.Fault.Code == NoFault && !c.Bad; i++ {
		switch letters[i] {
		case 'R':
			at := c.Pos
			if encoding(&k.Pointers); k.Fault.Code == NoFault && k.Pointers&Indirect != 0 { // Omit, too
				k.Fault = Fault{Code: BadEncoding, Span: c.from(at), Got: uint64(k.Pointers)}
			}
		case 'L':
			encoding(&k.LSDA)
		case 'P':
			var e Encoding
			if encoding(&e); k.Fault.Code == NoFault {
				k.Personality = s.pointer(c, e, Pointer{}, h)
			}
		case 'S':
			k.Signal = true
		case 'B':
			k.KeyB = true
		case 'G':
			k.MemTag = true
		default:
			at := model.Span{Off: int64(aug + strings.Index(k.Augmentation, letters) + i), Len: 1}
			k.startErr = Fault{Code: CIEAugmentation, Span: at, Got: uint64(letters[i])}
			if !k.sized || strings.ContainsAny(letters[i:], "RLP") {
				k.Fault = k.startErr
			}
			i = len(letters)
		}
	}
	if k.sized && !c.Bad {
		c.Pos, c.B = len(c.B), whole
	}
}

// FDE is a frame description entry, the CFI of a function or of a part of a function. An FDE is decoded on demand and
// can be copied.
type FDE struct {
	Span      model.Span // the whole entry, including the length
	CIE       *CIE       // nil if the FDE has no CIE; must not be modified
	Start     Pointer    // start of the code
	Size      uint64     // size of the code in bytes
	LSDA      Pointer    // Null: no LSDA
	StartSpan model.Span // bytes that hold the start
	SizeSpan  model.Span // bytes that hold the size
	Program   model.Span
	// Dead reports whether the code has been discarded: the start is null or, in .debug_frame, the linker has set the
	// start to 0, -1 or -2.
	Dead  bool
	Fault Fault // why the entry cannot be used; NoFault: the entry can be used

	s *Section
}

// Section returns the section that contains the FDE.
func (f *FDE) Section() *Section { return f.s }

// Usable reports whether the FDE describes code at a known address.
func (f *FDE) Usable() bool { return f.Fault.Code == NoFault && f.Start.OK && !f.Dead }

// End returns the address just past the code.
func (f *FDE) End() uint64 { return f.Start.Addr + f.Size }

// decode decodes an FDE. last is the index of the CIE of the previous one.
func (s *Section) decode(e entry, h *hint, last *int) FDE {
	s.spend(1)
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
	c := newCursor(s.in.Data[:e.end], e.body, s.in.ABI.Big)
	c.Skip(uint64(f.CIE.selector))
	at := c.Pos
	f.Start = s.pointer(&c, f.CIE.Pointers, Pointer{}, h)
	f.StartSpan = c.from(at)
	at = c.Pos
	f.Size = s.size(&c, f.CIE.Pointers)
	f.SizeSpan = c.from(at)
	if f.CIE.sized {
		n := c.ULEB()
		if c.Bad || n > uint64(c.Left()) {
			c.Bad, n = true, 0
		}
		data := c
		data.B = c.B[:c.Pos+int(n)]
		if f.CIE.LSDA != Omit && n > 0 {
			f.LSDA = s.pointer(&data, f.CIE.LSDA, f.Start, h)
		}
		c.Bad = c.Bad || data.Bad
		c.Skip(n)
	}
	if c.Bad {
		f.Fault = Fault{Code: FDETruncated, Span: f.Span}
		return f
	}
	f.Program = model.Span{Off: int64(c.Pos), Len: int64(c.Left())}
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
		return c.ULEB()
	}
	return c.Uint(e.Width())
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
