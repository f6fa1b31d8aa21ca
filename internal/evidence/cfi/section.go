// Package cfi decodes DWARF call frame information. It supports the sections .eh_frame, .eh_frame_hdr and
// .debug_frame of ELF64 files, for the ABIs of SFrame.
//
// [Load] finds the sections of an object, and [New] decodes a section. [Section.FDEs] yields the FDEs, and a [Runner]
// executes the program of an FDE and returns its rows. [FDE.Recover] converts a row to the recovery rules of package
// model, which can be compared with SFrame FREs.
//
// The package decodes as much as it can. It reports each place where decoding stopped as a [Fault]. No input causes a
// panic or a hang. Time and memory are proportional to the size of the input. Offsets and lengths are in bytes, and
// multi-byte fields have the byte order of the file.
package cfi

import (
	"iter"
	"slices"
	"sync/atomic"

	"github.com/sframe-lint/sframe-lint/model"
)

// Format is the format of a CFI section.
type Format uint8

// The formats.
const (
	EHFrame    Format = iota // .eh_frame: CIE pointers are offsets back from themselves
	DebugFrame               // .debug_frame: CIE pointers are offsets in the section
)

func (k Format) String() string { return [...]string{".eh_frame", ".debug_frame"}[k] }

// KindOf returns the format of the section with this name. It reports false if the name is not that of a CFI section.
// Old GNU tools use the name .zdebug_frame for compressed sections.
func KindOf(name string) (Format, bool) {
	switch name {
	case EHFrame.String():
		return EHFrame, true
	case DebugFrame.String(), ".zdebug_frame":
		return DebugFrame, true
	}
	return 0, false
}

// Input is the input of [New]: a section, and facts about the section.
type Input struct {
	Kind Format
	Data []byte        // the section's bytes; must not be modified
	Addr uint64        // address of the first byte; 0 in a relocatable file
	ABI  model.ABIInfo // for the byte order and the registers

	// Relocatable means that all addresses come from Relocs, as offsets in sections.
	Relocatable bool
	Index       uint32  // section header index; only for relocatable files
	Relocs      []Reloc // the section's relocations

	TextAddr uint64 // base of Textrel pointers; 0 if unknown
	DataAddr uint64 // base of Datarel pointers; 0 if unknown
	// ZeroIsCode reports that the linked file has code at address 0. Otherwise FDEs of .debug_frame that start at 0
	// describe discarded code.
	ZeroIsCode bool

	// Hold counts the bytes of memory that the section needs besides Data. Step counts the section's work, in steps
	// of a [budget.Budget]. A nil function sets no limit. An error makes the section incomplete.
	Hold, Step func(n int64) error
}

// Section is a decoded section. It is immutable and safe for concurrent use.
type Section struct {
	in     Input
	cies   []int32               // offsets of the CIEs, in file order
	known  []atomic.Pointer[CIE] // those that have been decoded: see CIE
	fdes   int
	zeros  []model.Span
	faults []Fault
	lsdas  bool // FDEs of a CIE have pointers to LSDAs
	account
	values [1 << valueBits]atomic.Pointer[value] // see evaluate
}

// MaxCIEs is the maximum number of CIEs of a section. A linked program has about ten CIEs, but "ld -r" keeps one for
// each object.
const MaxCIEs = 1 << 18

// New finds the entries of a section and checks the CIEs.
func New(in Input) *Section {
	in.Data = in.Data[:min(uint64(len(in.Data)), 1<<31-1)]
	in.Relocs = sortRelocs(in.Relocs)
	s := &Section{in: in}
	var h, again hint
	for off := 0; off < len(in.Data); {
		e := s.entry(off)
		off = e.end
		switch e.kind {
		case entryCIE:
			if len(s.cies) == MaxCIEs {
				s.fault(TooManyCIEs, e.span(), MaxCIEs, 0)
				break
			}
			if s.cies = grow(s, s.cies, offsetCost); s.err != nil {
				return s
			}
			s.cies = append(s.cies, int32(e.off))
			k := s.cie(e, &h)
			s.lsdas = s.lsdas || k.LSDA != Omit
			if f := k.Fault; f.Code != NoFault {
				s.fault(f.Code, f.Span, f.Want, f.Got)
			}
		case entryFDE:
			s.fdes++
		case entryZero:
			if s.zeros = grow(s, s.zeros, spanCost); s.err != nil {
				return s
			}
			s.zeros = append(s.zeros, e.span())
		case entryBad:
			s.fault(e.fault.Code, e.fault.Span, e.fault.Want, e.fault.Got)
		}
	}
	for _, off := range s.cies {
		k := s.cie(s.entry(int(off)), &again)
		if x := s.initial(&k); x.Code != NoFault {
			s.fault(x.Code, x.Span, x.Want, x.Got)
		}
	}
	if s.hold(int64(len(s.cies)) * pointerCost); s.err == nil {
		s.known = make([]atomic.Pointer[CIE], len(s.cies))
	}
	return s
}

