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
	Since   Version     // the first version of the format that defines it

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

	// FrameRecord says that FP points to the caller's FP, and RA after it.
	FrameRecord bool

	Pauth     bool // signs return addresses: key and mangled bits have a meaning
	RAPadding bool // V2 and V3: RA word 0 means "not saved"
	LSBRegs   bool // V2: an odd RA or FP word is a register

	// Relocations that a start field may have, by its width.
	Reloc32, Reloc64 uint32
	// Relocations that do nothing; AArch64 has a second number for them, from
	// a draft of its ABI.
	RelocNone, RelocNull uint32

	BFDTarget      string // what binutils call the object format
	MappingSymbols bool   // symbols such as $x mark code and data
	HashWord       int    // bytes of a word of a DT_HASH table
	// CallNumber is the register with the number of a system call of Linux; below 0: the
	// instruction has it.
	CallNumber int
	sigreturn  [2]uint64
	// Instructions: one that does nothing, a return, one that traps, a call by
	// register, and one that lowers SP by 48 bytes.
	Nop, Return, Trap, Call, Reserve string

	regs *[]string // names by DWARF number
}

// abiTable is the one place where the ABIs differ. It is handed out by value
// only: a caller can't change it.
var abiTable = [...]*ABIInfo{
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
		BFDTarget: "elf64-x86-64", HashWord: 4, regs: &amd64Regs,
		CallNumber: 0, sigreturn: [2]uint64{15, 15},
		Nop: "\x90", Return: "\xc3", Trap: "\xf4", Call: "\xff\xd0", // nop, ret, hlt, call *%rax
		Reserve: "\x48\x83\xec\x30", // sub $48,%rsp
	},
	SFRAME_ABI_S390X_ENDIAN_BIG: {
		ID: SFRAME_ABI_S390X_ENDIAN_BIG, Name: "s390x", Spec: "SFRAME_ABI_S390X_ENDIAN_BIG",
		Machine: elf.EM_S390, Big: true,
		Since: SFRAME_VERSION_2, // errata 1
		SP:    15, FP: 11, RA: 14, AddrRegs: 16, HoldRegs: 32, SPName: "r15", FPName: "r11",
		MaxWords: 3,
		CFAScale: SFRAME_S390X_CFA_OFFSET_ALIGNMENT_FACTOR, CFAAdjust: -SFRAME_S390X_CFA_OFFSET_ADJUSTMENT,
		SPOffset: SFRAME_S390X_SP_VAL_OFFSET,
		EntryCFA: 160, SlotAlign: 8, CFAAlign: 8, MinInsn: 2,
		RAPadding: true, LSBRegs: true,
		Reloc32: uint32(elf.R_390_PC32), Reloc64: uint32(elf.R_390_PC64),
		BFDTarget: "elf64-s390", HashWord: 8, regs: &s390xRegs,
		CallNumber: -1, sigreturn: [2]uint64{173, 119},
		Nop: "\x07\x00", Return: "\x07\xfe", Trap: "\x00\x01", Call: "\x0d\xe1", // nopr, br %r14, basr %r14,%r1
		Reserve: "\xa7\xfb\xff\xd0", // aghi %r15,-48
	},
}

func aarch64(id ABI, spec string, big bool) *ABIInfo {
	a := &ABIInfo{
		ID: id, Name: "AArch64", Spec: spec,
		Machine: elf.EM_AARCH64, Big: big,
		SP: 31, FP: 29, RA: 30, AddrRegs: 32, HoldRegs: 32, SPName: "sp", FPName: "x29",
		MaxWords: 3,
		CFAScale: 1,
		EntryCFA: 0, SlotAlign: 8, CFAAlign: 16, MinInsn: 4,
		Pauth: true, FrameRecord: true,
		Reloc32: uint32(elf.R_AARCH64_PREL32), Reloc64: uint32(elf.R_AARCH64_PREL64), RelocNull: uint32(elf.R_AARCH64_NULL),
		BFDTarget: "elf64-littleaarch64", MappingSymbols: true, HashWord: 4, regs: &aarch64Regs,
		CallNumber: 8, sigreturn: [2]uint64{139, 139},
		// nop, ret, brk #0x3e8, blr x1, sub sp,sp,#48: little-endian whatever the data are
		Nop: "\x1f\x20\x03\xd5", Return: "\xc0\x03\x5f\xd6", Trap: "\x00\x7d\x20\xd4", Call: "\x20\x00\x3f\xd6",
		Reserve: "\xff\xc3\x00\xd1",
	}
	if big {
		a.BFDTarget = "elf64-bigaarch64"
	}
	return a
}

// LookupABI returns the facts of an ABI identifier; for an unknown one blank
// facts whose Known method reports false.
func LookupABI(id ABI) ABIInfo { return *lookupABI(id) }

func lookupABI(id ABI) *ABIInfo {
	if int(id) < len(abiTable) && abiTable[id] != nil {
		return abiTable[id]
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

// ABIsWith returns the ABIs that satisfy has.
func ABIsWith(has func(ABIInfo) bool) []ABI {
	var out []ABI
	for _, a := range ABIs() {
		if has(a) {
			out = append(out, a.ID)
		}
	}
	return out
}

// Known reports whether the format defines the ABI.
func (a ABIInfo) Known() bool { return a.Spec != "" }

// InVersion reports whether version v of the format defines the ABI.
func (a ABIInfo) InVersion(v Version) bool { return a.Known() && v >= a.Since }

// StartReloc returns the type of the relocation that the start fields of
// version v need.
func (a ABIInfo) StartReloc(v Version) uint32 {
	if v.info().StartWidth == 8 {
		return a.Reloc64
	}
	return a.Reloc32
}

// NoEffect reports whether relocations of a type do nothing. No type is known to be
// one of an unknown ABI.
func (a ABIInfo) NoEffect(typ uint32) bool {
	return a.Known() && (typ == a.RelocNone || typ == a.RelocNull)
}

// Sigreturn reports whether the system call of Linux with a number returns from a signal handler.
func (a ABIInfo) Sigreturn(n uint64) bool {
	return n != 0 && (n == a.sigreturn[0] || n == a.sigreturn[1])
}

// AlignsInsns reports whether instructions lie at multiples of more than one byte.
func (a ABIInfo) AlignsInsns() bool { return a.MinInsn > 1 }

// TracksRA reports whether the rows say where RA is.
func (a ABIInfo) TracksRA() bool { return a.FixedRA == 0 }

// ValidWords reports whether a default-type row of version v may have n words.
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
	case a.regs != nil && reg < uint32(len(*a.regs)):
		return (*a.regs)[reg]
	}
	return fmt.Sprintf("reg%d", reg)
}

var (
	amd64Regs = []string{"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip"}
	aarch64Regs = numbered("x", 31)
	// DWARF numbers the s390x floating-point registers by pairs.
	s390xRegs = append(numbered("r", 16), "f0", "f2", "f4", "f6", "f1", "f3", "f5", "f7",
		"f8", "f10", "f12", "f14", "f9", "f11", "f13", "f15")
)

func numbered(prefix string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint(prefix, i)
	}
	return out
}
