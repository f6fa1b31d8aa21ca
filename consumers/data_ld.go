package consumers

import "slices"

// Actions of GNU ld, as clauses.
const (
	howConcatenates = "it prints \"no .sframe will be created\" and concatenates the inputs' sections"
	howIgnoresInput = "it prints \"SFrame section ignored\" and leaves out the input's functions"
	howFails        = "the link fails"
	howAbsent       = "it treats the section as absent"
	howNoRelocs     = "it uses relocations that it could not read: it aborts on an assertion or crashes"
	howNullRelocs   = "it dereferences a null pointer to the relocations"
	howStarts       = "it uses the value that the relocation leaves in the field, so the function's start is wrong"
	howNowhere      = "it keeps the FDE with a start outside the code"
	howPairs        = "it uses the n-th relocation for the n-th FDE, whatever its offset is"
)

// ldOld returns the demands of ld up to 2.44. decode has the demands on sections
// that it can read, merge the demands on those that it can merge.
func ldOld(decode, merge []Check) []Check {
	return slices.Concat([]Check{
		{Demand: Named, Else: Ignores, How: "it finds sections by their name", From: "bfd"},
		{Demand: NotEmpty, Else: Ignores, How: howAbsent, From: Measured},
		{Demand: WholeSection, Else: Rejects, How: "it rejects the file", From: Measured},
		{Demand: RelocsInFile, Else: Rejects, How: "it rejects the file", From: Measured},
		{Demand: RelocSize, Else: Rejects, How: "it rejects the file", From: Measured},
		{Demand: SymbolsExist, Else: Rejects, How: howFails, From: Measured},
		{Demand: WholeHeader, Else: Rejects, How: howConcatenates, From: Measured},
		{Demand: Magic, Else: Rejects, How: howConcatenates, From: Measured},
	}, decode, []Check{
		{Demand: FlagsKnown, Else: Rejects, How: howConcatenates, From: Measured, Arg: flags(sorted | framePointer)},
		{Demand: OffsetsOrdered, Else: Rejects, How: howConcatenates, From: "libsframe"},
	}, libsframeSwapped(), []Check{
		{Demand: SomeABI, Else: Rejects, How: howFails, From: Measured},
		{Demand: Relocated, Else: Crashes, How: howNullRelocs, From: "bfd"},
		{Demand: RelocsWhole, Else: Crashes, How: howNoRelocs, From: Measured},
		{Demand: RelocsLinked, Else: Crashes, How: howNoRelocs, From: Measured},
	}, merge, []Check{
		{Demand: HasFDEs, Else: Ignores, How: "there is nothing to merge", From: Measured},
		{Demand: SpareRelocsNone, Else: Rejects, How: howFails, From: Measured},
		{Demand: RelocsInOrder, Else: Misreads, How: howPairs, From: "bfd"},
		{Demand: RelocTypes, Else: Misreads, How: howStarts, From: "bfd", Maybe: true},
		{Demand: FunctionsDefined, Else: Misreads, How: howNowhere, From: "bfd"},
	}, libsframeOld())
}

// ldNew returns the demands of ld on FDEs and relocations since 2.46.
func ldNew() []Check {
	return []Check{
		{Demand: Relocated, Else: Crashes, How: howNullRelocs, From: Measured},
		{Demand: RelocsWhole, Else: Crashes, How: howNoRelocs, From: Measured},
		{Demand: RelocsLinked, Else: Crashes, How: howNoRelocs, From: Measured},
		{Demand: OneRelocEach, Else: Rejects, How: howFails, From: Measured},
		{Demand: RelocsInOrder, Else: Misreads, How: howPairs, From: "bfd"},
		{Demand: RelocTypes, Else: Misreads, How: howStarts, From: Measured, Maybe: true},
		{Demand: FunctionsDefined, Else: Misreads, How: howNowhere, From: Measured},
		{Demand: FREType, Else: Crashes, How: howAsserts, From: Measured},
		{Demand: RowsInFunction, Else: Crashes, How: howAsserts, From: Measured, Arg: atMost(6)},
		{Demand: WordSize, Else: Crashes, How: howAsserts, From: Measured},
		{Demand: WordBytes, Else: Crashes, How: "it writes beyond a buffer of six words of 4 bytes", From: "libsframe", Maybe: true, Arg: atMost(24)},
		{Demand: BareWordSize, Else: Crashes, How: howAsserts, From: Measured},
		{Demand: WordCount, Else: Crashes, How: howAsserts, From: Measured, Arg: atMost(6)},
		{Demand: OneHeader, Else: Misreads, How: "it merges only the functions of the first header", From: Measured},
	}
}

