package model

import (
	"debug/elf"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ABI is the field sfh_abi_arch ("SFrame ABI/arch Identifier").
type ABI uint8

// The ABIs that the format identifies.
const (
	SFRAME_ABI_AARCH64_ENDIAN_BIG    ABI = 1
	SFRAME_ABI_AARCH64_ENDIAN_LITTLE ABI = 2
	SFRAME_ABI_AMD64_ENDIAN_LITTLE   ABI = 3
	SFRAME_ABI_S390X_ENDIAN_BIG      ABI = 4
)

// ABIInfo describes an ABI: all facts in which ABIs differ ("ABI/arch-specific Definition").
type ABIInfo struct {
	ID      ABI
	Name    string      // as the specification writes it: AMD64, AArch64, s390x
	Arch    string      // in the names of tools: x86_64, aarch64, s390x
	Spec    string      // name of its constant in the specification
	Machine elf.Machine // e_machine
	Big     bool        // byte order
	Since   Version     // the first version of the format that defines it

	SP, FP, RA uint32 // DWARF register numbers
	// A register can be a base if its DWARF number is below AddrRegs, and can keep RA or FP if it is below HoldRegs.
	// Leaf functions of s390x keep them in f0 to f15, too.
	AddrRegs, HoldRegs uint32
	SPName             string
	FPName             string

	FixedRA int8 // sfh_cfa_fixed_ra_offset; 0: RA is tracked in the FREs
	FixedFP int8 // sfh_cfa_fixed_fp_offset

	// MaxWords is the largest number of data words of a default-type FRE. FREs
	// have at least 1 word; 0 words are legal from errata 2 of V2 on.
	MaxWords int

	CFAScale  int64 // a default-type FRE's CFA offset is CFAScale*word + CFAAdjust
	CFAAdjust int64
	SPOffset  int64 // caller's SP = CFA + SPOffset

	EntryCFA  int64 // CFA - SP on entry to a function
	RedZone   int64 // bytes below SP that a function may use
	SlotAlign int64 // alignment of a saved register's slot, in bytes
	CFAAlign  int64 // alignment of a CFA offset, in bytes
	MinInsn   int64 // alignment of instructions, in bytes
	FuncAlign int64 // alignment of functions by compilers, in bytes

	// FrameRecord says that FP points to the caller's FP, and RA after it.
	FrameRecord bool

	Pauth     bool // signs return addresses: key and mangled bits have a meaning
	Veneers   bool // linkers move instructions to veneers
	RAPadding bool // V2 and V3: RA word 0 means "not saved"
	LSBRegs   bool // V2: an odd RA or FP word is a register

	// Relocations that a start field may have, by its width.
	Reloc32, Reloc64 uint32
	// Relocations that set a field to an address; the dynamic linker has its own one.
	abs32, abs32s, abs64 uint32
	RelocRelative        uint32
	// Relocations of the words that PLT entries and calls load: JUMP_SLOT and GLOB_DAT.
	RelocSlot, RelocGlobal uint32
	// RelocIndirect is the relocation type IRELATIVE: a resolver function returns the address.
	RelocIndirect uint32
	// Relocations that do nothing; AArch64 has a second number for them, from
	// a draft of its ABI.
	RelocNone, RelocNull uint32

	BFDTarget      string // what binutils call the object format
	MappingSymbols bool   // symbols such as $x mark code and data
	HashWord       int    // bytes of a word of a DT_HASH table
	// CallNumber is the DWARF number of the register with the number of a Linux system call. It is negative if the
	// instruction contains that number.
	CallNumber int
	sigreturn  [2]uint64
	names      *names
}

// names are those of a machine's registers, by DWARF number, and of its relocation types.
type names struct {
	regs  []string
	reloc func(typ uint32) string
}

// abiTable is the one place where the ABIs differ. It is handed out by value
// only: a caller can't change it.
var abiTable = [...]*ABIInfo{
	SFRAME_ABI_AARCH64_ENDIAN_BIG:    aarch64(SFRAME_ABI_AARCH64_ENDIAN_BIG, "SFRAME_ABI_AARCH64_ENDIAN_BIG", true),
	SFRAME_ABI_AARCH64_ENDIAN_LITTLE: aarch64(SFRAME_ABI_AARCH64_ENDIAN_LITTLE, "SFRAME_ABI_AARCH64_ENDIAN_LITTLE", false),
	SFRAME_ABI_AMD64_ENDIAN_LITTLE: {
		ID: SFRAME_ABI_AMD64_ENDIAN_LITTLE, Name: "AMD64", Spec: "SFRAME_ABI_AMD64_ENDIAN_LITTLE",
		Machine: elf.EM_X86_64, Arch: "x86_64",
		SP: 7, FP: 6, RA: 16, AddrRegs: 16, HoldRegs: 16, SPName: "rsp", FPName: "rbp",
		FixedRA:  -8,
		MaxWords: 2,
		CFAScale: 1,
		EntryCFA: 8, RedZone: 128, SlotAlign: 8, CFAAlign: 8, MinInsn: 1, FuncAlign: 16,
		Reloc32: uint32(elf.R_X86_64_PC32), Reloc64: uint32(elf.R_X86_64_PC64), RelocRelative: uint32(elf.R_X86_64_RELATIVE),
		RelocSlot: uint32(elf.R_X86_64_JMP_SLOT), RelocGlobal: uint32(elf.R_X86_64_GLOB_DAT), RelocIndirect: uint32(elf.R_X86_64_IRELATIVE),
		abs32: uint32(elf.R_X86_64_32), abs32s: uint32(elf.R_X86_64_32S), abs64: uint32(elf.R_X86_64_64),
		BFDTarget: "elf64-x86-64", HashWord: 4, names: &amd64Names,
		CallNumber: 0, sigreturn: [2]uint64{15, 15},
	},
	SFRAME_ABI_S390X_ENDIAN_BIG: {
		ID: SFRAME_ABI_S390X_ENDIAN_BIG, Name: "s390x", Spec: "SFRAME_ABI_S390X_ENDIAN_BIG",
		Machine: elf.EM_S390, Arch: "s390x", Big: true,
		Since: SFRAME_VERSION_2, // errata 1
		SP:    15, FP: 11, RA: 14, AddrRegs: 16, HoldRegs: 32, SPName: "r15", FPName: "r11",
		MaxWords: 3,
		CFAScale: SFRAME_S390X_CFA_OFFSET_ALIGNMENT_FACTOR, CFAAdjust: -SFRAME_S390X_CFA_OFFSET_ADJUSTMENT,
		SPOffset: SFRAME_S390X_SP_VAL_OFFSET,
		EntryCFA: 160, SlotAlign: 8, CFAAlign: 8, MinInsn: 2, FuncAlign: 8,
		RAPadding: true, LSBRegs: true,
		Reloc32: uint32(elf.R_390_PC32), Reloc64: uint32(elf.R_390_PC64), RelocRelative: uint32(elf.R_390_RELATIVE),
		RelocSlot: uint32(elf.R_390_JMP_SLOT), RelocGlobal: uint32(elf.R_390_GLOB_DAT), RelocIndirect: 61, // R_390_IRELATIVE
		abs32: uint32(elf.R_390_32), abs64: uint32(elf.R_390_64),
		BFDTarget: "elf64-s390", HashWord: 8, names: &s390xNames,
		CallNumber: -1, sigreturn: [2]uint64{173, 119},
	},
}

func aarch64(id ABI, spec string, big bool) *ABIInfo {
	a := &ABIInfo{
		ID: id, Name: "AArch64", Spec: spec,
		Machine: elf.EM_AARCH64, Arch: "aarch64", Big: big,
		SP: 31, FP: 29, RA: 30, AddrRegs: 32, HoldRegs: 32, SPName: "sp", FPName: "x29",
		MaxWords: 3,
		CFAScale: 1,
		EntryCFA: 0, SlotAlign: 8, CFAAlign: 16, MinInsn: 4, FuncAlign: 16,
		Pauth: true, Veneers: true, FrameRecord: true,
		Reloc32: uint32(elf.R_AARCH64_PREL32), Reloc64: uint32(elf.R_AARCH64_PREL64), RelocNull: uint32(elf.R_AARCH64_NULL),
		abs32: uint32(elf.R_AARCH64_ABS32), abs64: uint32(elf.R_AARCH64_ABS64), RelocRelative: uint32(elf.R_AARCH64_RELATIVE),
		RelocSlot: uint32(elf.R_AARCH64_JUMP_SLOT), RelocGlobal: uint32(elf.R_AARCH64_GLOB_DAT), RelocIndirect: uint32(elf.R_AARCH64_IRELATIVE),
		BFDTarget: "elf64-littleaarch64", MappingSymbols: true, HashWord: 4, names: &aarch64Names,
		CallNumber: 8, sigreturn: [2]uint64{139, 139},
	}
	if big {
		a.BFDTarget = "elf64-bigaarch64"
	}
	return a
}

// LookupABI returns the facts of an ABI. For an unknown identifier, it returns a value whose Known method reports
// false.
func LookupABI(id ABI) ABIInfo { return *lookupABI(id) }

func lookupABI(id ABI) *ABIInfo {
	if int(id) < len(abiTable) && abiTable[id] != nil {
		return abiTable[id]
	}
	return &ABIInfo{ID: id, Name: fmt.Sprintf("ABI %d", uint8(id)), CFAScale: 1, SlotAlign: 1, CFAAlign: 1, MinInsn: 1}
}

// LookupMachine returns the facts of the ABI of an ELF machine and byte order. If the format has no such ABI, it
// returns a value whose Known method reports false.
func LookupMachine(m elf.Machine, big bool) ABIInfo {
	for _, a := range abiTable[1:] {
		if a.Machine == m && a.Big == big {
			return *a
		}
	}
	return *lookupABI(0)
}

// ABIs returns the facts of all ABIs, by identifier.
func ABIs() []ABIInfo {
	out := make([]ABIInfo, 0, len(abiTable)-1)
	for _, a := range abiTable[1:] {
		out = append(out, *a)
	}
	return out
}

// Arches returns the architectures as tools name them, beginning with the one that most tools support.
func Arches() []string {
	var out []string
	for _, a := range ABIs() {
		out = append(out, a.Arch)
	}
	slices.Sort(out)
	out = slices.Compact(out)
	slices.Reverse(out)
	return out
}

// ABIsWith returns the ABIs that satisfy has.
func ABIsWith(has func(ABIInfo) bool) []ABI {
	var out []ABI
	for _, a := range abiTable[1:] {
		if has(*a) {
			out = append(out, a.ID)
		}
	}
	return out
}

// Known reports whether the format defines the ABI.
func (a ABIInfo) Known() bool { return a.known() }

// known and tracksRA are Known and TracksRA without a copy of a, which costs more than they do.
func (a *ABIInfo) known() bool    { return a.Spec != "" }
func (a *ABIInfo) tracksRA() bool { return a.FixedRA == 0 }

// InVersion reports whether version v of the format defines the ABI.
func (a ABIInfo) InVersion(v Version) bool { return a.Known() && v >= a.Since }

// StartReloc returns the relocation type that start fields require in version v.
func (a ABIInfo) StartReloc(v Version) uint32 {
	if v.info().StartWidth == 8 {
		return a.Reloc64
	}
	return a.Reloc32
}

// NoEffect reports whether relocations of this type do nothing. For an unknown ABI it reports false.
func (a ABIInfo) NoEffect(typ uint32) bool {
	return a.Known() && (typ == a.RelocNone || typ == a.RelocNull)
}

// RelocField returns the width in bytes of the field that a relocation of this type sets, or 0 for types that set no
// address. If pcrel is true, the field gets the distance from itself to the address.
func (a ABIInfo) RelocField(typ uint32) (width uint8, pcrel bool) {
	switch typ {
	case a.RelocNone:
	case a.abs32, a.abs32s:
		return 4, false
	case a.abs64:
		return 8, false
	case a.Reloc32:
		return 4, true
	case a.Reloc64:
		return 8, true
	}
	return 0, false
}

// Short returns the name of the ABI in the options of programs: aarch64-be, aarch64, amd64, s390x.
func (a ABIInfo) Short() string {
	name := strings.ToLower(a.Name)
	if a.Big && LookupMachine(a.Machine, false).Known() {
		name += "-be"
	}
	return name
}

// Sigreturn reports whether the Linux system call with number n returns from a signal handler.
func (a ABIInfo) Sigreturn(n uint64) bool {
	return n != 0 && (n == a.sigreturn[0] || n == a.sigreturn[1])
}

// AlignsInsns reports whether the ABI aligns instructions to more than one byte.
func (a ABIInfo) AlignsInsns() bool { return a.MinInsn > 1 }

// TracksRA reports whether FREs state where RA is.
func (a ABIInfo) TracksRA() bool { return a.tracksRA() }

// ValidWords reports whether a default-type FRE of version v may have n words.
func (a ABIInfo) ValidWords(v Version, n int) bool {
	if n == 0 {
		return v.Errata2()
	}
	return n <= a.MaxWords
}

// RelocName returns the name of a relocation type of the ABI's machine.
func (a ABIInfo) RelocName(typ uint32) string {
	if a.names == nil {
		return fmt.Sprintf("type %d", typ)
	}
	return a.names.reloc(typ)
}

// RegName returns the name of the register with a DWARF number.
func (a ABIInfo) RegName(reg uint32) string {
	switch {
	case reg == a.SP && a.SPName != "":
		return a.SPName
	case reg == a.FP && a.FPName != "":
		return a.FPName
	case a.names != nil && reg < uint32(len(a.names.regs)):
		return a.names.regs[reg]
	}
	return fmt.Sprintf("reg%d", reg)
}

var (
	amd64Names = names{[]string{"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip"}, relocName[elf.R_X86_64]}
	aarch64Names = names{numbered("x", 31), relocName[elf.R_AARCH64]}
	// DWARF numbers the s390x floating-point registers by pairs.
	s390xNames = names{append(numbered("r", 16), "f0", "f2", "f4", "f6", "f1", "f3", "f5", "f7",
		"f8", "f10", "f12", "f14", "f9", "f11", "f13", "f15"), relocName[elf.R_390]}
)

func relocName[T interface {
	~int
	fmt.Stringer
}](typ uint32) string {
	return T(typ).String()
}

func numbered(prefix string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = prefix + strconv.Itoa(i) // at each start of a program
	}
	return out
}
