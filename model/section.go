package model

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
)

// Header holds the fields of the section's header as they are on disk
// ("SFrame Header"), without the magic.
type Header struct {
	Version       Version
	Flags         Flags
	ABI           ABI
	FixedFPOffset int8   // bytes from the CFA; 0: not fixed
	FixedRAOffset int8   // bytes from the CFA; 0: not fixed
	AuxLen        uint8  // bytes of the auxiliary header
	NumFDEs       uint32 // claimed number of FDEs
	NumFREs       uint32 // claimed number of FREs
	FRELen        uint32 // bytes of the FRE sub-section
	FDEOff        uint32 // from the end of the header
	FREOff        uint32 // from the end of the header
}

// Start is the start of a function in a relocatable file. A relocation states it, not the start field.
type Start struct {
	Addr  uint64 // offset in the place, bytes
	Place uint32 // index of an ELF section header, 0 for none
	OK    bool   // the start is known
}

// Section is an SFrame section, immutable and safe for concurrent use. It decodes FDEs and FREs on demand, and keeps
// an index only for what the bytes do not state.
type Section struct {
	header Header
	abi    *ABIInfo     // never nil; a blank one for an unknown ABI
	ra, fp Recovery     // where an FRE of the default type does not say
	format *VersionInfo // never nil; a blank one for an unknown version
	big    bool
	addr   uint64
	data   []byte

	fdes   wire     // the FDE sub-section, cut to whole entries
	fres   wire     // the FRE sub-section, cut to the section
	starts []Start  // nil where the start fields are enough
	rows   []uint32 // FREs decoded of each FDE; nil: as claimed
	gaps   []Gap
	counts counts
	meter  meter
}

// counts are sums over the section that cost a pass to find.
type counts struct {
	numFDEs, numFREs  int
	claimedFREs       uint64
	ordered, disjoint bool
}

// Gap is a run of bytes that belongs to no header, FDE or FRE.
type Gap struct {
	Span
	// NonZero reports whether at least one byte is not zero. Such bytes are not padding.
	NonZero bool
}

// Header returns the header's fields.
func (s *Section) Header() Header { return s.header }

// Version returns sfp_version.
func (s *Section) Version() Version { return s.header.Version }

// ABI returns the facts of the section's ABI. For an unknown identifier, it returns a value whose Known method
// reports false.
func (s *Section) ABI() ABIInfo { return *s.abi }

// BigEndian reports whether the magic is in big-endian order, which is then the order of the section.
func (s *Section) BigEndian() bool { return s.big }

// ByteOrder returns the byte order of the section.
func (s *Section) ByteOrder() binary.ByteOrder {
	return number.Order(s.big)
}

// OrderName names the byte order of the section.
func (s *Section) OrderName() string { return OrderName(s.big) }

// OrderName names a byte order.
func OrderName(big bool) string {
	if big {
		return "big-endian"
	}
	return "little-endian"
}

// Addr returns the virtual address of the section's first byte, or 0 if it has no address yet.
func (s *Section) Addr() uint64 { return s.addr }

// Size returns the size of the section in bytes.
func (s *Section) Size() int64 { return int64(len(s.data)) }

// Aux returns a copy of the auxiliary header.
func (s *Section) Aux() []byte {
	return s.Bytes(s.AuxSpan())
}

// HeaderSpan returns the bytes of the header, without the auxiliary one.
func (s *Section) HeaderSpan() Span { return Span{0, int64(s.format.HeaderSize)}.Clip(s.Size()) }

// AuxSpan returns the bytes of the auxiliary header, cut to the section.
func (s *Section) AuxSpan() Span {
	return Span{int64(s.format.HeaderSize), int64(s.header.AuxLen)}.Clip(s.Size())
}

// HeaderEnd returns the offset that sfh_fdeoff and sfh_freoff count from.
func (s *Section) HeaderEnd() int64 { return int64(s.format.HeaderSize) + int64(s.header.AuxLen) }

// FDESubsection returns the span of the FDEs, as the header states it. It may extend beyond the section.
func (s *Section) FDESubsection() Span {
	return Span{
		s.HeaderEnd() + int64(s.header.FDEOff),
		int64(s.header.NumFDEs) * int64(s.format.FDESize),
	}
}

// FRESubsection returns the span of the FREs, as the header states it. It may extend beyond the section.
func (s *Section) FRESubsection() Span {
	return Span{s.HeaderEnd() + int64(s.header.FREOff), int64(s.header.FRELen)}
}

// End returns the end of the last part that the header describes. It may be beyond the section.
func (s *Section) End() int64 {
	return max(s.HeaderEnd(), s.FDESubsection().End(), s.FRESubsection().End())
}

