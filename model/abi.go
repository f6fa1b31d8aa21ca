package model

import (
	"debug/elf"
	"fmt"
)

// ABIInfo is all that differs from one ABI to the next
// ("ABI/arch-specific Definition").
type ABIInfo struct {
	ID      ABI
	Name    string      // as the field calls it: AMD64, AArch64, s390x
	Spec    string      // the specification's constant
	Machine elf.Machine // e_machine
	Big     bool        // byte order

	SP, FP, RA uint32 // DWARF register numbers
	// AddrRegs are the registers that may be a base: DWARF numbers below it.
	// HoldRegs may keep RA or FP; s390x leaf functions use f0 to f15 too.
	AddrRegs, HoldRegs uint32
	SPName             string
	FPName             string

	FixedRA int8 // sfh_cfa_fixed_ra_offset; 0: RA is tracked in the rows
	FixedFP int8 // sfh_cfa_fixed_fp_offset

	// MaxWords is the largest number of data words of a default-type row. Rows
	// have at least 1 word; 0 words are legal from errata 2 of V2 on.
	MaxWords int

	CFAScale  int64 // a default row's CFA offset is Scale*word + Adjust
	CFAAdjust int64
	SPOffset  int64 // caller's SP = CFA + SPOffset

	EntryCFA  int64 // CFA - SP on entry to a function
	RedZone   int64 // bytes below SP that a function may use
	SlotAlign int64 // bytes that a saved register's slot is aligned to
	CFAAlign  int64 // bytes that a CFA offset is aligned to
	MinInsn   int64 // bytes that every instruction's address is a multiple of

	Pauth     bool // signs return addresses: key and mangled bits have a meaning
	RAPadding bool // V2 and V3: RA word 0 stands in for "not saved"
	LSBRegs   bool // V2: an odd RA or FP word is a register

	// Relocations that may stand on a start field, by its width.
	Reloc32, Reloc64, RelocNone uint32
}

// abiTable is the one place where the ABIs differ. It is handed out by value
// only: a caller can't change it.
var abiTable = map[ABI]*ABIInfo{
	SFRAME_ABI_AARCH64_ENDIAN_BIG:    aarch64(SFRAME_ABI_AARCH64_ENDIAN_BIG, "SFRAME_ABI_AARCH64_ENDIAN_BIG", true),
	SFRAME_ABI_AARCH64_ENDIAN_LITTLE: aarch64(SFRAME_ABI_AARCH64_ENDIAN_LITTLE, "SFRAME_ABI_AARCH64_ENDIAN_LITTLE", false),
	SFRAME_ABI_AMD64_ENDIAN_LITTLE: {
		ID: SFRAME_ABI_AMD64_ENDIAN_LITTLE, Name: "AMD64", Spec: "SFRAME_ABI_AMD64_ENDIAN_LITTLE",
		Machine: elf.EM_X86_64,
		SP:      7, FP: 6, RA: 16, AddrRegs: 16, HoldRegs: 16, SPName: "rsp", FPName: "rbp",
		FixedRA:  -8,
		MaxWords: 2,
		CFAScale: 1,
		EntryCFA: 8, RedZone: 128, SlotAlign: 8, CFAAlign: 8, MinInsn: 1,
		Reloc32: uint32(elf.R_X86_64_PC32), Reloc64: uint32(elf.R_X86_64_PC64),
	},
	SFRAME_ABI_S390X_ENDIAN_BIG: {
		ID: SFRAME_ABI_S390X_ENDIAN_BIG, Name: "s390x", Spec: "SFRAME_ABI_S390X_ENDIAN_BIG",
		Machine: elf.EM_S390, Big: true,
		SP: 15, FP: 11, RA: 14, AddrRegs: 16, HoldRegs: 32, SPName: "r15", FPName: "r11",
		MaxWords: 3,
		CFAScale: SFRAME_S390X_CFA_OFFSET_ALIGNMENT_FACTOR, CFAAdjust: -SFRAME_S390X_CFA_OFFSET_ADJUSTMENT,
		SPOffset: SFRAME_S390X_SP_VAL_OFFSET,
		EntryCFA: 160, SlotAlign: 8, CFAAlign: 8, MinInsn: 2,
		RAPadding: true, LSBRegs: true,
		Reloc32: uint32(elf.R_390_PC32), Reloc64: uint32(elf.R_390_PC64),
	},
}