var ignoresOfLD = []string{
	"the order of functions and of FREs, the SORTED flag: it sorts functions itself",
	"whether functions overlap or are empty",
	"reserved bits, rep_size, the meaning of data words",
	"the ABI against the ELF header",
	"gaps, shared FREs, bytes after the FREs (in little-endian sections)",
}

var gnuLD = []*Profile{
	{
		Name: "gnu-ld-2.40", Family: "gnu-ld", First: "2.40", Last: "2.40", Role: Linker,
		Title: "GNU ld 2.40",
		Checks: ldOld([]Check{
			{Demand: Version, Else: Rejects, How: howConcatenates, From: Measured, Arg: accept(v1)},
		}, nil),
		Ignores: append([]string{"the section type"}, ignoresOfLD...),
		Sources: []Source{srcBFD, srcLibsframe, measured("GNU ld 2.40")},
		Notes: []string{
			"All inputs must have the same ABI.",
			"`--gc-sections` discards every .sframe section.",
		},
		Tools: "bookworm-ARCH-ld",
	},
	{
		Name: "gnu-ld-2.44", Family: "gnu-ld", First: "2.41", Last: "2.44", Role: Linker,
		Title: "GNU ld 2.41 to 2.44",
		Checks: ldOld([]Check{
			{Demand: Version, Else: Rejects, How: howConcatenates, From: Measured, Arg: accept(v1, v2)},
			{Demand: Version, Else: Crashes, How: howWrongSize, From: Measured, Maybe: true, Versions: versions(v1), Order: BigEndian, Arg: accept(v2)},
		}, []Check{
			{Demand: Version, Else: Rejects, How: howFails, From: Measured, Arg: accept(v2)},
		}),
		Ignores: append([]string{"the section type"}, ignoresOfLD...),
		Sources: []Source{srcBFD, srcLibsframe, srcV2, srcPCRel, measured("GNU ld 2.44")},
		Notes: []string{
			"All inputs must have the same ABI and version.",
			"`--gc-sections` discards every .sframe section.",
			"They cannot link the output of their own `ld -r` if it discarded groups.",
		},
		Tools: "trixie-ARCH-ld",
	},
	{
		Name: "gnu-ld-2.45", Family: "gnu-ld", First: "2.45", Last: "2.45", Role: Linker,
		Title: "GNU ld 2.45",
		Checks: slices.Concat([]Check{
			{Demand: Named, Else: Ignores, How: "it finds sections by their name", From: "bfd"},
			{Demand: SectionType, Else: Rejects, How: "it prints \"unexpected SFrame section type\"", From: "bfd"},
			{Demand: NotEmpty, Else: Ignores, How: howAbsent, From: "bfd"},
			{Demand: WholeSection, Else: Rejects, How: "it rejects the file", From: "bfd"},
			{Demand: RelocsInFile, Else: Rejects, How: "it rejects the file", From: "bfd"},
			{Demand: RelocSize, Else: Rejects, How: "it rejects the file", From: "bfd"},
			{Demand: SymbolsExist, Else: Rejects, How: howFails, From: "bfd"},
			{Demand: WholeHeader, Else: Rejects, How: howConcatenates, From: "libsframe"},
			{Demand: Magic, Else: Rejects, How: howConcatenates, From: "libsframe"},
			{Demand: Version, Else: Rejects, How: howConcatenates, From: "bfd", Arg: accept(v1, v2)},
			{Demand: FlagsKnown, Else: Rejects, How: howConcatenates, From: "pcrel", Arg: flags(sorted | framePointer | pcrel)},
			{Demand: OffsetsOrdered, Else: Rejects, How: howConcatenates, From: "libsframe"},
		}, sourced("libsframe", libsframeSwapped()), []Check{
			{Demand: HasFDEs, Else: Ignores, How: "there is nothing to merge", From: "bfd"},
			{Demand: SomeABI, Else: Rejects, How: howFails, From: "bfd"},
			{Demand: Relocated, Else: Crashes, How: howNullRelocs, From: "bfd"},
			{Demand: RelocsWhole, Else: Crashes, How: howNoRelocs, From: "bfd"},
			{Demand: RelocsLinked, Else: Crashes, How: howNoRelocs, From: "bfd"},
			{Demand: SpareRelocsNone, Else: Rejects, How: howFails, From: "bfd"},
			{Demand: Version, Else: Rejects, How: howFails, From: "bfd", Arg: accept(v2)},
			{Demand: FlagsSet, Else: Rejects, How: "it prints \"unexpected data encoding\", and " + howFails, From: "bfd", Arg: flags(pcrel)},
			{Demand: RelocsInOrder, Else: Misreads, How: howPairs, From: "bfd"},
			{Demand: RelocTypes, Else: Misreads, How: howStarts, From: "bfd", Maybe: true},
			{Demand: FunctionsDefined, Else: Misreads, How: howNowhere, From: "bfd"},
		}, sourced("libsframe", libsframeOld())),
		Ignores: ignoresOfLD,
		Sources: []Source{srcBFD, srcLibsframe, srcPCRel},
		Notes:   []string{"All inputs must have the same ABI and version.", "Known only from the source, as of July 2025."},
	},
	{
		Name: "gnu-ld-2.46", Family: "gnu-ld", First: "2.46", Last: "2.47", Role: Linker,
		Title: "GNU ld 2.46 and 2.47",
		Checks: slices.Concat([]Check{
			{Demand: Named, Else: Ignores, How: "it finds sections by their name", From: "bfd"},
			{Demand: NotEmpty, Else: Ignores, How: howAbsent, From: Measured},
			{Demand: WholeSection, Else: Rejects, How: "it rejects the file", From: Measured},
			{Demand: RelocsInFile, Else: Rejects, How: "it rejects the file", From: Measured},
			{Demand: RelocSize, Else: Rejects, How: "it rejects the file", From: Measured},
			{Demand: SymbolsExist, Else: Rejects, How: howFails, From: Measured},
			{Demand: SectionType, Else: Rejects, How: "it prints \"unexpected SFrame section type; section ignored\" and leaves out the input's functions", From: Measured},
			{Demand: WholeHeader, Else: Rejects, How: howIgnoresInput, From: Measured},
			{Demand: Magic, Else: Rejects, How: howIgnoresInput, From: Measured},
			{Demand: Version, Else: Rejects, How: howIgnoresInput, From: Measured, Arg: accept(v2, v3)},
			{Demand: FlagsKnown, Else: Rejects, How: howIgnoresInput, From: Measured, Versions: versions(v2), Arg: flags(sorted | framePointer | pcrel)},
			{Demand: FlagsKnown, Else: Rejects, How: howIgnoresInput, From: Measured, Versions: versions(v3), Arg: flags(sorted | pcrel)},
			{Demand: NoAuxHeader, Else: Rejects, How: howIgnoresInput, From: "libsframe", Order: BigEndian},
			{Demand: OffsetsOrdered, Else: Rejects, How: howIgnoresInput, From: Measured},
			{Demand: HeaderInside, Else: Crashes, How: howBeyond, From: Measured, Maybe: true},
			{Demand: FewFDEs, Else: Rejects, How: howIgnoresInput, From: Measured, Maybe: true, Arg: atMost(1 << 30)},
			{Demand: FDEsInside, Else: Crashes, How: howSwaps, From: Measured, Maybe: true, Order: BigEndian},
			{Demand: FDEsInside, Else: Crashes, How: howBeyond, From: Measured, Maybe: true, Order: LittleEndian},
			{Demand: RowsFound, Else: Rejects, How: howIgnoresInput, From: Measured, Maybe: true, Order: BigEndian},
			{Demand: FREType, Else: Crashes, How: howAsserts, From: Measured, Maybe: true, Order: BigEndian},
			{Demand: WordSize, Else: Crashes, How: howBytes, From: Measured, Maybe: true, Order: BigEndian},
			{Demand: RowsUnshared, Else: Misreads, How: howSwapsTwice, From: Measured, Maybe: true, Ends: true, Order: BigEndian},
			{Demand: FREsBehind, Else: Rejects, How: howIgnoresInput, From: Measured, Order: BigEndian},
			{Demand: CountsAgree, Else: Rejects, How: howIgnoresInput, From: Measured, Order: BigEndian},
			{Demand: ZeroTail, Else: Rejects, How: howIgnoresInput, From: Measured, Order: BigEndian},
			{Demand: FREsInside, Else: Crashes, How: howBeyond, From: Measured, Maybe: true},
			{Demand: RowsFound, Else: Crashes, How: howBeyond, From: Measured, Maybe: true, Order: LittleEndian},
			{Demand: Version, Else: Rejects, How: "it prints \"unexpected SFrame format version\" and leaves out the input's functions", From: Measured, Arg: accept(v3)},
			{Demand: HasFDEs, Else: Ignores, How: "there is nothing to merge", From: Measured},
			{Demand: FlagsSet, Else: Rejects, How: "it prints \"unexpected SFrame data encoding\", and " + howFails, From: Measured, Arg: flags(pcrel)},
			{Demand: SomeABI, Else: Rejects, How: howFails, From: Measured},
		}, ldNew()),
		Ignores: ignoresOfLD,
		Sources: []Source{srcBFD, srcLibsframe, srcV3, measured("GNU ld 2.47.50")},
		Notes: []string{
			"All inputs must have the same ABI and version.",
			"If no input is left, the output has a .sframe section of size 0.",
		},
		Tools: "sid-ARCH-ld",
	},
}
