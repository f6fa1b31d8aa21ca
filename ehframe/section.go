package ehframe

import (
	"iter"
	"sort"

	"github.com/sframe-lint/sframe-lint/model"
)

// Kind is the flavour of a section.
type Kind uint8

// Kinds.
const (
	EHFrame    Kind = iota // .eh_frame: CIE pointers count back from themselves
	DebugFrame             // .debug_frame: CIE pointers are offsets in the section
)

func (k Kind) String() string { return [...]string{".eh_frame", ".debug_frame"}[k] }

// KindOf returns the kind of a section by its name, and reports whether it is one. GNU tools
// have called compressed sections .zdebug_frame.
func KindOf(name string) (Kind, bool) {
	switch name {
	case EHFrame.String():
		return EHFrame, true
	case DebugFrame.String(), ".zdebug_frame":
		return DebugFrame, true
	}
	return 0, false
}

// Input is a section as [New] takes it.
type Input struct {
	Kind Kind
	Data []byte        // the section's bytes; not to be modified
	Addr uint64        // address of the first byte, 0 in a relocatable file
	ABI  model.ABIInfo // byte order and registers

	// Relocatable says that addresses are in Relocs alone: addresses are
	// offsets in sections.
	Relocatable bool
	Index       uint32  // section header index of the section, relocatable files only
	Relocs      []Reloc // of the section

	TextAddr uint64 // what Textrel pointers count from, 0 if unknown
	DataAddr uint64 // what Datarel pointers count from, 0 if unknown
	// ZeroIsCode says that the linked file has code at address 0. Otherwise
	// FDEs of .debug_frame that start there describe discarded code.
	ZeroIsCode bool
}

// Section is a decoded section. It is immutable, and any number of goroutines
// can use it.
type Section struct {
	in     Input
	cies   []CIE // in file order
	fdes   int
	zeros  []model.Span
	faults []Fault
}

// MaxCIEs bounds the CIEs of a section, each of which stays in memory. A
// linked program has some ten; "ld -r" keeps one for each object.
const MaxCIEs = 1 << 18

// New finds the entries of a section and decodes its CIEs.
func New(in Input) *Section {
	in.Data = in.Data[:min(uint64(len(in.Data)), 1<<31-1)]
	in.Relocs = sortRelocs(in.Relocs)
	s := &Section{in: in}
	var h hint
	for off := 0; off < len(in.Data); {
		if end := s.step(off); end > 0 {
			s.fdes++
			off = end
			continue
		}
		e := s.entry(off)
		off = e.end
		switch e.kind {
		case entryCIE:
			if len(s.cies) == MaxCIEs {
				s.fault(TooManyCIEs, e.span(), MaxCIEs, 0)
				break
			}
			s.cies = append(s.cies, s.cie(e, &h))
			if f := s.cies[len(s.cies)-1].Fault; f.Code != NoFault {
				s.fault(f.Code, f.Span, f.Want, f.Got)
			}
		case entryFDE:
			s.fdes++
		case entryZero:
			s.zeros = append(s.zeros, e.span())
		case entryBad:
			s.fault(e.fault.Code, e.fault.Span, e.fault.Want, e.fault.Got)
		}
	}
	for i := range s.cies {
		s.initial(&s.cies[i])
		s.cies[i].findUsual()
	}
	return s
}

// Input returns what New was called with. Its slices must not be modified.
func (s *Section) Input() Input { return s.in }

// CIEs returns the CIEs in file order. They must not be modified.
func (s *Section) CIEs() []CIE { return s.cies }

// NumFDEs returns the number of FDEs, including those that can't be decoded.
func (s *Section) NumFDEs() int { return s.fdes }

// Terminators returns the runs of lengths of 0. The first one ends .eh_frame
// for consumers that read it from its start; "ld -r" leaves some between
// entries.
func (s *Section) Terminators() []model.Span { return s.zeros }

// Faults returns the faults of entries and CIEs. Those of an FDE are with
// the FDE, those of its program with the [Runner].
func (s *Section) Faults() []Fault { return s.faults }

