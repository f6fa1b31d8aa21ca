package model

import "fmt"

// SFRAME_MAGIC is the first two bytes of every section, in the byte order of the target ("SFrame Preamble").
const SFRAME_MAGIC = 0xdee2

// Flags is sfp_flags ("SFrame Flags").
type Flags uint8

// Flags of a section. V3 does not define SFRAME_F_FRAME_POINTER. Errata 1 of V2 added SFRAME_F_FDE_FUNC_START_PCREL.
const (
	SFRAME_F_FDE_SORTED           Flags = 0x1
	SFRAME_F_FRAME_POINTER        Flags = 0x2
	SFRAME_F_FDE_FUNC_START_PCREL Flags = 0x4
)

var flagNames = [...]struct {
	flag Flags
	name string
}{
	{SFRAME_F_FDE_SORTED, "SFRAME_F_FDE_SORTED"},
	{SFRAME_F_FRAME_POINTER, "SFRAME_F_FRAME_POINTER"},
	{SFRAME_F_FDE_FUNC_START_PCREL, "SFRAME_F_FDE_FUNC_START_PCREL"},
}

// Names returns the specification's names of the flags that are set, and the
// other bits in hexadecimal.
func (f Flags) Names() []string {
	var out []string
	for _, x := range flagNames {
		if f&x.flag != 0 {
			out = append(out, x.name)
			f &^= x.flag
		}
	}
	if f != 0 {
		out = append(out, fmt.Sprintf("0x%x", uint8(f)))
	}
	return out
}

// PCType is how a PC is compared with the starts of FREs ("The SFrame FDE PC Types"). The manuals of V1 and V2 call
// it the FDE type.
type PCType uint8

// PC types.
const (
	SFRAME_FDE_PCTYPE_INC  PCType = 0
	SFRAME_FDE_PCTYPE_MASK PCType = 1
)

func (t PCType) String() string {
	if t == SFRAME_FDE_PCTYPE_MASK {
		return "MASK"
	}
	return "INC"
}

// FDEType is how the data words of an FDE's FREs are interpreted (V3, "The
// SFrame FDE Types").
type FDEType uint8

// FDE types. V1 and V2 have only the default type.
const (
	SFRAME_FDE_TYPE_DEFAULT FDEType = 0
	SFRAME_FDE_TYPE_FLEX    FDEType = 1
)

func (t FDEType) String() string {
	switch t {
	case SFRAME_FDE_TYPE_DEFAULT:
		return "DEFAULT"
	case SFRAME_FDE_TYPE_FLEX:
		return "FLEX"
	}
	return fmt.Sprintf("FDE type %d", uint8(t))
}

// FREType is the width of an FRE's start offset ("The SFrame FRE Types").
type FREType uint8

// FRE types: 1, 2 or 4 bytes of start offset.
const (
	SFRAME_FRE_TYPE_ADDR1 FREType = 0
	SFRAME_FRE_TYPE_ADDR2 FREType = 1
	SFRAME_FRE_TYPE_ADDR4 FREType = 2
)

// Width returns the size of the start offset in bytes, or 0 for an undefined type.
func (t FREType) Width() int { return width(uint8(t)) }

// MaxStart returns the largest start offset of the type, in bytes.
func (t FREType) MaxStart() uint32 { return mask(uint8(t)) }

// FRETypeFor returns the narrowest type for FREs of which the last one starts at this offset, in bytes.
func FRETypeFor(last uint32) (t FREType) {
	for last > t.MaxStart() {
		t++
	}
	return t
}

func (t FREType) String() string {
	if w := t.Width(); w > 0 {
		return fmt.Sprintf("ADDR%d", w)
	}
	return fmt.Sprintf("FRE type %d", uint8(t))
}

// WordSize is the code of a data word's size in an FRE's info byte
// ("The SFrame FRE Info Word").
type WordSize uint8

// Word sizes: 1, 2 or 4 bytes. V2 calls the words stack offsets.
const (
	SFRAME_FRE_DATAWORD_1B WordSize = 0
	SFRAME_FRE_DATAWORD_2B WordSize = 1
	SFRAME_FRE_DATAWORD_4B WordSize = 2
)

// Width returns the size of a data word in bytes, or 0 for the undefined code 3.
func (w WordSize) Width() int { return width(uint8(w)) }

// Mask returns a mask of the bits of a word of this size.
func (w WordSize) Mask() uint32 { return mask(uint8(w)) }

// width returns the bytes that a code of 0, 1 or 2 stands for, 0 for another one.
func width(code uint8) int {
	if code > 2 {
		return 0
	}
	return 1 << code
}

// mask returns a mask of the bits of as many bytes.
func mask(code uint8) uint32 { return uint32(1<<(8<<min(code, 2)) - 1) }

// BaseReg is the CFA base of a default-type FRE.
type BaseReg uint8

// CFA base registers.
const (
	SFRAME_BASE_REG_FP BaseReg = 0
	SFRAME_BASE_REG_SP BaseReg = 1
)

func (b BaseReg) String() string {
	if b == SFRAME_BASE_REG_SP {
		return "SP"
	}
	return "FP"
}

// PauthKey is the AArch64 key that signs return addresses.
type PauthKey uint8

// Pointer authentication keys.
const (
	SFRAME_AARCH64_PAUTH_KEY_A PauthKey = 0
	SFRAME_AARCH64_PAUTH_KEY_B PauthKey = 1
)

// Numbers of the s390x ABI ("s390x"). The CFA is SP at the call site + 160. In FREs of the default type, the CFA
// offset is reduced by 160 and divided by 8.
const (
	SFRAME_S390X_SP_VAL_OFFSET               = -160
	SFRAME_S390X_CFA_OFFSET_ADJUSTMENT       = -160
	SFRAME_S390X_CFA_OFFSET_ALIGNMENT_FACTOR = 8
	SFRAME_FRE_RA_OFFSET_INVALID             = 0
)

// MaxWords is the largest number of data words that an FRE's info byte can count.
const MaxWords = 15

// Bits of the FDE info byte, of the second FDE info byte (V3), and of the FRE info byte.
const (
	InfoFRETypeMask  = 0x0f
	InfoPCTypeBit    = 0x10
	InfoPauthKeyBit  = 0x20
	InfoSignalBit    = 0x80 // V3
	Info2FDETypeMask = 0x1f
	Info2Reserved    = 0xe0

	FREInfoBaseBit    = 0x01
	FREInfoCountShift = 1
	FREInfoSizeShift  = 5
	FREInfoMangledBit = 0x80
)

// Parts of a flexible FDE's control word ("Flexible FDE").
const (
	FlexRegP     = 1 << 0
	FlexDerefP   = 1 << 1
	FlexReserved = 1 << 2
	FlexRegShift = 3
)
