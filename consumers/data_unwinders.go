package consumers

// What unwinders do, as clauses.
const (
	howNotLoaded = "nobody tells the unwinder of the section"
	howEINVAL    = "it does not take the section"
	howRemoves   = "it takes the section out of use: when it registers it, if built with validation, else when it comes upon the row"
	howDWARF     = "it falls back to DWARF"
	howEndsHere  = "it ends the backtrace and falls back to DWARF"
	howDivides   = "it divides by the repetition size"
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
			{Demand: InText, Else: Rejects, How: "it does not take the function, nor with validation the section", From: "series"},
			{Demand: RowsFound, Else: Rejects, How: howRemoves, From: "series"},
			{Demand: StartsAscend, Else: Rejects, How: "it does not take the section, if built with validation; else it may not find the function", From: "series"},
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
			{Demand: FlexRegister, Else: Rejects, How: "it does not take the row", From: "series"},
			{Demand: FixedRA, Else: Misreads, How: "it goes by the header and takes words for others", From: "series"},
			{Demand: OneHeader, Else: Misreads, How: "it finds the functions of the first header alone", From: "series"},
		},
		Ignores: []string{
			"the ABI, flags that do not exist, reserved bits, the pauth key, mangled bits",
			"sfh_num_fres as long as it is not 0, gaps, sharing, bytes behind the FREs",
			"where functions end, whether they overlap, where the rows of MASK FDEs start, the first row's start",
		},
		Sources: []Source{
			{"headers", "Reading the header, version 8 of the series for kernel stacks", "https://mail-archive.com/linux-kernel@vger.kernel.org/msg2661864.html"},
			{"series", "Reading FDEs and rows, version 16 of the series for user space", "https://www.mail-archive.com/linux-trace-kernel@vger.kernel.org/msg22230.html"},
			{"code", "kernel/unwind/sframe.c of a branch with both series", "https://github.com/dylanbhatch/linux/blob/d56647db29bad1c5d207d419542f17b499b34444/kernel/unwind/sframe.c"},
		},
		Notes: []string{
			"Not merged, and known from the source alone. Earlier versions of the series read versions 1 and 2.",
			"The C library or the dynamic linker registers the section; how is still under discussion.",
			"A row without data words ends the stack trace.",
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
			{Demand: StartsAscend, Else: Misreads, How: "a search by halves does not find every function", From: "read"},
			{Demand: HeaderInside, Else: Crashes, How: howBeyond, From: "read", Maybe: true},
			{Demand: FDEsInside, Else: Crashes, How: howBeyond, From: "read", Maybe: true},
			{Demand: RowsFound, Else: Crashes, How: howBeyond, From: "read", Maybe: true},
			{Demand: RepSize, Else: Crashes, How: howDivides, From: "read"},
			{Demand: FREType, Else: Rejects, How: howEndsHere, From: "read"},
			{Demand: WordSize, Else: Rejects, How: howEndsHere, From: "read"},
			{Demand: WordCount, Else: Rejects, How: howEndsHere, From: "read", Arg: atMost(3)},
			{Demand: RowsAscend, Else: Misreads, How: "it does not find every row", From: "read"},
			{Demand: FixedRA, Else: Misreads, How: "it goes by the header and takes words for others", From: "read"},
			{Demand: FixedFP, Else: Misreads, How: "it goes by the header and takes words for others", From: "read"},
			{Demand: PlainRA, Else: Misreads, How: "it takes the signature for part of the address", From: "step"},
			{Demand: OneHeader, Else: Misreads, How: "it finds the functions of the first header alone", From: "read"},
		},
		Ignores: []string{
			"the ABI in the header, the counts of rows in it, sfh_fre_len",
			"sfh_fdeoff and sfh_freoff: it takes the sub-sections to follow the header directly",
			"where functions are and whether they overlap, reserved bits, data words beyond those that it uses",
		},
		Sources: []Source{
			{"read", "sysdeps/generic/sframe-read.c of glibc 2.42", "https://github.com/bminor/glibc/blob/glibc-2.42/sysdeps/generic/sframe-read.c"},
			{"step", "sysdeps/generic/sframe.c of glibc 2.42", "https://github.com/bminor/glibc/blob/glibc-2.42/sysdeps/generic/sframe.c"},
			{"find", "elf/dl-find_object.h of glibc 2.42", "https://github.com/bminor/glibc/blob/glibc-2.42/elf/dl-find_object.h"},
			{"configure", "configure.ac of glibc 2.42 and of its machines", "https://github.com/bminor/glibc/blob/glibc-2.42/configure.ac"},
			{"patch", "A patch for version 3, proposed in April 2026", "https://sourceware.org/pipermail/libc-alpha/2026-April/176649.html"},
		},
		Notes: []string{
			"Known from the source alone.",
			"A row without data words, which ends a stack, and on AArch64 a row whose RA is still in its register end the backtrace by SFrame: it starts anew with DWARF.",
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
			{Demand: HeaderInside, Else: Rejects, How: howDWARF, From: "sframe"},
			{Demand: FlagsClear, Else: Rejects, How: "it falls back to DWARF, as it does not know starts that count from their fields", From: "sframe", Arg: flags(pcrel)},
			{Demand: FDEsInside, Else: Rejects, How: howDWARF, From: "sframe"},
			{Demand: FREsInside, Else: Rejects, How: howDWARF, From: "sframe"},
			{Demand: FREsBehind, Else: Rejects, How: howDWARF, From: "sframe"},
			{Demand: HasFDEs, Else: Rejects, How: howDWARF, From: "sframe"},
			{Demand: OwnInfoBits, Else: Misreads, How: "it has the CFA's base the wrong way round, and the word size and count in other bits", From: "header"},
		},
		Ignores: []string{
			"flags that do not exist, the counts of rows in the header",
			"the order of functions where SORTED is set, where they are, and where rows start",
			"FDEs that it takes for ones of PC type MASK: those of FRE type ADDR2",
		},
		Sources: []Source{
			{"sframe", "sframe.cpp of java-profiler", "https://github.com/DataDog/java-profiler/blob/main/ddprof-lib/src/main/cpp/sframe.cpp"},
			{"header", "sframe.h of java-profiler, which says where it takes bits to be", "https://github.com/DataDog/java-profiler/blob/main/ddprof-lib/src/main/cpp/sframe.h"},
			{"symbols", "symbols_linux.cpp of java-profiler, which finds the section", "https://github.com/DataDog/java-profiler/blob/main/ddprof-lib/src/main/cpp/symbols_linux.cpp"},
		},
		Notes: []string{
			"Known from the source alone, as of 2026.",
			"Bit 0 of an FDE's info is taken for the PC type and bits 1 and 2 for the FRE type; of a row's info, bit 0 set is taken for FP, bits 1 and 2 for the word size, and bits 3 and 4 for whether RA and FP have words.",
		},
	},
}
