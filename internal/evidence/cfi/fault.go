package cfi

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

// FaultCode names what stopped the decoding of a part of the section.
type FaultCode uint8

// Faults. Spans count from the start of the section.
const (
	// NoFault: nothing stopped the decoding.
	NoFault FaultCode = iota

	// LengthBeyondEnd: an entry ends beyond the section; nothing after its
	// length is decoded. Want: the length, Got: bytes left.
	LengthBeyondEnd
	// LengthTooShort: an entry has no room for its CIE pointer. Got: the length.
	LengthTooShort
	// LengthReserved: a length from 0xfffffff0 to 0xfffffffe. Got: the length.
	LengthReserved
	// TrailingBytes: the section ends inside a length. Got: bytes left.
	TrailingBytes

	// TooManyCIEs: the section has more than MaxCIEs CIEs; the others are not
	// decoded.
	TooManyCIEs
	// CIETruncated: the CIE ends inside its header.
	CIETruncated
	// CIEVersion: the version is not 1, 3 or 4. Got: the version.
	CIEVersion
	// CIEAugmentation: the augmentation has an undefined letter, and what
	// follows it cannot be decoded. Got: the letter.
	CIEAugmentation
	// CIEAddressSize: the size of an address is not 8, or that of a segment
	// selector is above 8. Got: the size.
	CIEAddressSize
	// CIERegister: the number of the RA column does not fit 32 bits.
	CIERegister

	// NoCIE: the CIE pointer of an FDE does not point to a CIE. Got: the
	// offset that it points to.
	NoCIE
	// BadCIE: the CIE of an FDE could not be decoded.
	BadCIE
	// FDETruncated: the FDE ends before its program.
	FDETruncated
	// BadEncoding: a pointer encoding is undefined or not allowed for its
	// field. Got: the encoding.
	BadEncoding
	// RangeWraps: start and size do not fit 64 bits. Got: the size.
	RangeWraps

	// OpcodeUnknown: the opcode is undefined for the ABI; its operands have no
	// known length. Got: the opcode.
	OpcodeUnknown
	// OperandTruncated: the program ends inside an instruction.
	OperandTruncated
	// RegisterTooLarge: a register number does not fit 32 bits. Got: the
	// number.
	RegisterTooLarge
	// StackEmpty: DW_CFA_restore_state without a remembered state.
	StackEmpty
	// StackTooDeep: more than MaxRemembered states are remembered.
	StackTooDeep
	// LocationBackwards: DW_CFA_set_loc goes back. Got: the address.
	LocationBackwards
	// LocationUnresolved: the address of DW_CFA_set_loc is unknown or is not
	// in the section of the function.
	LocationUnresolved
	// LocationWraps: an advance leaves the address space.
	LocationWraps
	// LocationInCIE: the program of a CIE changes the location.
	LocationInCIE

	// HdrTruncated: .eh_frame_hdr ends before its table.
	HdrTruncated
	// HdrVersion: the version is not 1. Got: the version.
	HdrVersion
	// HdrTableBeyondEnd: the table does not fit. Want: entries claimed, Got:
	// entries that exist.
	HdrTableBeyondEnd

	// FaultsCut replaces the faults above maxFaults. Got: their number.
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
	Want, Got uint64     // see the code
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

// Ends reports whether nothing after an entry with this fault can be decoded.
func (c FaultCode) Ends() bool {
	return c == LengthBeyondEnd || c == LengthReserved || c == TrailingBytes
}