// FDEs yields the FDEs in file order. Entries that can't be decoded have a
// Fault.
func (s *Section) FDEs() iter.Seq[FDE] {
	return func(yield func(FDE) bool) {
		var h hint
		last := 0
		for e := s.entry(0); e.kind != entryEnd; e = s.entry(e.end) {
			if e.kind == entryFDE && !yield(s.decode(e, &h, &last)) {
				return
			}
		}
	}
}

// FDEAt decodes the entry at an offset in the section. It reports whether
// that is an FDE.
func (s *Section) FDEAt(off int64) (FDE, bool) {
	if off < 0 || off >= int64(len(s.in.Data)) {
		return FDE{}, false
	}
	e := s.entry(int(off))
	if e.kind != entryFDE {
		return FDE{}, false
	}
	var h hint
	var last int
	return s.decode(e, &h, &last), true
}

// cieAt returns the CIE at an offset. last is the index of the one asked for
// before.
func (s *Section) cieAt(off int64, last *int) *CIE {
	if *last < len(s.cies) && s.cies[*last].Span.Off == off {
		return &s.cies[*last]
	}
	i := sort.Search(len(s.cies), func(i int) bool { return s.cies[i].Span.Off >= off })
	if i == len(s.cies) || s.cies[i].Span.Off != off {
		return nil
	}
	*last = i
	return &s.cies[i]
}

type entryKind uint8

const (
	entryEnd entryKind = iota
	entryCIE
	entryFDE
	entryZero
	entryBad // what can be stepped over
)

// entry is the frame of a CIE or an FDE. Positions count from the start of
// the section.
type entry struct {
	kind    entryKind
	off     int // of the length
	id      int // of the CIE pointer
	body    int // after the CIE pointer
	end     int
	pointer uint64 // CIE pointer as it is stored
	fault   Fault
}

func (e entry) span() model.Span {
	return model.Span{Off: int64(e.off), Len: int64(e.end - e.off)}
}

// bad returns an entry with a fault in place of e, which ends at end.
func (e entry) bad(code FaultCode, at model.Span, end int, want, got uint64) entry {
	e.kind, e.end, e.fault = entryBad, end, Fault{code, at, want, got}
	return e
}

// entry reads the length and the CIE pointer at off. A 64-bit length is
// preceded by 0xffffffff. In .eh_frame the CIE pointer then still has 4
// bytes, in .debug_frame it has 8.
func (s *Section) entry(off int) entry {
	c := cursor{b: s.in.Data, pos: off, big: s.in.ABI.Big}
	e := entry{off: off}
	switch left := c.left(); {
	case left <= 0:
		return e
	case left < 4:
		return e.bad(TrailingBytes, model.Span{Off: int64(off), Len: int64(left)}, len(c.b), 4, uint64(left))
	}
	length, width := c.uint(4), 4
	switch {
	case length == 0:
		for c.left() >= 4 && [4]byte(c.b[c.pos:]) == [4]byte{} {
			c.pos += 4
		}
		e.kind, e.end = entryZero, c.pos
		return e
	case length == 0xffffffff:
		if s.in.Kind == DebugFrame {
			width = 8
		}
		if length = c.uint(8); c.bad {
			return e.bad(TrailingBytes, model.Span{Off: int64(off), Len: int64(len(c.b) - off)}, len(c.b), 12, uint64(len(c.b)-off))
		}
	case length >= 0xfffffff0:
		return e.bad(LengthReserved, c.from(off), len(c.b), 0, length)
	}
	if length > uint64(c.left()) {
		return e.bad(LengthBeyondEnd, c.from(off), len(c.b), length, uint64(c.left()))
	}
	e.id, e.end = c.pos, c.pos+int(length)
	if length < uint64(width) {
		return e.bad(LengthTooShort, c.from(off), e.end, uint64(width), length)
	}
	e.pointer = c.uint(width)
	e.body, e.kind = c.pos, entryFDE
	cie := uint64(0)
	if s.in.Kind == DebugFrame {
		cie = ^uint64(0) >> (64 - 8*width)
	}
	if e.pointer == cie {
		e.kind = entryCIE
	}
	return e
}
