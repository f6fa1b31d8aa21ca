package consumers

const (
	howLeavesOut  = "it leaves out the function and reports no error"
	howBehindFREs = "it reads the bytes after the FRE sub-section as FREs"
)

// howCorrupted is how mold rejects a section.
const howCorrupted = "it prints \"corrupted .sframe section\", and the link fails"

// howOutOfRange is how mold rejects files with headers that point outside them.
const howOutOfRange = "it prints \"section header is out of range\", and the link fails"

// moldChecks returns mold's demands. Version 2.42 reads beyond the section
// where version 3 stops.
func moldChecks(from, beyond string, maybe bool, whole Check) []Check {
	return []Check{
		{Demand: Named, Else: Ignores, How: "it finds sections by their name", From: from},
		{Demand: NotEmpty, Else: Ignores, How: "it treats the section as absent", From: from},
		{Demand: WholeSection, Else: Rejects, How: howOutOfRange, From: from},
		{Demand: RelocsInFile, Else: Rejects, How: howOutOfRange, From: from},
		whole,
		{Demand: SymbolsExist, Else: Crashes, How: beyond, From: from, Maybe: maybe},
		{Demand: WholeHeader, Else: Rejects, How: howCorrupted, From: from},
		{Demand: Magic, Else: Rejects, How: howCorrupted, From: from},
		{Demand: NativeOrder, Else: Rejects, How: howCorrupted, From: from},
		{Demand: ABIOfMachine, Else: Rejects, How: "it prints \".sframe is incompatible\", and the link fails", From: from},
		{Demand: Version, Else: Ignores, How: "it drops the section and reports no error", From: from, Arg: accept(v3)},
		{Demand: HasFDEs, Else: Ignores, How: "there is nothing to merge", From: from},
		{Demand: HeaderInside, Else: Crashes, How: beyond, From: from, Maybe: maybe},
		{Demand: FDEsInside, Else: Crashes, How: beyond, From: from, Maybe: maybe},
		{Demand: RelocAddends, Else: Ignores, How: "it treats relocations of that type as absent, drops the section and reports no error", From: from},
		{Demand: Relocated, Else: Ignores, How: "it cannot find functions without relocations, drops the section and reports no error", From: from},
		{Demand: RowsInSection, Else: Crashes, How: beyond, From: from, Maybe: maybe},
		{Demand: RowsFound, Else: Misreads, How: howBehindFREs, From: from, Maybe: true},
		{Demand: FREType, Else: Misreads, How: "it reads start offsets of 8 or more bytes, and may read beyond the section", From: from, Maybe: true},
		{Demand: WordSize, Else: Misreads, How: "it reads words of 8 bytes, and may read beyond the section", From: from, Maybe: true},
		{Demand: RelocsOnStarts, Else: Misreads, How: howLeavesOut, From: from},
		{Demand: FunctionsDefined, Else: Misreads, How: howLeavesOut, From: from},
		{Demand: OwnOffsets, Else: Misreads, How: "it writes the offsets of the ABI into the output", From: from},
		{Demand: OneHeader, Else: Misreads, How: "it merges only the functions of the first header", From: from},
	}
}

var ignoresOfMold = []string{
	"the section type, the flags (relocations give the starts), the auxiliary header",
	"sfh_num_fres, sfh_fre_len",
	"the order of functions and FREs, the starts of FREs, the meaning of data words, reserved bits, rep_size",
}

var srcMoldIssue = Source{"issue", "The request for SFrame support", "https://github.com/rui314/mold/issues/1511"}

