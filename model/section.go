package model

import "encoding/binary"

// Header holds the fields of the section's header as they stand on disk
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

// fdeRec is an FDE without its rows. Kept small: there is one for each
// function of a program.
type fdeRec struct {
	start    uint64 // resolved
	rawStart int64  // the field
	size     uint32
	freOff   uint32
	claimed  uint32 // num_fres
	firstFRE uint32 // index into fres
	decoded  uint32 // rows had, from firstFRE on
	place    uint32 // see FDE.Place
	padding  uint16
	info     uint8
	info2    uint8
	rep      uint8
	state    uint8
}

// States of an fdeRec.
const (
	fdeHasAttr  = 1 << 0 // V3: the attribute could be read
	fdeResolved = 1 << 1 // start is an address and not a guess
)

// freRec is an FRE; its words stand in Section.words from word on.
type freRec struct {
	start uint32
	off   uint32 // from the beginning of the FRE sub-section
	word  uint32
	info  uint8
}

// Section is an SFrame section: immutable, safe for concurrent use.
type Section struct {
	header Header
	abi    *ABIInfo // never nil; a blank one for an unknown ABI
	big    bool
	addr   uint64
	size   int64
	aux    []byte
	fdes   []fdeRec
	fres   []freRec
	words  []int32
	gaps   []Gap

	// ordered: the starts ascend, so that a look-up may bisect; disjoint:
	// no two functions share a byte or a start besides.
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

// ABI returns the table of the section's ABI; for an unknown identifier one
// whose Known method says no.
func (s *Section) ABI() *ABIInfo { return s.abi }

// BigEndian tells the byte order of the section, as its magic shows it.
func (s *Section) BigEndian() bool { return s.big }

// ByteOrder returns the byte order of the section.
func (s *Section) ByteOrder() binary.ByteOrder {
	if s.big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// Addr returns the virtual address of the section's first byte; 0 where it
// has none yet.
func (s *Section) Addr() uint64 { return s.addr }

// Size returns the bytes of the section.
func (s *Section) Size() int64 { return s.size }

// Aux returns a copy of the auxiliary header.
func (s *Section) Aux() []byte { return append([]byte(nil), s.aux...) }

// HeaderSpan returns the bytes of the header, without the auxiliary one.
func (s *Section) HeaderSpan() Span { return Span{0, HeaderSize}.Clip(s.size) }

// AuxSpan returns the bytes of the auxiliary header, cut to the section.
func (s *Section) AuxSpan() Span {
	return Span{HeaderSize, int64(s.header.AuxLen)}.Clip(s.size)
}

// HeaderEnd returns the offset that sfh_fdeoff and sfh_freoff count from.
func (s *Section) HeaderEnd() int64 { return HeaderSize + int64(s.header.AuxLen) }

// FDESubsection returns the bytes that the header gives to the FDEs. It may
// reach beyond the section.
func (s *Section) FDESubsection() Span {
	return Span{
		s.HeaderEnd() + int64(s.header.FDEOff),
		int64(s.header.NumFDEs) * int64(FDESize(s.header.Version)),
	}
}

// FRESubsection returns the bytes that the header gives to the FREs. It may
// reach beyond the section.
func (s *Section) FRESubsection() Span {
	return Span{s.HeaderEnd() + int64(s.header.FREOff), int64(s.header.FRELen)}
}

// NumFDEs returns the number of FDEs that could be had; the header's own
// count is Header().NumFDEs.
func (s *Section) NumFDEs() int { return len(s.fdes) }

// NumFREs returns the number of FREs that could be had, each counted once
// however many FDEs share it.
func (s *Section) NumFREs() int { return len(s.fres) }

// FDE returns the i-th FDE of the section, 0 <= i < NumFDEs().
func (s *Section) FDE(i int) FDE { return FDE{s, &s.fdes[i], int32(i)} }

// Gaps returns the runs of bytes that belong to nothing, in their order.
func (s *Section) Gaps() []Gap { return append([]Gap(nil), s.gaps...) }

// StartsAscend tells whether the FDEs stand in the order of their places
// and resolved starts.
func (s *Section) StartsAscend() bool { return s.ordered }

// Errata2 tells whether a row without data words is legal: V2 since its
// second errata, and V3. It then says that RA is undefined.
func (v Version) Errata2() bool { return v == SFRAME_VERSION_2 || v == SFRAME_VERSION_3 }