// Input returns the argument of [New]. The slices in the Input must not be modified.
func (s *Section) Input() Input { return s.in }

// Err returns the error of Input.Hold or Input.Step that made the section incomplete, or nil.
func (s *Section) Err() error { return s.err }

// CIE returns CIE i in file order. The CIE must not be modified.
func (s *Section) CIE(i int) *CIE {
	if k := s.known[i].Load(); k != nil {
		return k
	}
	var h hint
	k := s.cie(s.entry(int(s.cies[i])), &h)
	s.initial(&k)
	s.spend(k.Span.Len)
	if s.in.Hold == nil || s.in.Hold(cieCost+int64(len(k.Augmentation))) == nil {
		s.known[i].CompareAndSwap(nil, &k)
		return s.known[i].Load()
	}
	return &k // it is decoded again each time
}

// NumFDEs returns the number of FDEs, including FDEs that cannot be decoded.
func (s *Section) NumFDEs() int { return s.fdes }

// Terminators returns each run of zero lengths. For consumers that read .eh_frame from its start, the first run ends
// the section. The command "ld -r" leaves zero lengths between entries.
func (s *Section) Terminators() []model.Span { return s.zeros }

// Faults returns the faults of entries and CIEs. It leaves out the faults of FDEs, which are in FDE.Fault, and the
// faults of CFI programs, which [Runner.Fault] returns.
func (s *Section) Faults() []Fault { return s.faults }

// FDEs yields the FDEs in file order. An FDE that cannot be decoded has a Fault.
func (s *Section) FDEs() iter.Seq[FDE] {
	return func(yield func(FDE) bool) {
		var h hint
		last := 0
		for e := s.entry(0); e.kind != entryEnd && !s.over.Load(); e = s.entry(e.end) {
			if e.kind == entryFDE && !yield(s.decode(e, &h, &last)) {
				return
			}
		}
	}
}

// FDEAt decodes the entry at an offset in the section, and reports whether the entry is an FDE.
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
	if *last < len(s.cies) && int64(s.cies[*last]) == off {
		return s.CIE(*last)
	}
	i, ok := slices.BinarySearch(s.cies, int32(min(off, 1<<31-1)))
	if !ok {
		return nil
	}
	*last = i
	return s.CIE(i)
}

type entryType uint8

const (
	entryEnd entryType = iota
	entryCIE
	entryFDE
	entryZero
	entryBad // what can be stepped over
)

// entry is the frame of a CIE or an FDE. Positions count from the start of
// the section.
type entry struct {
	kind    entryType
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
	c := newCursor(s.in.Data, off, s.in.ABI.Big)
	e := entry{off: off}
	switch left := c.Left(); {
	case left <= 0:
		return e
	case left < 4:
		return e.bad(TrailingBytes, model.Span{Off: int64(off), Len: int64(left)}, len(c.B), 4, uint64(left))
	}
	length, width := c.Uint(4), 4
	switch {
	case length == 0:
		for c.Left() >= 4 && [4]byte(c.B[c.Pos:]) == [4]byte{} {
			c.Pos += 4
		}
		e.kind, e.end = entryZero, c.Pos
		return e
	case length == 0xffffffff:
		if s.in.Kind == DebugFrame {
			width = 8
		}
		if length = c.Uint(8); c.Bad {
			return e.bad(TrailingBytes, model.Span{Off: int64(off), Len: int64(len(c.B) - off)}, len(c.B), 12, uint64(len(c.B)-off))
		}
	case length >= 0xfffffff0:
		return e.bad(LengthReserved, c.from(off), len(c.B), 0, length)
	}
	if length > uint64(c.Left()) {
		return e.bad(LengthBeyondEnd, c.from(off), len(c.B), length, uint64(c.Left()))
	}
	e.id, e.end = c.Pos, c.Pos+int(length)
	if length < uint64(width) {
		return e.bad(LengthTooShort, c.from(off), e.end, uint64(width), length)
	}
	e.pointer = c.Uint(width)
	e.body, e.kind = c.Pos, entryFDE
	cie := uint64(0)
	if s.in.Kind == DebugFrame {
		cie = ^uint64(0) >> (64 - 8*width)
	}
	if e.pointer == cie {
		e.kind = entryCIE
	}
	return e
}