func aarch64(id ABI, spec string, big bool) *ABIInfo {
	return &ABIInfo{
		ID: id, Name: "AArch64", Spec: spec,
		Machine: elf.EM_AARCH64, Big: big,
		SP: 31, FP: 29, RA: 30, AddrRegs: 32, HoldRegs: 32, SPName: "sp", FPName: "x29",
		MaxWords: 3,
		CFAScale: 1,
		EntryCFA: 0, SlotAlign: 8, CFAAlign: 16, MinInsn: 4,
		Pauth:   true,
		Reloc32: uint32(elf.R_AARCH64_PREL32), Reloc64: uint32(elf.R_AARCH64_PREL64),
	}
}

// LookupABI returns the facts of an ABI identifier; for an unknown one blank
// facts whose Known method reports false.
func LookupABI(id ABI) ABIInfo { return *lookupABI(id) }

func lookupABI(id ABI) *ABIInfo {
	if a := abiTable[id]; a != nil {
		return a
	}
	return &ABIInfo{ID: id, Name: fmt.Sprintf("ABI %d", uint8(id)), CFAScale: 1, SlotAlign: 1, CFAAlign: 1, MinInsn: 1}
}

// LookupMachine returns the ABI of an ELF machine and byte order; where the
// format has none, blank facts whose Known method reports false.
func LookupMachine(m elf.Machine, big bool) ABIInfo {
	for id := SFRAME_ABI_AARCH64_ENDIAN_BIG; id <= SFRAME_ABI_S390X_ENDIAN_BIG; id++ {
		if a := abiTable[id]; a.Machine == m && a.Big == big {
			return *a
		}
	}
	return *lookupABI(0)
}

// ABIs returns the facts of all ABIs, by identifier.
func ABIs() []ABIInfo {
	return []ABIInfo{*abiTable[1], *abiTable[2], *abiTable[3], *abiTable[4]}
}

// Known reports whether the format defines the ABI.
func (a ABIInfo) Known() bool { return a.Spec != "" }

// InVersion tells whether version v of the format knows the ABI: s390x came
// with errata 1 of V2.
func (a ABIInfo) InVersion(v Version) bool {
	return a.Known() && (a.ID != SFRAME_ABI_S390X_ENDIAN_BIG || v >= SFRAME_VERSION_2)
}

// TracksRA tells whether the rows say where RA is.
func (a ABIInfo) TracksRA() bool { return a.FixedRA == 0 }

// ValidWords tells whether a default-type row of version v may have n words.
func (a ABIInfo) ValidWords(v Version, n int) bool {
	if n == 0 {
		return v.Errata2()
	}
	return n <= a.MaxWords
}

// RelocName returns the name of a relocation type of the ABI's machine.
func (a ABIInfo) RelocName(typ uint32) string {
	switch a.Machine {
	case elf.EM_X86_64:
		return elf.R_X86_64(typ).String()
	case elf.EM_AARCH64:
		return elf.R_AARCH64(typ).String()
	case elf.EM_S390:
		return elf.R_390(typ).String()
	}
	return fmt.Sprintf("type %d", typ)
}

// RegName returns a register's name by its DWARF number.
func (a ABIInfo) RegName(reg uint32) string {
	switch {
	case reg == a.SP && a.SPName != "":
		return a.SPName
	case reg == a.FP && a.FPName != "":
		return a.FPName
	case a.ID == SFRAME_ABI_AMD64_ENDIAN_LITTLE && reg < uint32(len(amd64Regs)):
		return amd64Regs[reg]
	case a.Machine == elf.EM_AARCH64 && reg <= 30:
		return fmt.Sprintf("x%d", reg)
	case a.ID == SFRAME_ABI_S390X_ENDIAN_BIG && reg < 16:
		return fmt.Sprintf("r%d", reg)
	case a.ID == SFRAME_ABI_S390X_ENDIAN_BIG && reg < 32:
		return s390xFPRs[reg-16]
	}
	return fmt.Sprintf("reg%d", reg)
}

var amd64Regs = [...]string{"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip"}

// DWARF numbers the s390x floating-point registers by pairs.
var s390xFPRs = [...]string{"f0", "f2", "f4", "f6", "f1", "f3", "f5", "f7",
	"f8", "f10", "f12", "f14", "f9", "f11", "f13", "f15"}