// Bytes returns a copy of the bytes of a span, cut to the section.
func (s *Section) Bytes(sp Span) []byte {
	sp = sp.Clip(s.Size())
	return append([]byte(nil), s.data[sp.Off:sp.End()]...)
}

// Window returns the 8 bytes at an offset in the FRE sub-section as a little-endian number; bytes after the
// sub-section are 0. It is for fast loops over FREs, which begin at [FDE.StartFREOff].
func (s *Section) Window(at int) uint64 {
	if b := s.fres.b; at >= 0 && at < len(b) {
		return number.Window(b[at:])
	}
	return 0
}

// NumFDEs returns the number of decoded FDEs. Header().NumFDEs is the number that the header claims.
func (s *Section) NumFDEs() int { return s.counts.numFDEs }

// NumFREs returns the number of decoded FREs of all FDEs.
func (s *Section) NumFREs() int { return s.counts.numFREs }

// ClaimedFREs returns the number of FREs that the FDEs claim in total. Header().NumFREs is the number that the header
// claims.
func (s *Section) ClaimedFREs() uint64 { return s.counts.claimedFREs }

// Gaps returns the bytes that belong to no header, FDE or FRE, by offset.
func (s *Section) Gaps() []Gap { return append([]Gap(nil), s.gaps...) }

// StartsAscend reports whether the FDEs are sorted by their places and, within a place, by their resolved starts.
func (s *Section) StartsAscend() bool { return s.counts.ordered }

// Disjoint reports whether StartsAscend is true and no two functions share a byte or a start.
func (s *Section) Disjoint() bool { return s.counts.disjoint }

// Parts is what a reader decoded from the bytes of a section.
type Parts struct {
	Header    Header
	BigEndian bool
	Addr      uint64 // virtual address, 0 for none
	// Data are the section's bytes. The section refers to them: they must not
	// change while it is in use.
	Data []byte
	// Starts are the starts of the functions. It is nil if the start fields contain them.
	Starts []Start
	// Rows has the number of FREs of each FDE that can be decoded. It is nil if all claimed FREs can be decoded.
	Rows []uint32
	// Ordered and Disjoint are the results of Section.StartsAscend and Section.Disjoint.
	Ordered, Disjoint bool
	// NumFREs and ClaimedFREs are the results of the methods with these names.
	NumFREs, ClaimedFREs uint64
	// Step, unless nil, counts the FDEs and FREs that the section yields as steps of work. Iterators end when it
	// returns an error.
	Step func(n int64) error
	// Runs are the bytes of the attributes and FREs, sorted by offset. Offsets count from the start of the FRE
	// sub-section. Adjacent runs may be joined.
	Runs []Span
}

// New makes a section from its parts and does not check them: all counted FREs must lie in the FRE sub-section and in
// Data.
func New(p Parts) *Section {
	s := &Section{
		header: p.Header, abi: lookupABI(p.Header.ABI), format: p.Header.Version.info(), big: p.BigEndian, addr: p.Addr,
		data: p.Data, starts: p.Starts, rows: p.Rows,
	}
	s.counts.ordered, s.counts.disjoint = p.Ordered, p.Ordered && p.Disjoint
	s.meter.step = p.Step
	s.ra, s.fp = s.header.absent(s.abi.tracksRA())
	s.fdes = s.region(s.FDESubsection())
	s.fres = s.region(s.FRESubsection())
	if n := s.format.FDESize; n > 0 {
		s.counts.numFDEs = len(s.fdes.b) / n
	}
	s.counts.numFREs, s.counts.claimedFREs = int(min(p.NumFREs, math.MaxInt)), p.ClaimedFREs
	s.gaps = findGaps(s, p.Runs)
	return s
}

// wire is a region of the section's bytes. Offsets count from the region;
// whoever reads has seen that the bytes are there.
type wire struct {
	b   []byte
	off int64 // of b[0] in the section
	big bool
}

// uint reads an unsigned field of 1, 2 or 4 bytes.
func (w wire) uint(at, width int) uint32 {
	switch width {
	case 1:
		return uint32(w.b[at])
	case 2:
		return uint32(number.U16(w.b[at:], w.big))
	}
	return number.U32(w.b[at:], w.big)
}

// sint reads a signed field of 1, 2 or 4 bytes.
func (w wire) sint(at, width int) int32 {
	switch width {
	case 1:
		return int32(int8(w.b[at]))
	case 2:
		return int32(int16(number.U16(w.b[at:], w.big)))
	}
	return int32(number.U32(w.b[at:], w.big))
}

