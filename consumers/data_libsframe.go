package consumers

import "slices"

// What readers of libsframe's generations do, as clauses.
const (
	howRefuses    = "the dump stops at an error message"
	howBeyond     = "it reads beyond the bytes that it has"
	howAsserts    = "an assertion ends the program"
	howStale      = "it shows the row in front of it once more, or nothing sensible"
	howDiverted   = "it looks for the rest in the wrong place"
	howBytes      = "it takes them for bytes, and the rows behind for others"
	howSwaps      = "it swaps bytes that are no FDEs"
	howSwapsTwice = "it swaps the bytes twice"
	howFirst      = "it shows the functions of the first header alone"
	howHeader     = "it goes by the header and takes words for others"
	howWrongSize  = "to swap the bytes it takes entries of 17 bytes for ones of 20"
	howRelocs     = "it applies all relocations before it reads, and overwrites data"
)

// libsframeOpening is how every generation starts.
func libsframeOpening() []Check {
	return []Check{
		{Demand: Named, Else: Ignores, How: "it finds sections by their name", From: Measured},
		{Demand: NotEmpty, Else: Rejects, How: "there is nothing to show", From: Measured},
		{Demand: WholeSection, Else: Rejects, How: "it does not read the section", From: Measured},
		{Demand: RelocSize, Else: Rejects, How: "objdump does not take the file; readelf corrects the size", From: Measured, Maybe: true},
		{Demand: WholeHeader, Else: Rejects, How: howRefuses, From: "libsframe"},
		{Demand: Magic, Else: Rejects, How: howRefuses, From: "libsframe"},
	}
}

// libsframeSwapped is what the older generations demand when they swap
// bytes, which is where they look closest.
func libsframeSwapped() []Check {
	return []Check{
		{Demand: FDEsInside, Else: Crashes, How: howSwaps, From: Measured, Maybe: true, Order: BigEndian},
		{Demand: FREType, Else: Crashes, How: howAsserts, From: Measured, Maybe: true, Order: BigEndian},
		{Demand: RowsFound, Else: Crashes, How: howBeyond, From: Measured, Maybe: true, Order: BigEndian},
		{Demand: FREsInside, Else: Crashes, How: howBeyond, From: Measured, Maybe: true, Order: BigEndian},
		{Demand: WordSize, Else: Misreads, How: howBytes, From: Measured, Maybe: true, Ends: true, Order: BigEndian},
		{Demand: RowsUnshared, Else: Misreads, How: howSwapsTwice, From: Measured, Maybe: true, Ends: true, Order: BigEndian},
		{Demand: CountsAgree, Else: Rejects, How: "it counts rows, and refuses the section", From: Measured, Order: BigEndian},
		{Demand: BytesAdd, Else: Rejects, How: "it counts bytes, and refuses the section", From: Measured, Order: BigEndian},
	}
}

// libsframeOld is what generations before 2.46 demand of FDEs and rows:
// they lay both sub-sections directly behind the header.
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

// libsframeShown is what matters besides to those that show rows.
func libsframeShown() []Check {
	return []Check{
		{Demand: SomeWords, Else: Misreads, How: "it knows no rows without words, which errata 2 of version 2 brought", From: Measured},
		{Demand: FixedRA, Else: Misreads, How: howHeader, From: Measured},
		{Demand: FixedFP, Else: Misreads, How: howHeader, From: Measured},
	}
}

