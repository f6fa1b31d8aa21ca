package consumers

import "slices"

// Actions of readers that use libsframe, as clauses.
const (
	howRefuses    = "the dump ends with an error message"
	howBeyond     = "it reads out of bounds"
	howAsserts    = "it aborts on an assertion"
	howStale      = "it prints the previous FRE again, or nonsense"
	howDiverted   = "it reads the rest from the wrong place"
	howBytes      = "it reads the words as bytes, and later FREs from the wrong place"
	howSwaps      = "it swaps bytes that are not FDEs"
	howSwapsTwice = "it swaps the bytes twice"
	howFirst      = "it prints only the functions of the first header"
	howHeader     = "it follows the header and confuses the words"
	howWrongSize  = "to swap the bytes it assumes FDEs of 20 bytes instead of 17"
	howNoDecoder  = "sframe_decode returns an error"
	howNoLookup   = "sframe_find_fre returns an error"
	howRelocs     = "it applies all relocations before it reads the section, and overwrites data"
)

// libsframeOpening returns the first demands of every version.
func libsframeOpening() []Check {
	return []Check{
		{Demand: Named, Else: Ignores, How: "it finds sections by their name", From: Measured},
		{Demand: NotEmpty, Else: Rejects, How: "there is nothing to print", From: Measured},
		{Demand: WholeSection, Else: Rejects, How: "it does not read the section", From: Measured},
		{Demand: RelocSize, Else: Rejects, How: "objdump rejects the file; readelf corrects the size", From: Measured, Maybe: true},
		{Demand: WholeHeader, Else: Rejects, How: howRefuses, From: "libsframe"},
		{Demand: Magic, Else: Rejects, How: howRefuses, From: "libsframe"},
	}
}

// libsframeSwapped returns the demands of older versions when they swap bytes,
// which is when they check most.
func libsframeSwapped() []Check {
	return []Check{
		{Demand: FDEsInside, Else: Crashes, How: howSwaps, From: Measured, Maybe: true, Order: BigEndian},
		{Demand: FREType, Else: Crashes, How: howAsserts, From: Measured, Maybe: true, Order: BigEndian},
		{Demand: RowsFound, Else: Crashes, How: howBeyond, From: Measured, Maybe: true, Order: BigEndian},
		{Demand: FREsInside, Else: Crashes, How: howBeyond, From: Measured, Maybe: true, Order: BigEndian},
		{Demand: WordSize, Else: Misreads, How: howBytes, From: Measured, Maybe: true, Ends: true, Order: BigEndian},
		{Demand: RowsUnshared, Else: Misreads, How: howSwapsTwice, From: Measured, Maybe: true, Ends: true, Order: BigEndian},
		{Demand: CountsAgree, Else: Rejects, How: "it counts FREs and rejects the section", From: Measured, Order: BigEndian},
		{Demand: BytesAdd, Else: Rejects, How: "it counts bytes and rejects the section", From: Measured, Order: BigEndian},
	}
}

// libsframeOld returns the demands of versions before 2.46 on FDEs and FREs.
// They expect both sub-sections directly after the header.
func libsframeOld() []Check {
	return []Check{
		{Demand: HeaderInside, Else: Crashes, How: howBeyond, From: "libsframe", Maybe: true},
		{Demand: FDEOffZero, Else: Misreads, How: howDiverted, From: Measured, Maybe: true, Ends: true},
		{Demand: FREsFollow, Else: Misreads, How: howDiverted, From: Measured, Maybe: true, Ends: true},
		{Demand: FDEsInside, Else: Crashes, How: howBeyond, From: Measured, Maybe: true, Order: LittleEndian},
		{Demand: FREsInside, Else: Crashes, How: howBeyond, From: Measured, Maybe: true, Order: LittleEndian},
		{Demand: RowsFound, Else: Crashes, How: howBeyond, From: Measured, Maybe: true, Order: LittleEndian},
		{Demand: FREType, Else: Crashes, How: howAsserts, From: Measured, Order: LittleEndian},
		{Demand: WordSize, Else: Misreads, How: howBytes, From: Measured, Maybe: true, Ends: true, Order: LittleEndian},
		{Demand: RowsBeforeEnd, Else: Crashes, How: howAsserts, From: Measured, Arg: atMost(3)},
		{Demand: WordBytes, Else: Crashes, How: "it writes beyond a buffer of three words of 4 bytes", From: "libsframe", Maybe: true, Arg: atMost(12)},
		{Demand: WordCount, Else: Misreads, How: howStale, From: Measured, Arg: atMost(3)},
		{Demand: BareWordSize, Else: Misreads, How: howStale, From: Measured},
		{Demand: OneHeader, Else: Misreads, How: howFirst, From: Measured},
	}
}

