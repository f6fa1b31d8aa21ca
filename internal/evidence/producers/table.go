// Package producers is the table of the programs that write SFrame data: their
// versions, what the sections that they write look like, and which rules their
// output breaks by habit.
package producers

import "github.com/sframe-lint/sframe-lint/model"

// Producer is a program that writes SFrame data.
type Producer struct {
	Name        string // on command lines and in configurations
	Title       string // in texts
	Package     string // what it is distributed in
	First, Last string // versions that are known
	Links       bool   // it links files; others assemble them
	Mark        string // part of .comment, or a section, of files that it links; "": none
	Output      []Output
	Quirks      []Quirk
}

// Output is what sections of a producer look like in a range of its versions.
type Output struct {
	First, Last string // versions, "" for the producer's first or last
	Version     model.Version
	PCRelative  bool // SFRAME_F_FDE_FUNC_START_PCREL is set
	Sorted      bool // SFRAME_F_FDE_SORTED is set in relocatable files, where no other producer sets it with PCREL
}

// Quirk is a rule that the output of a producer breaks by habit.
type Quirk struct {
	Rule        string
	First, Last string // versions, "" for the producer's first or last
	When        string // "" where only the version decides
	// Named quirks become notes if the file shows that this producer wrote it. They harm no consumer, or the harm is
	// limited and known, and only the producer's author can end it.
	Named bool
	// Section limits a named quirk to functions in sections of this name; "": all.
	Section string
}

// relocatable is said of quirks in relocatable files that a linker writes.
const relocatable = "with -r"

// binutils is what its assembler and its linker write.
var binutils = []Output{
	{Last: "2.40", Version: model.SFRAME_VERSION_1},
	{First: "2.41", Last: "2.44", Version: model.SFRAME_VERSION_2},
	{First: "2.45", Last: "2.45", Version: model.SFRAME_VERSION_2, PCRelative: true},
	{First: "2.46", Version: model.SFRAME_VERSION_3, PCRelative: true},
}

var table = []Producer{
	{"gas", "GNU as", "binutils", "2.40", "2.47", false, "", binutils, []Quirk{
		{Rule: "SF1004", Last: "2.40"},
		{Rule: "SF2009", Named: true},
		{Rule: "SF2023", First: "2.46", Last: "2.47", When: "for signal frames with CFI that it cannot express", Named: true},
		{Rule: "SF3006", Named: true},
		{Rule: "SF5002", First: "2.45", Last: "2.45"},
		{Rule: "SF5003", Last: "2.44", Named: true},
	}},
	{"gnu-ld", "GNU ld", "binutils", "2.40", "2.47", true, "", binutils, []Quirk{
		{Rule: "SF1004", Last: "2.40"},
		{Rule: "SF1017", Last: "2.44", When: relocatable, Named: true},
		{Rule: "SF2008", First: "2.41", Last: "2.44", Named: true},
		{Rule: "SF2011", Last: "2.44", When: relocatable, Named: true},
		{Rule: "SF2013", Last: "2.44", When: relocatable},
		{Rule: "SF3121", When: "for AArch64, with veneers for errata", Named: true},
		{Rule: "SF5002", First: "2.47", Last: "2.47", When: relocatable + " given sections of version 2"},
		{Rule: "SF5003", Last: "2.44", Named: true},
		{Rule: "SF5010", Named: true},
		{Rule: "SF5016", Last: "2.44", When: relocatable},
		{Rule: "SF5017", Last: "2.44", When: relocatable},
		{Rule: "SF5018", Last: "2.44", When: relocatable},
		{Rule: "SF5019", Last: "2.45", When: relocatable, Named: true},
		{Rule: "SF5035", First: "2.47", Last: "2.47", When: "given sections of version 2"},
		{Rule: "SF6004", First: "2.46", Last: "2.47", When: "given sections of version 2"},
		{Rule: "SF6018", First: "2.41", Last: "2.47", When: "for .plt.got", Named: true, Section: ".plt.got"},
		{Rule: "SF6005", When: "for static programs, AArch64 and s390x, and 2.40 for .plt.got"},
	}},
	{"llvm-mc", "llvm-mc", "LLVM", "23", "23", false, "", []Output{{Version: model.SFRAME_VERSION_2, PCRelative: true}}, []Quirk{
		{Rule: "SF3006", Named: true},
	}},
	{"mold", "mold", "mold", "3", "3", true, "mold ", []Output{{Version: model.SFRAME_VERSION_3, PCRelative: true}}, []Quirk{{Rule: "SF6005"}}},
	{"oxcaml", "OxCaml", "OxCaml", every, every, false, "", []Output{
		{Version: model.SFRAME_VERSION_2, PCRelative: true, Sorted: true},
		{Version: model.SFRAME_VERSION_3, PCRelative: true, Sorted: true},
	}, nil},
	// These two copy the sections of their inputs.
	{"lld", "lld", "LLVM", "23", "23", true, "LLD ", nil, []Quirk{{Rule: "SF5009"}}},
	{"gold", "gold", "binutils", "2.40", "2.44", true, ".note.gnu.gold-version", nil, []Quirk{{Rule: "SF5009"}}},
}
