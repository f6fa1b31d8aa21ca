package consumers

// Actions of unwinders, as clauses.
const (
	howNotLoaded = "the section is not registered with the unwinder"
	howEINVAL    = "registration of the section fails"
	howRemoves   = "it disables the section: at registration if built with validation, otherwise when it reaches the FRE"
	howDWARF     = "it falls back to DWARF"
	howEndsHere  = "it ends the backtrace and falls back to DWARF"
	howDivides   = "it divides by rep_size"
	howFP        = "it does not find the function, and goes on by frame pointers"
	howTraceEnds = "the stack trace ends"
	howWarns     = "the kernel warns once, and the stack trace ends"
)

var unwinders = []*Profile{
	{
		Name: "linux", Family: "linux", Role: Unwinder,
		Title: "Linux, the patch series of 2026 for user space (x86, s390) and kernel (arm64) stacks",
		Checks: []Check{
			{Demand: InSegment, Else: Ignores, How: howNotLoaded, From: "series"},
			{Demand: WholeHeader, Else: Rejects, How: howEINVAL, From: "series"},
			{Demand: Magic, Else: Rejects, How: howEINVAL, From: "series"},
			{Demand: NativeOrder, Else: Rejects, How: howEINVAL, From: "series"},
			{Demand: Version, Else: Rejects, How: howEINVAL, From: "headers", Arg: accept(v3)},
			{Demand: FlagsSet, Else: Rejects, How: howEINVAL, From: "headers", Arg: flags(sorted | pcrel)},
			{Demand: NoAuxHeader, Else: Rejects, How: howEINVAL, From: "headers"},
			{Demand: HasFDEs, Else: Rejects, How: howEINVAL, From: "headers"},
			{Demand: HasFREs, Else: Rejects, How: howEINVAL, From: "headers"},
			{Demand: FREsBehind, Else: Rejects, How: howEINVAL, From: "headers"},
			{Demand: FREsInside, Else: Rejects, How: howEINVAL, From: "headers"},
			{Demand: InText, Else: Rejects, How: "it rejects the function, and with validation the section", From: "series"},
			{Demand: RowsFound, Else: Rejects, How: howRemoves, From: "series"},
			{Demand: StartsAscend, Else: Rejects, How: "it rejects the section if built with validation; otherwise it may not find the function", From: "series"},
			{Demand: FREType, Else: Rejects, How: howRemoves, From: "series"},
			{Demand: RowsInFunction, Else: Rejects, How: howRemoves, From: "series"},
			{Demand: WordSize, Else: Rejects, How: howRemoves, From: "series"},
			{Demand: BareWordSize, Else: Rejects, How: howRemoves, From: "series"},
			{Demand: FDEType, Else: Rejects, How: howRemoves, From: "series"},
			{Demand: WordsUsed, Else: Rejects, How: howRemoves, From: "series"},
			{Demand: FlexCFA, Else: Rejects, How: howRemoves, From: "series"},
			{Demand: FlexWordsUsed, Else: Rejects, How: howRemoves, From: "series"},
			{Demand: RowsAscend, Else: Rejects, How: howRemoves, From: "series"},
			{Demand: RepSize, Else: Crashes, How: howDivides, From: "code", Maybe: true},
			{Demand: SomeRows, Else: Rejects, How: howFP, From: "code"},
			{Demand: FlexRegister, Else: Rejects, How: "it rejects the FRE", From: "series"},
			{Demand: FlexPlainBase, Else: Rejects, How: howWarns, From: "step"},
			{Demand: FlexSlots, Else: Rejects, How: howWarns, From: "step"},
			{Demand: CFAAligned, Else: Rejects, How: howTraceEnds, From: "step"},
			{Demand: CFAAbove, Else: Rejects, How: howTraceEnds, From: "step"},
			{Demand: NoZeroSlots, Else: Misreads, How: "it takes RA or FP as unchanged", From: "code"},
			{Demand: FixedRA, Else: Misreads, How: "it follows the header and confuses the words", From: "series"},
			{Demand: OneHeader, Else: Misreads, How: "it finds only the functions of the first header", From: "series"},
		},
		Ignores: []string{
			"the ABI, undefined flags, reserved bits, the pauth key, mangled bits",
			"the value of sfh_num_fres unless it is 0, gaps, shared FREs, bytes after the FREs",
			"the ends of functions, whether they overlap, the starts of FREs in MASK FDEs, the start of the first FRE",
			"the signal bit",
		},
		Sources: []Source{
			{"headers", "Reading the header, version 8 of the series for kernel stacks", "https://mail-archive.com/linux-kernel@vger.kernel.org/msg2661864.html"},
			{"series", "Reading FDEs and FREs, version 16 of the series for user space", "https://www.mail-archive.com/linux-trace-kernel@vger.kernel.org/msg22230.html"},
			{"code", "kernel/unwind/sframe.c of a branch with both series", "https://github.com/dylanbhatch/linux/blob/d56647db29bad1c5d207d419542f17b499b34444/kernel/unwind/sframe.c"},
			{"step", "kernel/unwind/user.c of the same branch", "https://github.com/dylanbhatch/linux/blob/d56647db29bad1c5d207d419542f17b499b34444/kernel/unwind/user.c"},
		},
		Notes: []string{
			"Not merged. This profile was compared with the compiled source, in user space. Earlier versions of the series read versions 1 and 2.",
			"The C library or the dynamic linker registers the section; the interface is under discussion.",
			"An FRE without data words (an outermost frame) is invalid to it: it goes on by frame pointers.",
			"Functions that realign the stack have their CFA in memory at FP: it takes no step from their FREs.",
		},
	},
	{
		Name: "glibc-2.42", Family: "glibc", First: "2.42", Last: "2.43", Role: Unwinder,
		Title: "backtrace() of glibc 2.42 and 2.43, built with --enable-sframe",
		Checks: []Check{
			{Demand: ABIOneOf, Else: Ignores, How: "glibc for other machines is built without SFrame", From: "configure", Arg: abis(abiAArch64BE, abiAArch64, abiAMD64)},
			{Demand: InSegment, Else: Ignores, How: howDWARF, From: "find"},
			{Demand: WholeHeader, Else: Crashes, How: howBeyond, From: "read", Maybe: true},
			{Demand: Magic, Else: Rejects, How: howDWARF, From: "read"},
			{Demand: NativeOrder, Else: Rejects, How: howDWARF, From: "read"},
			{Demand: Version, Else: Rejects, How: howDWARF, From: "read", Arg: accept(v2)},
			{Demand: FlagsKnown, Else: Rejects, How: howDWARF, From: "read", Arg: flags(sorted | framePointer | pcrel)},
			{Demand: OffsetsOrdered, Else: Rejects, How: howDWARF, From: "read"},
			{Demand: HasFDEs, Else: Rejects, How: howDWARF, From: "read"},
			{Demand: FlagsSet, Else: Rejects, How: howDWARF, From: "read", Arg: flags(sorted)},
			{Demand: FDEOffZero, Else: Misreads, How: howDiverted, From: "read", Maybe: true, Ends: true},
			{Demand: FREsFollow, Else: Misreads, How: howDiverted, From: "read", Maybe: true, Ends: true},
			{Demand: StartsAscend, Else: Rejects, How: "its bisection does not find every function", From: "read", Maybe: true},
			{Demand: HeaderInside, Else: Crashes, How: howBeyond, From: "read", Maybe: true},
			{Demand: FDEsInside, Else: Crashes, How: howBeyond, From: "read", Maybe: true},
			{Demand: RowsFound, Else: Crashes, How: howBeyond, From: "read", Maybe: true},
			{Demand: NearFunctions, Else: Misreads, How: "the difference of a PC and a start overflows, which C does not define", From: "read", Maybe: true, Arg: atMost(31)},
			{Demand: SomeRows, Else: Rejects, How: howEndsHere, From: "read"},
			{Demand: RepSize, Else: Crashes, How: howDivides, From: "read"},
			{Demand: FREType, Else: Rejects, How: howEndsHere, From: "read"},
			{Demand: WordSize, Else: Rejects, How: howEndsHere, From: "read"},
			{Demand: WordCount, Else: Rejects, How: howEndsHere, From: "read", Arg: atMost(3)},
			{Demand: RowsAscend, Else: Rejects, How: "it does not find every FRE", From: "read", Maybe: true},
			{Demand: FixedRA, Else: Misreads, How: "it follows the header and confuses the words", From: "read"},
			{Demand: FixedFP, Else: Misreads, How: "it follows the header and confuses the words", From: "read"},
			{Demand: PlainRA, Else: Misreads, How: "it uses the signature as part of the address", From: "step"},
			{Demand: OneHeader, Else: Misreads, How: "it finds only the functions of the first header", From: "read"},
		},
		Ignores: []string{
			"the ABI, sfh_num_fres and sfh_fre_len",
			"sfh_fdeoff and sfh_freoff: it assumes that the sub-sections directly follow the header",
			"the places of functions and whether they overlap, reserved bits, data words that it does not use",
		},
		Sources: []Source{
			{"read", "sysdeps/generic/sframe-read.c of glibc 2.42", "https://github.com/bminor/glibc/blob/glibc-2.42/sysdeps/generic/sframe-read.c"},
			{"step", "sysdeps/generic/sframe.c of glibc 2.42", "https://github.com/bminor/glibc/blob/glibc-2.42/sysdeps/generic/sframe.c"},
			{"find", "elf/dl-find_object.h of glibc 2.42", "https://github.com/bminor/glibc/blob/glibc-2.42/elf/dl-find_object.h"},
			{"configure", "configure.ac of glibc 2.42 and of its machines", "https://github.com/bminor/glibc/blob/glibc-2.42/configure.ac"},
			{"patch", "A patch for version 3, proposed in April 2026", "https://sourceware.org/pipermail/libc-alpha/2026-April/176649.html"},
		},
		Notes: []string{
			"The reader of this profile was compared with the compiled source, on AMD64; how backtrace() uses it is known only from the source.",
			"An FRE without data words (an outermost frame), and on AArch64 an FRE with RA in its register, end the backtrace by SFrame: it starts again with DWARF.",
		},
	},
	{
		Name: "java-profiler", Family: "java-profiler", Role: Unwinder,
		Title: "DataDog's java-profiler",
		Checks: []Check{
			{Demand: InSegment, Else: Ignores, How: howDWARF, From: "symbols"},
			{Demand: WholeHeader, Else: Rejects, How: howDWARF, From: "sframe"},
			{Demand: Magic, Else: Rejects, How: howDWARF, From: "sframe"},
			{Demand: NativeOrder, Else: Rejects, How: howDWARF, From: "sframe"},
			{Demand: Version, Else: Rejects, How: howDWARF, From: "sframe", Arg: accept(v2)},
			{Demand: ABIOneOf, Else: Rejects, How: howDWARF, From: "sframe", Arg: abis(abiAArch64, abiAMD64)},
			{Demand: ABIOfMachine, Else: Rejects, How: howDWARF, From: "sframe"},
			{Demand: HeaderInside, Else: Rejects, How: howDWARF, From: "sframe"},
			{Demand: FlagsClear, Else: Rejects, How: "it falls back to DWARF, as it does not support starts that count from their fields", From: "sframe", Arg: flags(pcrel)},
			{Demand: FDEsInside, Else: Rejects, How: howDWARF, From: "sframe"},
			{Demand: FREsInside, Else: Rejects, How: howDWARF, From: "sframe"},
			{Demand: NoOverlap, Else: Rejects, How: howDWARF, From: "sframe"},
			{Demand: HasFDEs, Else: Rejects, How: howDWARF, From: "sframe"},
			{Demand: OwnRows, Else: Rejects, How: howDWARF, From: "sframe"},
			{Demand: OwnInfoBits, Else: Misreads, How: "it swaps the bases of the CFA, and reads word size and count from other bits", From: "header"},
		},
		Ignores: []string{
			"undefined flags, sfh_num_fres",
			"the order of functions if SORTED is set, their places, and the starts of FREs",
			"FDEs of FRE type ADDR2, which it reads as PC type MASK",
		},
		Sources: []Source{
			{"sframe", "sframe.cpp of java-profiler", "https://github.com/DataDog/java-profiler/blob/main/ddprof-lib/src/main/cpp/sframe.cpp"},
			{"header", "sframe.h of java-profiler, which defines the places of bits", "https://github.com/DataDog/java-profiler/blob/main/ddprof-lib/src/main/cpp/sframe.h"},
			{"symbols", "symbols_linux.cpp of java-profiler, which finds the section", "https://github.com/DataDog/java-profiler/blob/main/ddprof-lib/src/main/cpp/symbols_linux.cpp"},
		},
		Notes: []string{
			"Held against the compiled sframe.cpp of 2026 on 62 sections of version 2 for AMD64 and 1,500 damaged ones.",
			"It reads bit 0 of an FDE's info byte as the PC type and bits 1 and 2 as the FRE type. Of an FRE's info byte it reads bit 0 set as base FP, bits 1 and 2 as the word size, and bits 3 and 4 as the presence of words for RA and FP.",
		},
	},
}
