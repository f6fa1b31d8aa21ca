package reader

import (
	"errors"
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/model"
)

// FaultCode names what stopped the decoding of a part of the input.
type FaultCode uint8

// Faults of a section. Spans count from the start of the section.
const (
	// TooShort: the section ends inside the header. Want: bytes needed, Got:
	// bytes that exist.
	TooShort FaultCode = iota + 1
	// BadMagic: the first two bytes are not SFRAME_MAGIC in either byte order.
	// Got: the two bytes, read as little-endian.
	BadMagic
	// UnknownVersion: nothing after the header can be decoded. Got: the version.
	UnknownVersion
	// AuxBeyondEnd: the auxiliary header ends beyond the section. Want: its
	// end, Got: the section's size.
	AuxBeyondEnd
	// FDEsBeyondEnd: the FDE sub-section ends beyond the section. Want: its
	// end, Got: the section's size.
	FDEsBeyondEnd
	// FREsBeyondEnd: the FRE sub-section ends beyond the section. Want: its
	// end, Got: the section's size.
	FREsBeyondEnd
	// FREOffBeyond: an FDE's start_fre_off is beyond the FRE sub-section. Want:
	// bytes that exist, Got: the offset.
	FREOffBeyond
	// AttrTruncated: a V3 attribute does not fit in the FRE sub-section.
	AttrTruncated
	// FRETruncated: an FRE does not fit in the FRE sub-section. Want: FREs
	// claimed, Got: FREs decoded.
	FRETruncated
	// FRETypeUndefined: the start offsets of the FDE's FREs have no known width. Got: the type.
	FRETypeUndefined
	// WordSizeUndefined: an FRE's words have no known size; the FREs after it
	// can't be found. Got: the code.
	WordSizeUndefined
	// FREsShared: the FREs were not decoded, as the FDEs together claim more
	// than twice the bytes of the FRE sub-section. In version 3 those of an attribute that
	// several FDEs share are decoded.
	FREsShared
	// FaultsCut replaces the faults above a fixed number. Got: their number.
	FaultsCut
)

// Faults of a container. Spans count from the start of the ELF file or the
// archive.
const (
	// ELFDamaged: the ELF structure can't be followed. Detail says where.
	ELFDamaged FaultCode = iota + 64
	// SectionBeyondEnd: the .sframe section ends beyond the file. Want: its
	// end, Got: the file's size.
	SectionBeyondEnd
	// SectionTooLarge: the section is larger than Limits[MaxSection].
	SectionTooLarge
	// SectionCompressed: SHF_COMPRESSED is set; no consumer decompresses .sframe.
	SectionCompressed
	// SectionNoBits: the type is SHT_NOBITS: the file does not contain the bytes.
	SectionNoBits
	// RelocsDamaged: the relocation section can't be read. Detail says why.
	RelocsDamaged
	// ArchiveDamaged: the archive's member headers can't be followed
	// further, or a package or what is compressed can't be read to its end.
	// The span of the latter is empty. Detail says why.
	ArchiveDamaged
	// MemberUnreadable: a thin archive's member can't be opened. Detail: the
	// error.
	MemberUnreadable
	// BudgetExceeded: a part of the input was not read because of a limit. Detail names both. Got: 1 + the
	// index in Limits, 0 if it is not known.
	BudgetExceeded
	// SectionContradicted: the header of a section that rules use contradicts the file.
	// Detail names the section and says why.
	SectionContradicted
	// OtherMachine: the format has no ABI for the file; its sections were read
	// nevertheless. Detail: class and machine.
	OtherMachine
)

// Fault is one reason why a part of the input could not be decoded.
type Fault struct {
	Code      FaultCode
	Span      model.Span // the faulty bytes, inside the input
	FDE, FRE  int        // -1 for none
	Want, Got uint64     // see the code
	Detail    string
}

// overrun returns Got of [BudgetExceeded].
func overrun(err error) uint64 {
	if e := new(budget.Exceeded); errors.As(err, &e) {
		return uint64(e.Kind) + 1
	}
	return 0
}

// Summary returns a phrase on why a container's section was not read.
func (f Fault) Summary() string {
	switch f.Code {
	case SectionBeyondEnd:
		return ".sframe lies beyond the end of the file"
	case SectionTooLarge:
		return ".sframe is larger than the limit"
	case SectionCompressed:
		return ".sframe is compressed"
	case SectionNoBits:
		return ".sframe has no bytes in the file"
	}
	return f.Detail
}

func (f Fault) String() string {
	return fmt.Sprintf("fault %d at %v (FDE %d, FRE %d, want %d, got %d) %s", f.Code, f.Span, f.FDE, f.FRE, f.Want, f.Got, f.Detail)
}