// libsframeShown returns further demands of tools that print FREs.
func libsframeShown() []Check {
	return []Check{
		{Demand: SomeWords, Else: Misreads, How: "it does not support FREs without words, which errata 2 of version 2 introduced", From: Measured},
		{Demand: FixedRA, Else: Misreads, How: howHeader, From: Measured},
		{Demand: FixedFP, Else: Misreads, How: howHeader, From: Measured},
	}
}

// libsframe3Header returns the demands of libsframe since 2.46 on the header. refuses says
// what a user of the library does with its error.
func libsframe3Header(refuses string) []Check {
	return []Check{
		{Demand: Version, Else: Rejects, How: refuses, From: Measured, Arg: accept(v2, v3)},
		{Demand: FlagsKnown, Else: Rejects, How: refuses, From: Measured, Versions: versions(v2), Arg: flags(sorted | framePointer | pcrel)},
		{Demand: FlagsKnown, Else: Rejects, How: refuses, From: Measured, Versions: versions(v3), Arg: flags(sorted | pcrel)},
		{Demand: NoAuxHeader, Else: Rejects, How: "it cannot swap the bytes of the auxiliary header", From: "libsframe", Order: BigEndian},
		{Demand: OffsetsOrdered, Else: Rejects, How: refuses, From: Measured},
	}
}

// libsframe3Tables returns the demands of the same decoder on FDEs and FREs.
func libsframe3Tables(refuses string) []Check {
	return []Check{
		{Demand: HeaderInside, Else: Crashes, How: howBeyond, From: Measured, Maybe: true},
		{Demand: FewFDEs, Else: Rejects, How: "it cannot allocate that much memory", From: Measured, Maybe: true, Order: LittleEndian, Arg: atMost(1 << 30)},
		{Demand: FDEsInside, Else: Crashes, How: howSwaps, From: Measured, Maybe: true, Order: BigEndian},
		{Demand: FDEsInside, Else: Crashes, How: howBeyond, From: Measured, Maybe: true, Order: LittleEndian},
		{Demand: RowsFound, Else: Rejects, How: refuses, From: Measured, Maybe: true, Order: BigEndian},
		{Demand: FREType, Else: Crashes, How: howAsserts, From: Measured, Maybe: true, Order: BigEndian},
		{Demand: WordSize, Else: Misreads, How: howBytes, From: Measured, Maybe: true, Ends: true},
		{Demand: RowsUnshared, Else: Misreads, How: howSwapsTwice, From: Measured, Maybe: true, Ends: true, Order: BigEndian},
		{Demand: FREsBehind, Else: Rejects, How: refuses, From: Measured, Order: BigEndian},
		{Demand: CountsAgree, Else: Rejects, How: refuses, From: Measured, Order: BigEndian},
		{Demand: ZeroTail, Else: Rejects, How: refuses, From: Measured, Order: BigEndian},
		{Demand: FREsInside, Else: Crashes, How: howBeyond, From: Measured, Maybe: true},
	}
}

var ignoresOfLibsframe = []string{
	"the order of functions and of FREs, the SORTED flag",
	"the places of functions, whether they overlap or are empty",
	"reserved bits, rep_size, the pauth key on other ABIs",
	"the ABI against the ELF header, the fixed offsets against the ABI",
	"gaps, shared FREs, bytes after the FREs (in little-endian sections)",
}