var ignoresOfLibsframe = []string{
	"the order of functions and of rows, the SORTED flag",
	"where functions are, whether they overlap or have a byte",
	"reserved bits, the repetition size, the pauth key on other ABIs",
	"the ABI against the ELF header, the fixed offsets against the ABI",
	"gaps, sharing, bytes behind the FREs (in little-endian sections)",
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
			"objdump says \"file format not recognized\" where it means that it cannot decode the section; readelf says \"Out of Memory\".",
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
			{Demand: Version, Else: Rejects, How: "it shows the header alone", From: Measured, Arg: accept(v2)},
		}, libsframeSwapped(), libsframeOld(), libsframeShown(), []Check{
			{Demand: ABINoneOf, Else: Misreads, How: "it shows the words of s390x as they are", From: "libsframe", Arg: abis(abiS390X)},
		}),
		Ignores: ignoresOfLibsframe,
		Sources: []Source{srcLibsframe, srcV2, srcPCRel, measured("objdump and readelf 2.44")},
		Notes: []string{
			"A section of errata 1 has the flag FDE_FUNC_START_PCREL, so that these versions read no such section.",
			"objdump says \"file format not recognized\" where it means that it cannot decode the section; readelf says \"Out of Memory\".",
		},
		Tools: "trixie-ARCH-objdump, trixie-ARCH-readelf",
	},
	{
		Name: "libsframe-2.47", Family: "libsframe", First: "2.46", Last: "2.47", Role: Tool,
		Title: "objdump and readelf of GNU binutils 2.46 and 2.47",
		Checks: slices.Concat(libsframeOpening(), []Check{
			{Demand: RelocsInFile, Else: Rejects, How: "objdump does not show the section; readelf does", From: Measured, Maybe: true},
			{Demand: RelocsLinked, Else: Ignores, How: "readelf shows nothing; objdump does", From: Measured, Maybe: true},
			{Demand: Version, Else: Rejects, How: howRefuses, From: Measured, Arg: accept(v2, v3)},
			{Demand: FlagsKnown, Else: Rejects, How: howRefuses, From: Measured, Versions: versions(v2), Arg: flags(sorted | framePointer | pcrel)},
			{Demand: FlagsKnown, Else: Rejects, How: howRefuses, From: Measured, Versions: versions(v3), Arg: flags(sorted | pcrel)},
			{Demand: NoAuxHeader, Else: Rejects, How: "it does not know how to swap its bytes", From: "libsframe", Order: BigEndian},
			{Demand: OffsetsOrdered, Else: Rejects, How: howRefuses, From: Measured},
			{Demand: NoRelocElsewhere, Else: Misreads, How: howRelocs, From: Measured, Maybe: true},
			{Demand: HeaderInside, Else: Crashes, How: howBeyond, From: Measured, Maybe: true},
			{Demand: FewFDEs, Else: Rejects, How: "there is not so much memory", From: Measured, Maybe: true, Order: LittleEndian, Arg: atMost(1 << 30)},
			{Demand: FDEsInside, Else: Crashes, How: howSwaps, From: Measured, Maybe: true, Order: BigEndian},
			{Demand: FDEsInside, Else: Crashes, How: howBeyond, From: Measured, Maybe: true, Order: LittleEndian},
			{Demand: RowsFound, Else: Rejects, How: howRefuses, From: Measured, Maybe: true, Order: BigEndian},
			{Demand: FREType, Else: Crashes, How: howAsserts, From: Measured, Maybe: true, Order: BigEndian},
			{Demand: WordSize, Else: Misreads, How: howBytes, From: Measured, Maybe: true, Ends: true},
			{Demand: RowsUnshared, Else: Misreads, How: howSwapsTwice, From: Measured, Maybe: true, Ends: true, Order: BigEndian},
			{Demand: FREsBehind, Else: Rejects, How: howRefuses, From: Measured, Order: BigEndian},
			{Demand: CountsAgree, Else: Rejects, How: howRefuses, From: Measured, Order: BigEndian},
			{Demand: ZeroTail, Else: Rejects, How: howRefuses, From: Measured, Order: BigEndian},
			{Demand: FREsInside, Else: Crashes, How: howBeyond, From: Measured, Maybe: true},
			{Demand: RowsFound, Else: Crashes, How: howBeyond, From: Measured, Maybe: true, Order: LittleEndian},
			{Demand: FREType, Else: Crashes, How: howAsserts, From: Measured, Order: LittleEndian},
			{Demand: FDEOffZero, Else: Misreads, How: "it shows functions sfh_fdeoff bytes too low", From: Measured, Arg: flags(pcrel)},
			{Demand: RowsInFunction, Else: Crashes, How: howAsserts, From: Measured, Arg: atMost(6)},
			{Demand: WordBytes, Else: Crashes, How: "it writes beyond a buffer of six words of 4 bytes", From: "libsframe", Maybe: true, Arg: atMost(24)},
			{Demand: FlexCFA, Else: Crashes, How: howAsserts, From: Measured},
			{Demand: FlexKnownABI, Else: Crashes, How: howAsserts, From: Measured},
			{Demand: WordCount, Else: Misreads, How: howStale + ", or an assertion ends it", From: Measured, Maybe: true, Arg: atMost(6)},
			{Demand: BareWordSize, Else: Misreads, How: howStale, From: "libsframe"},
			{Demand: FDEType, Else: Misreads, How: "it reads the words as those of the default type", From: "libsframe"},
			{Demand: FlexPairs, Else: Misreads, How: "it takes the rule for absent", From: "libsframe"},
			{Demand: FixedRA, Else: Misreads, How: howHeader, From: "libsframe"},
			{Demand: FixedFP, Else: Misreads, How: howHeader, From: "libsframe"},
			{Demand: OneHeader, Else: Misreads, How: howFirst, From: Measured},
		}),
		Ignores: ignoresOfLibsframe,
		Sources: []Source{srcLibsframe, srcV3, measured("objdump and readelf 2.47.50")},
		Notes: []string{
			"The exit status is 0 even where the section cannot be decoded; the message alone tells.",
			"Of an object with two sections called .sframe, objdump shows the first.",
		},
		Tools: "sid-ARCH-objdump, sid-ARCH-readelf",
	},
}
