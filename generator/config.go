package generator

import (
	"math"
	"strconv"

	"github.com/sframe-lint/sframe-lint/model"
)

// Share is a percentage: 30 means about 30 of 100 random choices.
type Share int64

// Config has the values of the knobs. [Knobs] describes each knob and its range, and [Config.Check] checks the
// values. The zero value is not the default: see [Default].
type Config struct {
	Seed int64 // any number; the same configuration gives the same section

	Version model.Version // 1 to 3
	ABI     model.ABI     // decides the byte order; version 1 has no s390x

	Funcs    int64 // number, 0 to 2^20
	Rows     int64 // maximum number of FREs of a function, 1 to 2^20
	Long     Share // share of functions with as many FREs as Rows and their size allow
	FuncSize int64 // maximum size of a function in bytes, 4 to 2^31
	MaxFrame int64 // maximum size of a stack frame in bytes, 16 to 2^30

	Sorted, PCRel, FramePointer bool // flags of the header

	Addr     int64 // address of the section, 0 to 2^62
	High     bool  // the address is in the upper half of the address space
	Distance int64 // bytes from the section to the nearest function, -2^46 to 2^46
	Around   Share // share of functions on the other side of the section
	Gap      int64 // maximum number of bytes between two functions, 0 to 2^40

	FP, NoReturn, Outermost, LateOutermost   Share // shares of functions
	Stubs                                    Share // share of FDEs that describe runs of stubs, with PC type MASK
	StubSize                                 int64 // bytes of a stub, 4 to 255
	StubRows                                 int64 // maximum number of FREs of a stub, 0 to 255; 0 means one or two
	Signal, Flexible, OtherBase, Empty, Rare Share // shares of functions
	Pauth, KeyB, Registers, Padding          Share // shares of functions

	FREType  model.FREType  // narrowest type to use
	WordSize model.WordSize // narrowest size to use
	Repeats  Share          // share of FREs that repeat the previous one

	Aux      int64 // bytes of the auxiliary header, 0 to 255
	FDEGap   int64 // zero bytes before the FDEs, 0 to 2^20
	FREGap   int64 // zero bytes before the FREs, 0 to 2^20
	Trailing int64 // zero bytes after the FREs, 0 to 2^20
	Reverse  bool  // the FREs of the last function are first

	// The manual allows the following, but no known tool writes it.
	Wide, Shared Share // shares of functions
	FixedFP      int64 // bytes from the CFA, -128 to 127; 0 means not fixed
	FDEPadding   int64 // 0 to 65535
}

// knobs is the table of knobs. The last two values of some are their corners.
var knobs = []*Knob{
	count("seed", Number, math.MinInt64, math.MaxInt64, 1, "Seed of all draws: the same knobs give the same section."),

	choice("version", 1, 3, versionNames(), "Version of the format."),
	choice("abi", 1, 3, abiNames(), "ABI, which decides the byte order; V1 has no s390x."),

	count("funcs", Number, 0, 1<<20, 8, "Functions in the section.", 0, 12),
	count("rows", Number, 1, 1<<20, 8, "Most rows of a function, at most as many as its version counts.", 1, 24),
	percent("long", 0, "Functions with as many rows as the knob rows and their size allow."),
	count("func-size", Bytes, 4, 1<<31, 512, "Most bytes of a function, or of a stub if that is larger.", 4, 1<<18),
	count("max-frame", Bytes, 16, 1<<30, 1024, "Most bytes of a stack frame, up to alignment; large ones need wide data words.", 16, 1<<20),

	toggle("sorted", 1, "FDEs in the order of their functions, with the SORTED flag."),
	toggle("pcrel", 1, "Starts are relative to their own fields (V1 never; no tool writes V3 without)."),
	toggle("frame-pointer", 0, "The FRAME_POINTER flag (V1, V2)."),
	count("addr", Address, 0, 1<<62, 0x400000, "Virtual address of the section, up to alignment.", 0, 1<<40),
	toggle("high", 0, "Section and functions in the upper half of the address space, as in a kernel."),
	count("distance", Bytes, -1<<46, 1<<46, 0x1000, "Bytes from the section to the nearest function; negative: the functions are below the section.", -1<<31, 1<<31),
	percent("around", 0, "Functions on the other side of the section, if there is room."),
	count("gap", Bytes, 0, 1<<40, 48, "Most bytes between two functions, within reach of the start fields.", 0, 1<<32),

	percent("fp", 50, "Functions with a frame pointer."),
	percent("noreturn", 0, "Functions whose rows never return to the state at entry."),
	percent("outermost", 0, "Functions without a caller: RA is undefined (V2, V3)."),
	percent("late-outermost", 0, "Functions whose last row has an undefined RA (V2, V3)."),
	percent("stubs", 10, "Runs of equal stubs, with PC type MASK; below 100, no two next to each other."),
	count("stub-size", Bytes, 4, 255, 16, "Bytes of a stub, up to alignment.", 4, 255),
	count("stub-rows", Number, 0, 255, 0, "Most rows of a stub; 0: one or two, as linkers write them."),
	percent("signal", 0, "Signal frames (V3)."),
	percent("flexible", 10, "Functions with rules that only a flexible FDE can state (V3)."),
	percent("other-base", 0, "Flexible functions with a CFA base other than SP and FP."),
	percent("rare", 0, "Of the functions of the knobs flexible, other-base and registers, those that put RA, FP or CFA where no compiler does."),
	percent("empty", 0, "Functions without rows (V3)."),
	percent("pauth", 20, "Functions that sign their return address (AArch64)."),
	percent("key-b", 30, "Of the functions of the knob pauth, those that sign with key B."),
	percent("registers", 0, "Leaf functions that keep RA and FP in registers (s390x; V3 does it with a flexible FDE)."),
	percent("padding", 20, "Functions that save FP without RA, with the padding word (s390x)."),

	choice("fre-type", 0, 0, []string{"addr1", "addr2", "addr4"}, "Narrowest FRE type to use, needed or not."),
	choice("word-size", 0, 0, []string{"1", "2", "4"}, "Narrowest data words to use, needed or not."),
	percent("repeats", 0, "Rows that repeat the previous one."),
	count("aux", Bytes, 0, 255, 0, "Bytes of the auxiliary header."),
	count("fde-gap", Bytes, 0, 1<<20, 0, "Zero bytes between the header and the FDEs.", 0, 64),
	count("fre-gap", Bytes, 0, 1<<20, 0, "Zero bytes between the FDEs and the FREs.", 0, 64),
	count("trailing", Bytes, 0, 1<<20, 0, "Zero bytes after the FREs.", 0, 64),
	toggle("reverse", 0, "Rows of the last function first."),
	specWide(percent("wide", 0, "Functions with values at the limits of their fields, and with what the manual allows and no tool writes.")),
	specWide(percent("shared", 0, "Functions that share the rows of the previous one.")),
	specWide(count("fixed-fp", Bytes, -128, 127, 0, "Fixed offset of FP from the CFA, which no tool writes (AMD64); 0: none.")),
	specWide(count("fde-padding", Number, 0, 65535, 0, "Value of the padding of FDEs, which no tool writes (V2).")),
}

// Default returns the default configuration: small sections as a compiler would write them, without any finding.
func Default() Config {
	var c Config
	for _, k := range knobs {
		k.set(&c, k.Default)
	}
	return c
}

func abiNames() (all []string) {
	for _, a := range model.ABIs() {
		all = append(all, a.Short())
	}
	return all
}

func versionNames() (all []string) {
	for _, v := range model.Versions(nil) {
		all = append(all, strconv.Itoa(int(v)))
	}
	return all
}