var linkers = []*Profile{
	{
		Name: "mold-2.42", Family: "mold", First: "2.42", Last: "2", Role: Linker,
		Title:   "mold 2.42",
		Checks:  moldChecks("mold", howBeyond, true, Check{Demand: RelocsWhole, Else: Rejects, How: howFails, From: "mold"}),
		Ignores: ignoresOfMold,
		Sources: []Source{
			{"mold", "src/input-files.cc and output-chunks.cc of mold 2.42", "https://github.com/rui314/mold/blob/v2.42.0/src/input-files.cc"},
			srcMoldIssue,
		},
		Notes: []string{
			"mold up to 2.41 does not support SFrame and does what lld does.",
			"Known only from the source.",
		},
	},
	{
		Name: "mold-3", Family: "mold", First: "3", Last: "3", Role: Linker,
		Title:   "mold 3",
		Checks:  moldChecks(Measured, "it panics", false, Check{Demand: RelocsWhole, Else: Crashes, How: "it panics", From: Measured}),
		Ignores: ignoresOfMold,
		Sources: []Source{srcMoldIssue, measured("mold 3.0.0")},
		Tools:   "sid-mold",
	},
	{
		Name: "lld-23", Family: "lld", First: "", Last: "23", Role: Linker,
		Title: "LLVM's lld up to 23",
		Checks: []Check{
			{Demand: NotEmpty, Else: Ignores, How: "it copies sections as they are", From: Measured},
			{Demand: WholeSection, Else: Rejects, How: howFails, From: Measured},
			{Demand: RelocsInFile, Else: Rejects, How: howFails, From: Measured},
			{Demand: SymbolsExist, Else: Rejects, How: howFails, From: Measured},
			{Demand: Understanding, Else: Ignores, How: "it concatenates the inputs' sections, each with its header, and keeps functions of discarded code", From: Measured},
		},
		Ignores: []string{"the contents of the section"},
		Sources: []Source{
			{"issue", "SFrame data of discarded code", "https://github.com/llvm/llvm-project/issues/156667"},
			measured("lld 23.1.4"),
		},
		Notes: []string{"The output of a link with a single SFrame input is as valid as the input, but not sorted."},
		Tools: "sid-lld",
	},
	{
		Name: "wild", Family: "wild", Role: Linker,
		Title: "wild with --wild-experimental-sframe",
		Checks: []Check{
			{Demand: Named, Else: Ignores, How: "it finds sections by their name", From: "wild"},
			{Demand: WholeHeader, Else: Ignores, How: "it treats the section as absent", From: "wild"},
			{Demand: Magic, Else: Rejects, How: "the link fails", From: "wild"},
			{Demand: ABIOneOf, Else: Rejects, How: "it reads only little-endian sections, and the link fails", From: "wild", Order: BigEndian, Arg: abis(abiAArch64, abiAMD64)},
			{Demand: Version, Else: Ignores, How: "it warns and concatenates the inputs' sections", From: "wild", Arg: accept(v2)},
			{Demand: FDEsInside, Else: Rejects, How: "the link fails", From: "wild"},
			{Demand: RowsInSection, Else: Rejects, How: "the link fails", From: "wild"},
			{Demand: FlagsSet, Else: Misreads, How: "it reads relocated starts, which count from their fields, as offsets from the section", From: "wild", Arg: flags(pcrel)},
			{Demand: OneHeader, Else: Misreads, How: "it merges only the functions of the first header", From: "wild"},
		},
		Ignores: []string{
			"the ABI and the fixed offsets: it uses those of the first input for all",
			"the FREs: it copies the bytes up to the next function's FREs",
			"all fields of FDEs except the start and the offset of the FREs; functions of discarded code stay in the output",
		},
		Sources: []Source{
			{"wild", "libwild/src/sframe.rs of wild", "https://github.com/wild-linker/wild/blob/main/libwild/src/sframe.rs"},
			{"pr", "SFrame support is disabled by default", "https://github.com/wild-linker/wild/pull/1871"},
			{"issue", "Version 3 is not supported", "https://github.com/wild-linker/wild/issues/1576"},
		},
		Notes: []string{
			"Without the option it does what lld does.",
			"Known only from the source.",
		},
	},
}
