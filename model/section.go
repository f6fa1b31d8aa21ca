package model

import (
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/internal/number"
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

// Start is where a function begins, for sections whose start fields do not
// show it (relocatable files).
type Start struct {
	Addr  uint64 // offset in the place, bytes
	Place uint32 // index of an ELF section header, 0 for none
	OK    bool   // the start is known
}

// Section is an SFrame section: immutable, safe for concurrent use. It is a
// view of the section's bytes, with an index only where the bytes alone are
// not enough: FDEs and FREs are decoded on demand.
type Section struct {
	header Header
	abi    *ABIInfo     // never nil; a blank one for an unknown ABI
	format *VersionInfo // never nil; a blank one for an unknown version
	big    bool
	addr   uint64
	data   []byte

	fdes   wire     // the FDE sub-section, cut to whole entries
	fres   wire     // the FRE sub-section, cut to the section
	starts []Start  // nil where the start fields are enough
	rows   []uint32 // rows decoded of each FDE; nil: as claimed
	gaps   []Gap
	counts counts
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
	// NonZero tells that at least one byte is not zero: such bytes are not
	// padding.
	NonZero bool
}

// Header returns the header's fields.
func (s *Section) Header() Header { return s.header }

// Version returns sfp_version.
func (s *Section) Version() Version { return s.header.Version }

// ABI returns the facts of the section's ABI; for an unknown identifier
// blank ones whose Known method reports false.
func (s *Section) ABI() ABIInfo { return *s.abi }

// BigEndian tells the byte order of the section, as its magic shows it.
func (s *Section) BigEndian() bool { return s.big }

// ByteOrder returns the byte order of the section.
func (s *Section) ByteOrder() binary.ByteOrder {
	if s.big {
		return binary.BigEndian
	}
	return binary.LittleEndian
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

// Addr returns the virtual address of the section's first byte; 0 where it
// has none yet.
func (s *Section) Addr() uint64 { return s.addr }

// Size returns the bytes of the section.
func (s *Section) Size() int64 { return int64(len(s.data)) }

// Aux returns a copy of the auxiliary header.
func (s *Section) Aux() []byte {
	a := s.AuxSpan()
	return append([]byte(nil), s.data[a.Off:a.End()]...)
}

// HeaderSpan returns the bytes of the header, without the auxiliary one.
func (s *Section) HeaderSpan() Span { return Span{0, int64(s.format.HeaderSize)}.Clip(s.Size()) }

// AuxSpan returns the bytes of the auxiliary header, cut to the section.
func (s *Section) AuxSpan() Span {
	return Span{int64(s.format.HeaderSize), int64(s.header.AuxLen)}.Clip(s.Size())
}

// HeaderEnd returns the offset that sfh_fdeoff and sfh_freoff count from.
func (s *Section) HeaderEnd() int64 { return int64(s.format.HeaderSize) + int64(s.header.AuxLen) }

// FDESubsection returns the bytes that the header gives to the FDEs. It may
// reach beyond the section.
func (s *Section) FDESubsection() Span {
	return Span{
		s.HeaderEnd() + int64(s.header.FDEOff),
		int64(s.header.NumFDEs) * int64(s.format.FDESize),
	}
}

// FRESubsection returns the bytes that the header gives to the FREs. It may
// reach beyond the section.
func (s *Section) FRESubsection() Span {
	return Span{s.HeaderEnd() + int64(s.header.FREOff), int64(s.header.FRELen)}
}

// Bytes returns a copy of the bytes of a span, cut to the section.
func (s *Section) Bytes(sp Span) []byte {
	sp = sp.Clip(s.Size())
	return append([]byte(nil), s.data[sp.Off:sp.End()]...)
}

// Window returns 8 bytes of the FRE sub-section from an offset in it on, the first one
// lowest; 0 for those after its end. It is for loops over many FREs, to which
// [FDE.StartFREOff] points.
func (s *Section) Window(at int) uint64 {
	if b := s.fres.b; at >= 0 && at < len(b) {
		return number.Window(b[at:])
	}
	return 0
}

// NumFDEs returns the number of FDEs that could be decoded; the header's own
// count is Header().NumFDEs.
func (s *Section) NumFDEs() int { return s.counts.numFDEs }

// NumFREs returns the number of FREs that could be decoded, summed over the
// FDEs.
func (s *Section) NumFREs() int { return s.counts.numFREs }

// ClaimedFREs returns the sum of the FDEs' own counts of FREs. The header's
// is Header().NumFREs.
func (s *Section) ClaimedFREs() uint64 { return s.counts.claimedFREs }

// Gaps returns the runs of bytes that belong to nothing, in their order.
func (s *Section) Gaps() []Gap { return append([]Gap(nil), s.gaps...) }

// StartsAscend reports whether the FDEs are in the order of their places
// and resolved starts.
func (s *Section) StartsAscend() bool { return s.counts.ordered }

// Disjoint reports whether, besides, no two functions share a byte or a start.
func (s *Section) Disjoint() bool { return s.counts.disjoint }