var libsframe = []*Profile{
	{
		Name: "libsframe-2.40", Family: "libsframe", First: "2.40", Last: "2.40", Role: Tool,
		Title: "objdump and readelf of GNU binutils 2.40",
		Checks: slices.Concat(libsframeOpening(), []Check{
			{Demand: Version, Else: Rejects, How: howRefuses, From: Measured, Arg: accept(v1)},
			{Demand: FlagsKnown, Else: Rejects, How: howRefuses, From: "libsframe", Arg: flags(sorted | framePointer)},
			{Demand: OffsetsOrdered, Else: Rejects, How: howRefuses, From: "libsframe"},
		}, libsframeSwapped(), libsframeOld(), libsframeShown()),
		Ignores: ignoresOfLibsframe,
		Sources: []Source{srcLibsframe, measured("objdump and readelf 2.40")},
		Notes: []string{
			"If they cannot decode the section, objdump prints \"file format not recognized\" and readelf prints \"Out of Memory\".",
		},
		Tools: "bookworm-ARCH-objdump, bookworm-ARCH-readelf",
	},
	{
		Name: "libsframe-2.44", Family: "libsframe", First: "2.41", Last: "2.44", Role: Tool,
		Title: "objdump and readelf of GNU binutils 2.41 to 2.44",
		Checks: slices.Concat(libsframeOpening(), []Check{
			{Demand: Version, Else: Rejects, How: howRefuses, From: "v2", Arg: accept(v1, v2)},
			{Demand: FlagsKnown, Else: Rejects, How: howRefuses, From: Measured, Arg: flags(sorted | framePointer)},
			{Demand: OffsetsOrdered, Else: Rejects, How: howRefuses, From: "libsframe"},
			{Demand: Version, Else: Crashes, How: howWrongSize, From: Measured, Maybe: true, Versions: versions(v1), Order: BigEndian, Arg: accept(v2)},
			{Demand: Version, Else: Rejects, How: "it prints only the header", From: Measured, Arg: accept(v2)},
		}, libsframeSwapped(), libsframeOld(), libsframeShown(), []Check{
			{Demand: ABINoneOf, Else: Misreads, How: "it prints the words of s390x undecoded", From: "libsframe", Arg: abis(abiS390X)},
		}),
		Ignores: ignoresOfLibsframe,
		Sources: []Source{srcLibsframe, srcV2, srcPCRel, measured("objdump and readelf 2.44")},
		Notes: []string{
			"A section of errata 1 has the flag FDE_FUNC_START_PCREL, so these versions cannot read it.",
			"If they cannot decode the section, objdump prints \"file format not recognized\" and readelf prints \"Out of Memory\".",
		},
		Tools: "trixie-ARCH-objdump, trixie-ARCH-readelf",
	},
	{
		Name: "libsframe-2.47", Family: "libsframe", First: "2.46", Last: "2.47", Role: Tool,
		Title: "objdump and readelf of GNU binutils 2.46 and 2.47",
		Checks: slices.Concat(libsframeOpening(), []Check{
			{Demand: RelocsInFile, Else: Rejects, How: "objdump does not print the section; readelf does", From: Measured, Maybe: true},
			{Demand: RelocsLinked, Else: Ignores, How: "readelf prints nothing; objdump prints the section", From: Measured, Maybe: true},
		}, libsframe3Header(howRefuses), []Check{
			{Demand: NoRelocElsewhere, Else: Misreads, How: howRelocs, From: Measured, Maybe: true},
		}, libsframe3Tables(howRefuses), []Check{
			{Demand: RowsFound, Else: Crashes, How: howBeyond, From: Measured, Maybe: true, Order: LittleEndian},
			{Demand: FREType, Else: Crashes, How: howAsserts, From: Measured, Order: LittleEndian},
			{Demand: FDEOffZero, Else: Misreads, How: "it prints function addresses that are sfh_fdeoff bytes too low", From: Measured, Arg: flags(pcrel)},
			{Demand: RowsInFunction, Else: Crashes, How: howAsserts, From: Measured, Arg: atMost(6)},
			{Demand: WordBytes, Else: Crashes, How: "it writes beyond a buffer of six words of 4 bytes", From: "libsframe", Maybe: true, Arg: atMost(24)},
			{Demand: FlexCFA, Else: Crashes, How: howAsserts, From: Measured},
			{Demand: FlexKnownABI, Else: Crashes, How: howAsserts, From: Measured},
			{Demand: WordCount, Else: Misreads, How: howStale + ", or aborts on an assertion", From: Measured, Maybe: true, Arg: atMost(6)},
			{Demand: BareWordSize, Else: Misreads, How: howStale, From: "libsframe"},
			{Demand: FDEType, Else: Misreads, How: "it reads the words as those of the default type", From: "libsframe"},
			{Demand: FlexPairs, Else: Misreads, How: "it treats the rule as absent", From: "libsframe"},
			{Demand: FixedRA, Else: Misreads, How: howHeader, From: "libsframe"},
			{Demand: FixedFP, Else: Misreads, How: howHeader, From: "libsframe"},
			{Demand: OneHeader, Else: Misreads, How: howFirst, From: Measured},
		}),
		Ignores: ignoresOfLibsframe,
		Sources: []Source{srcLibsframe, srcV3, measured("objdump and readelf 2.47.50")},
		Notes: []string{
			"The exit status is 0 even if the section cannot be decoded; only the message shows it.",
			"Of an object with two sections named .sframe, objdump prints the first.",
		},
		Tools: "sid-ARCH-objdump, sid-ARCH-readelf",
	},
	{
		Name: "libsframe-api-2.47", Family: "libsframe-api", First: "2.46", Last: "2.47", Role: Unwinder,
		Title: "programs that look up PCs with the functions of libsframe 3 (binutils 2.46 and 2.47)",
		Checks: slices.Concat([]Check{
			{Demand: NotEmpty, Else: Rejects, How: howNoDecoder, From: Measured},
			{Demand: WholeHeader, Else: Rejects, How: howNoDecoder, From: Measured},
			{Demand: Magic, Else: Rejects, How: howNoDecoder, From: Measured},
		}, libsframe3Header(howNoDecoder), libsframe3Tables(howNoDecoder), []Check{
			{Demand: FlagsSet, Else: Rejects, How: howNoLookup, From: Measured, Arg: flags(sorted)},
			{Demand: FlagsSet, Else: Rejects, How: "it takes starts as relative to their fields, and finds other functions or none", From: Measured, Maybe: true, Arg: flags(pcrel)},
			{Demand: RowsFound, Else: Crashes, How: howBeyond, From: Measured, Maybe: true, Order: LittleEndian},
			{Demand: FREType, Else: Crashes, How: howAsserts, From: Measured, Order: LittleEndian},
			{Demand: FDEOffZero, Else: Misreads, How: "it takes starts for sfh_fdeoff bytes too low", From: Measured, Arg: flags(pcrel)},
			{Demand: StartsAscend, Else: Rejects, How: "its bisection does not find every function", From: Measured, Maybe: true},
			{Demand: NearFunctions, Else: Misreads, How: "it cuts the distance of a PC from a function's start to 32 bits, and may take it for one inside the function", From: Measured, Maybe: true, Arg: atMost(32)},
			{Demand: SomeRows, Else: Rejects, How: howNoLookup, From: Measured},
			{Demand: RowsAscend, Else: Rejects, How: "it does not find every FRE", From: Measured, Maybe: true},
			{Demand: RepSize, Else: Crashes, How: howDivides, From: Measured},
			{Demand: WordCount, Else: Misreads, How: "it returns an FRE without words", From: Measured, Arg: atMost(6)},
			{Demand: FDEType, Else: Misreads, How: "it reads the words as those of the default type", From: Measured},
			{Demand: FlexNoPadding, Else: Misreads, How: "sframe_fre_get_ra_offset returns the control word of FP as the offset of RA, and reports no error", From: Measured},
			{Demand: FixedRA, Else: Misreads, How: howHeader, From: Measured},
			{Demand: FixedFP, Else: Misreads, How: howHeader, From: Measured},
			{Demand: OneHeader, Else: Misreads, How: "it finds only the functions of the first header", From: Measured},
		}),
		Ignores: []string{
			"the ABI against the file, reserved bits, the pauth key on other ABIs",
			"whether functions overlap (of two with a PC it may find either) or are empty, gaps, shared FREs, bytes after the FREs (in little-endian sections)",
		},
		Sources: []Source{srcLibsframe, measured("libsframe.so.3 of binutils 2.47.50")},
		Notes: []string{
			"The section is what a program hands over: containers are not looked at.",
			"A word for RA or FP that is 0 in a default FRE is returned as the offset 0, as is padding.",
		},
		Tools: "libsframe.so.3",
	},
}
