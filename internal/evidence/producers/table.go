// Package producers is a table of the programs that write SFrame data. It has their versions, the features of the
// sections that they write, and the rules that their output breaks by habit.
package producers

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/model"
)

// Producer is a program that writes SFrame data.
type Producer struct {
	Name        string // name on command lines and in configurations
	Title       string // name in texts
	Package     string // the package that contains the program
	First, Last string // known versions
	Links       bool   // a linker; the others are assemblers
	Mark        string // a part of .comment, or a section name, in each file that the linker writes; "" for none
	Output      []Output
	Quirks      []Quirk
}

// Output is the features of the sections that a producer writes, for a range of versions.
type Output struct {
	First, Last string // "" for the first or last version of the producer
	Version     model.Version
	PCRelative  bool // SFRAME_F_FDE_FUNC_START_PCREL is set
	Sorted      bool // SFRAME_F_FDE_SORTED is set in relocatable files; no other producer sets it there together with PCREL
}

// Quirk is a rule that a producer's output breaks by habit.
type Quirk struct {
	Rule        string
	First, Last string // "" for the first or last version of the producer
	When        string // the condition for the quirk; "" if only the version matters
	// Named marks a quirk whose findings become notes if the file shows that this producer wrote it. Such a quirk
	// harms no consumer, or does limited and known harm, and only the producer can be fixed.
	Named bool
	// Section limits a named quirk to functions in sections of this name. If it is "", the quirk applies to all
	// sections.
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

// Compiler is a program that writes CFI directives for the code it compiles.
type Compiler struct{ Name, Version string }

func (c Compiler) String() string { return c.Name + " " + c.Version }

var (
	clangText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bclang version (\d+(?:\.\d+)*)`) })
	gccText   = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:GNU (?:[A-Z]\S*|\S+\+\+\S*)|GCC:(?: \([^)]*\))?) (\d+(?:\.\d+)*)`)
	})
)

// CompilerOf returns the compiler that text names. text is a producer in debug information, or a string in .comment.
// CompilerOf reports false for assemblers.
func CompilerOf(text string) (Compiler, bool) {
	if m := clangText().FindStringSubmatch(text); m != nil {
		return Compiler{"clang", m[1]}, true
	}
	if m := gccText().FindStringSubmatch(text); m != nil && !strings.HasPrefix(text, "GNU AS ") {
		return Compiler{"GCC", m[1]}, true
	}
	return Compiler{}, false
}

// Wrong is CFI that machine code contradicts, as described by a finding.
type Wrong struct {
	ABI         model.ABIInfo
	Rule        string
	Says, Truth model.Recovery // stated and actual rule for the CFA; Invalid if not known
	Proof       []string       // the instructions that contradict the CFI
	AtCalls     bool           // the rows are wrong in a way that suggests CFI for calls only
}

// wrongCFI is a known fault in the CFI that a compiler writes.
type wrongCFI struct {
	compiler    string
	first, last string // versions, "" for no bound
	about       string
	avoid       string // what to do
	of          func(*Wrong) bool
}

// ofCode reports whether a rule is one of those that hold rows and CFI against code.
func ofCode(w *Wrong) bool {
	switch w.Rule {
	case "SF3112", "SF3114", "SF3115", "SF3116", "SF6022":
		return true
	}
	return false
}

var compilerFaults = []wrongCFI{
	{
		compiler: "GCC", first: "12", last: "12", about: "it schedules the instruction that restores SP from a floating-point register after the place of its directive",
		avoid: "compile with -fno-schedule-insns2",
		of: func(w *Wrong) bool {
			return w.ABI.LSBRegs && ofCode(w) && w.Says.Kind == model.InRegister && w.Says.Reg == w.ABI.SP && w.Says.Offset == w.ABI.EntryCFA &&
				w.Truth.Kind == model.InRegister && w.Truth.Reg == w.ABI.SP && w.Truth.Offset > w.ABI.EntryCFA
		},
	},
	{
		compiler: "GCC", first: "12", last: "12", about: "with -mpacked-stack and -mbackchain it saves a floating-point register in the slot of r11, so that the code itself is wrong",
		avoid: "compile without -mpacked-stack",
		of: func(w *Wrong) bool {
			return w.ABI.LSBRegs && w.Rule == "SF3116" && len(w.Proof) > 0 && strings.Contains(w.Proof[len(w.Proof)-1], `"std %f`)
		},
	},
	{
		compiler: "GCC", first: "12", last: "12", about: "in epilogues of large frames the CFA still counts from x29, which has the caller's value again",
		avoid: "compile with -fomit-frame-pointer",
		of: func(w *Wrong) bool {
			return w.ABI.Pauth && ofCode(w) && w.Says.Kind == model.InRegister && w.Says.Reg == w.ABI.FP && w.Truth.Kind == model.InRegister && w.Truth.Reg == w.ABI.SP
		},
	},
	{
		compiler: "GCC", first: "12", last: "12", about: "after `leave` in a function that realigns its stack the CFI still has rbp in memory",
		avoid: "compile without -mstackrealign, and with alignments of at most 16 bytes",
		of:    func(w *Wrong) bool { return w.Rule == "SF3120" },
	},
	{
		compiler: "clang", last: "14", about: "its CFI for AArch64 holds at calls only, not in prologues and epilogues",
		avoid: "compile with clang 15 or later and -fasynchronous-unwind-tables",
		of:    func(w *Wrong) bool { return w.ABI.Pauth && w.AtCalls && ofCode(w) },
	},
	{
		compiler: "clang", about: "its CFI for s390x does not describe epilogues",
		avoid: "compile with GCC",
		of:    func(w *Wrong) bool { return w.ABI.LSBRegs && w.AtCalls && ofCode(w) },
	},
	{
		compiler: "clang", first: "15", about: "without asynchronous tables its CFI holds at calls only, not in prologues and epilogues",
		avoid: "compile with -fasynchronous-unwind-tables",
		of:    func(w *Wrong) bool { return w.ABI.Pauth && w.AtCalls && ofCode(w) },
	},
}

// Known describes the known fault of the compiler that explains w, and how to avoid the fault. It reports false if no
// known fault explains w.
func (c Compiler) Known(w *Wrong) (about, avoid string, ok bool) {
	for _, f := range compilerFaults {
		if f.compiler == c.Name && between(c.Version, f.first, f.last) && f.of(w) {
			return f.about, f.avoid, true
		}
	}
	return "", "", false
}

// Advice returns what to do about wrong CFI that the compiler has written.
func (c Compiler) Advice(w *Wrong) string {
	if about, avoid, ok := c.Known(w); ok {
		return fmt.Sprintf("%s wrote the CFI, and the fault is known: %s; %s", c, about, avoid)
	}
	return fmt.Sprintf("%s wrote the CFI: report the fault to its authors", c)
}

// CallsOnly reports whether the compiler may write CFI that is valid only at calls. The CFI of GCC also describes
// prologues and epilogues.
func (c Compiler) CallsOnly() bool { return c.Name == "clang" }
