package cfi

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

// FaultCode is what stopped the decoding of a part of the section.
type FaultCode uint8

// The fault codes. A fault's span is relative to the start of the section.
const (
	// NoFault means that nothing stopped the decoding.
	NoFault FaultCode = iota

	// LengthBeyondEnd is an entry that extends beyond the end of the section. Nothing after its length is decoded.
	// Want is the length, and Got is the number of bytes left.
	LengthBeyondEnd
	// LengthTooShort is an entry that is too short for its CIE pointer. Got is the length.
	LengthTooShort
	// LengthReserved is a length from 0xfffffff0 to 0xfffffffe. Got is the length.
	LengthReserved
	// TrailingBytes means that the section ends within a length. Got is the number of bytes left.
	TrailingBytes

	// TooManyCIEs means that the section has more than MaxCIEs CIEs. The remaining CIEs are not decoded.
	TooManyCIEs
	// CIETruncated is a CIE that ends within its header.
	CIETruncated
	// CIEVersion is a version other than 1, 3 and 4. Got is the version.
	CIEVersion
	// CIEAugmentation is an undefined letter in the augmentation. Nothing after the augmentation can be decoded. Got
	// is the letter.
	CIEAugmentation
	// CIEAddressSize is an address size other than 8, or a segment selector size above 8. Got is the size.
	CIEAddressSize
	// CIERegister is a number of the RA column that does not fit in 32 bits.
	CIERegister

	// NoCIE is an FDE whose CIE pointer does not point to a CIE. Got is the offset to which the CIE pointer points.
	NoCIE
	// BadCIE is an FDE whose CIE could not be decoded.
	BadCIE
	// FDETruncated is an FDE that ends before its program.
	FDETruncated
	// BadEncoding is a pointer encoding that is undefined, or not allowed for its field. Got is the encoding.
	BadEncoding
	// RangeWraps means that the sum of start and size does not fit in 64 bits. Got is the size.
	RangeWraps

	// OpcodeUnknown is an opcode that the ABI does not define, so the length of its operands is unknown. Got is the
	// opcode.
	OpcodeUnknown
	// OperandTruncated is a program that ends within an instruction.
	OperandTruncated
	// RegisterTooLarge is a register number that does not fit in 32 bits. Got is the number.
	RegisterTooLarge
	// StackEmpty is a DW_CFA_restore_state without a remembered state.
	StackEmpty
	// StackTooDeep means that a program remembers more than MaxRemembered states.
	StackTooDeep
	// LocationBackwards is a DW_CFA_set_loc to a lower address. Got is the address.
	LocationBackwards
	// LocationUnresolved is a DW_CFA_set_loc whose address is unknown, or is in another section than the function.
	LocationUnresolved
	// LocationWraps is an advance beyond the end of the address space.
	LocationWraps
	// LocationInCIE means that the program of a CIE changes the location.
	LocationInCIE

	// HdrTruncated means that .eh_frame_hdr ends before its table.
	HdrTruncated
	// HdrVersion is a version of .eh_frame_hdr other than 1. Got is the version.
	HdrVersion
	// HdrTableBeyondEnd means that the table of .eh_frame_hdr does not fit in the section. Want is the stated number
	// of entries, and Got is the number that fit.
	HdrTableBeyondEnd

	// FaultsCut stands for all faults after the first maxFaults. Got is their number.
	FaultsCut
)

var faultNames = [...]string{
	NoFault: "no fault", LengthBeyondEnd: "entry reaches beyond the section",
	LengthTooShort: "entry is too short", LengthReserved: "reserved length",
	TrailingBytes: "trailing bytes", TooManyCIEs: "too many CIEs", CIETruncated: "CIE is cut off",
	CIEVersion: "CIE version is not supported", CIEAugmentation: "unknown augmentation",
	CIEAddressSize: "address size is not supported", CIERegister: "RA column is too large",
	NoCIE: "CIE pointer does not point to a CIE", BadCIE: "CIE cannot be decoded",
	FDETruncated: "FDE is cut off", BadEncoding: "bad pointer encoding",
	RangeWraps: "range leaves the address space", OpcodeUnknown: "unknown opcode",
	OperandTruncated: "instruction is cut off", RegisterTooLarge: "register number is too large",
	StackEmpty: "no state to restore", StackTooDeep: "too many states are remembered",
	LocationBackwards: "location goes back", LocationUnresolved: "location is unknown",
	LocationWraps: "location leaves the address space", LocationInCIE: "CIE changes the location",
	HdrTruncated: "header is cut off", HdrVersion: "version is not supported",
	HdrTableBeyondEnd: "table is cut off", FaultsCut: "further faults",
}

func (c FaultCode) String() string {
	if int(c) < len(faultNames) {
		return faultNames[c]
	}
	return fmt.Sprintf("fault %d", uint8(c))
}

// Fault is one reason why a part of the section could not be decoded.
type Fault struct {
	Code      FaultCode
	Span      model.Span // the faulty bytes, relative to the start of the section
	Want, Got uint64     // as described at the code
}

func (f Fault) String() string {
	return fmt.Sprintf("%v at %v (want %d, got %#x)", f.Code, f.Span, f.Want, f.Got)
}

// maxFaults bounds the faults that a section keeps.
const maxFaults = 1000

// fault notes a fault of the section.
func (s *Section) fault(code FaultCode, at model.Span, want, got uint64) {
	switch n := len(s.faults); {
	case n < maxFaults:
		s.hold(faultCost)
		s.faults = append(s.faults, Fault{code, at, want, got})
	case n == maxFaults:
		s.faults = append(s.faults, Fault{Code: FaultsCut, Span: at, Got: 1})
	default:
		s.faults[n-1].Got++
	}
}

// Ends reports whether a fault of this code ends the section: nothing after the faulty entry can be decoded.
func (c FaultCode) Ends() bool {
	return c == LengthBeyondEnd || c == LengthReserved || c == TrailingBytes
}
