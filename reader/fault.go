package reader

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

// FaultCode names what stopped the decoding of a part of the input.
type FaultCode uint8

// Faults of a section. Spans count from the start of the section.
const (
	// TooShort: the section ends inside the header. Want: bytes needed,
	// Got: bytes there.
	TooShort FaultCode = iota + 1
	// BadMagic: neither byte order gives SFRAME_MAGIC. Got: the two bytes,
	// read as little-endian.
	BadMagic
	// UnknownVersion: nothing beyond the header can be read. Got: the version.
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
	// FREOffBeyond: an FDE's start_fre_off leaves no room in the FRE
	// sub-section. Want: bytes that are there, Got: the offset.
	FREOffBeyond
	// AttrTruncated: a V3 attribute does not fit in the FRE sub-section.
	AttrTruncated
	// FRETruncated: a row does not fit in the FRE sub-section. Want: rows
	// claimed, Got: rows decoded.
	FRETruncated
	// FRETypeUndefined: the FDE's rows have no known width. Got: the type.
	FRETypeUndefined
	// WordSizeUndefined: a row's words have no known size; the rows after
	// it can't be found. Got: the code.
	WordSizeUndefined
	// FREsShared: the rows were not decoded again, as the FDEs together
	// claim the FRE sub-section more than twice over.
	FREsShared
	// FaultsCut replaces the faults beyond a fixed number. Got: how many.
	FaultsCut
)

// Faults of a container. Spans count from the start of the ELF file or the
// archive.
const (
	// ELFDamaged: the ELF structure can't be followed. Detail says where.
	ELFDamaged FaultCode = iota + 64
	// SectionBeyondEnd: the .sframe section's bytes reach beyond the file.
	// Want: its end, Got: the file's size.
	SectionBeyondEnd
	// SectionTooLarge: the section is larger than Options.MaxSection.
	SectionTooLarge
	// SectionCompressed: SHF_COMPRESSED is set; nobody inflates .sframe.
	SectionCompressed
	// SectionNoBits: SHT_NOBITS, there are no bytes in the file.
	SectionNoBits
	// RelocsDamaged: the relocation section can't be read. Detail says why.
	RelocsDamaged
	// ArchiveDamaged: the archive's member headers can't be followed
	// further. Detail says why.
	ArchiveDamaged
	// MemberUnreadable: a thin archive's member can't be opened. Detail: the
	// error.
	MemberUnreadable
	// BudgetExceeded: something was not read because of Options.Budget. Detail
	// names it and the budget.
	BudgetExceeded
	// SectionContradicted: the file does not have a section that rules look at as its header
	// says. Detail names it and says why.
	SectionContradicted
	// OtherMachine: the format has no ABI for the file, whose sections were read
	// all the same. Detail: class and machine.
	OtherMachine
)

// Fault is one reason why a part of the input could not be decoded.
type Fault struct {
	Code      FaultCode
	Span      model.Span // the bytes to blame, inside the input
	FDE, FRE  int        // -1 where the fault is in none
	Want, Got uint64     // see the code
	Detail    string
}

// Summary returns a phrase on what kept a container's section from being read.
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