// region returns a part of the section's bytes, cut to the section.
func (s *Section) region(sp Span) wire {
	sp = sp.Clip(s.Size())
	return wire{b: s.data[sp.Off:sp.End():sp.End()], off: sp.Off, big: s.big}
}

// Span is a range of bytes, counted from the start of the section.
type Span struct {
	Off int64 // first byte
	Len int64 // bytes; 0 for a position between two bytes
}

// End returns the offset just past the span.
func (s Span) End() int64 { return s.Off + s.Len }

// Contains reports whether the byte at off lies in the span.
func (s Span) Contains(off int64) bool { return off >= s.Off && off < s.End() }

// Overlaps reports whether the two spans share a byte.
func (s Span) Overlaps(t Span) bool { return s.Off < t.End() && t.Off < s.End() }

// Clip returns the part of the span that lies in a section of size bytes.
func (s Span) Clip(size int64) Span {
	off := min(max(s.Off, 0), size)
	end := min(max(s.End(), off), size)
	return Span{Off: off, Len: end - off}
}

func (s Span) String() string { return fmt.Sprintf("[0x%x,0x%x)", s.Off, s.End()) }

// Find returns the FDE whose function contains pc, an address of a linked file.
func (s *Section) Find(pc uint64) (FDE, bool) { return s.FindIn(0, pc) }

// FindIn returns the FDE whose function contains pc. pc is an offset within a place, in the form that [FDE.Place]
// returns. If functions overlap, it returns the one that starts last.
func (s *Section) FindIn(place int, pc uint64) (FDE, bool) {
	if s.counts.ordered {
		return s.bisect(place, pc)
	}
	best, ok := FDE{}, false
	for f := range s.FDEs() {
		if f.holds(place, pc) && (!ok || f.Start() >= best.Start()) {
			best, ok = f, true
		}
	}
	return best, ok
}

// bisect finds the last FDE that starts at or before pc and steps back over
// those that end before it, which only overlapping functions need.
func (s *Section) bisect(place int, pc uint64) (FDE, bool) {
	n := sort.Search(s.NumFDEs(), func(i int) bool {
		f := s.FDE(i)
		return f.place > uint32(place) || f.place == uint32(place) && f.start > pc
	})
	for i := n - 1; i >= 0; i-- {
		f := s.FDE(i)
		if f.holds(place, pc) {
			return f, true
		}
		if s.counts.disjoint || f.place != uint32(place) {
			break
		}
	}
	return FDE{}, false
}

func (f FDE) holds(place int, pc uint64) bool {
	return f.Resolved() && f.Place() == place && pc >= f.Start() && pc-f.Start() < uint64(f.Size())
}

// At returns the FDE whose function contains pc, an address of a linked file, and the FRE that covers pc. It reports
// whether both exist. For an outermost function without FREs it reports false; [Section.Find] finds its FDE.
func (s *Section) At(pc uint64) (FDE, FRE, bool) {
	f, ok := s.Find(pc)
	if !ok {
		return FDE{}, FRE{}, false
	}
	r, ok := f.At(pc - f.Start())
	return f, r, ok
}

// At returns the FRE that covers the byte at offset off of the function, which is the last one that starts at or
// before off. For a MASK FDE, off is first reduced modulo the stub's size ("The SFrame FDE PC Types").
func (f FDE) At(off uint64) (FRE, bool) {
	if f.PCType() == SFRAME_FDE_PCTYPE_MASK {
		if f.entry.RepSize == 0 {
			return FRE{}, false
		}
		off %= uint64(f.entry.RepSize)
	}
	found, ok := FRE{}, false
	for r := range f.FREs() {
		if uint64(r.start) > off {
			break
		}
		found, ok = r, true
	}
	return found, ok
}

// findGaps returns the runs of bytes that no part of the section claims. runs
// are what the FDEs claim of the FRE sub-section.
func findGaps(s *Section, runs []Span) []Gap {
	claimed := make([]Span, 0, len(runs)+4)
	claimed = append(claimed, s.HeaderSpan(), s.AuxSpan(), Span{s.fdes.off, int64(s.NumFDEs() * s.format.FDESize)})
	for _, r := range runs {
		claimed = append(claimed, Span{s.fres.off + r.Off, r.Len}.Clip(s.Size()))
	}
	slices.SortStableFunc(claimed, func(a, b Span) int { return cmp.Compare(a.Off, b.Off) })
	var gaps []Gap
	end := int64(0)
	for _, r := range append(claimed, Span{s.Size(), 0}) {
		if r.Off > end {
			gaps = append(gaps, Gap{Span{end, r.Off - end}, !allZero(s.data[end:r.Off])})
		}
		end = max(end, r.End())
	}
	return gaps
}

func allZero(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c != 0 })
}
