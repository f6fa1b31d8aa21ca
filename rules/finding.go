package rules

import (
	"cmp"
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/model"
)

// Finding is one fault that a rule reports, at exact bytes.
type Finding struct {
	Rule     *Rule
	Severity Severity
	// InSection says that Span counts from the start of Section, not of the object. HasPC says that PC is known. Both
	// are here to keep Finding small.
	InSection, HasPC bool
	// Place is the section that contains PC in a relocatable file: see [model.FDE.Place].
	Place uint32
	// Message says what was found and, after its last colon, the consequence.
	Message string
	// Help says what to do. It is the rule's remedy unless the rule gives better advice for this finding.
	Help string

	Path   string // as given
	Member string // name in the archive, "" for none

	// Section is the name of the section with the fault. It is "" for a fault of the container or in a raw section.
	Section      string
	SectionIndex int
	Span         model.Span
	Base         int64 // offset of the object in Path, as in reader.Object
	FileOffset   int64 // offset of the first byte in Path; for a thin archive, in the member's file

	FDE, FRE int // index, -1 for none
	Function string
	// At is the section that contains PC if no function there has a name, otherwise nil.
	At *Addr
	PC uint64 // address of the FRE or function if HasPC is set

	// Quirk is the producer that has this fault as a known habit, if the run has therefore lowered the finding to a
	// note. Otherwise it is "".
	Quirk string

	Fixes      []Fix       // byte-exact repairs, if any
	Correction *Correction // how to make the whole function right, nil if unknown
	// Frame shows the frame by the SFrame data and by another source if they differ, otherwise nil.
	Frame *Frame
	// Source is the source line of the code with the fault, nil if unknown.
	Source *Source
	// Listing shows the fields around the bytes. It is nil unless the run adds listings.
	Listing *Listing
}

// Correction has the CFI directives that make a function right, in order.
type Correction struct {
	Help       string // the directives in words, with offsets
	Start      uint64 // start of the function, as in [Finding.PC]
	Directives []Directive
	// AtCalls says that the rows are right at calls and wrong in prologues and epilogues.
	AtCalls bool
	// Cause is the common cause of several findings, nil if unknown. Findings with the same cause have equal
	// pointers.
	Cause *Cause
}

// Cause is a fault of a producer that makes many functions wrong.
type Cause struct {
	Text   string // "clang 19.1.7 wrote CFI that holds at calls only"
	Remedy string // how to fix all of these functions
}

// Directives returns the directives that make the whole function right, or nil if unknown.
func (f *Finding) Directives() []Directive {
	if f.Correction == nil {
		return nil
	}
	return f.Correction.Directives
}

// BlamesSource reports whether the remedy is a change of CFI directives. The code proves these directives, or the
// rule's Fix names them.
func (f *Finding) BlamesSource() bool {
	return f.Correction != nil || f.Rule.InSource && f.Help == f.Rule.Remedy()
}

// Cause returns the cause that this finding shares with others, or nil if unknown.
func (f *Finding) Cause() *Cause {
	if f.Correction == nil {
		return nil
	}
	return f.Correction.Cause
}

// Directive is a CFI directive that is missing in a source. It belongs after the existing directives at its offset
// and replaces the one that sets the same value.
type Directive struct {
	Offset uint64 // bytes from the start of the function
	Text   string // ".cfi_def_cfa_offset 16"
	After  int    // line of the previous instruction in the file of [Finding.Source], from 1; 0 if unknown
}

// Addr is a section that contains code.
type Addr struct {
	Section string
	Addr    uint64 // 0 in a relocatable file
}

// Address returns the PC of a finding relative to its section, such as ".plt+0x10". It returns "" if At is nil.
func (f *Finding) Address() string {
	if f.At == nil {
		return ""
	}
	return fmt.Sprintf("%s+0x%x", f.At.Section, f.PC-f.At.Addr)
}

// Source is a place in a source file, from debug information.
type Source struct {
	Path string // slash-separated; relative to the source root if the file is below it
	// first and last line, from 1
	Line, EndLine int
	// Text is the text of the first line. It is "" unless it was read: see [Finding.Listing].
	Text string
	// Function is the name of the innermost function, "" if unknown.
	Function string
	// Inlined are the calls at which Function was inlined, innermost first.
	Inlined []Call
}

// Call is a call at which a function was inlined into another one.
type Call struct {
	Path     string // as in Source; "" if unknown
	Line     int    // 0 if unknown
	Function string // name of the calling function, "" if unknown
}

// compare orders findings: by place in the file, then by rule.
func (f *Finding) compare(g *Finding) int {
	return cmp.Or(
		cmp.Compare(f.FileOffset, g.FileOffset),
		cmp.Compare(f.Rule.ID, g.Rule.ID),
		cmp.Compare(f.Span.Len, g.Span.Len),
		cmp.Compare(f.FDE, g.FDE),
		cmp.Compare(f.FRE, g.FRE),
		cmp.Compare(f.Message, g.Message),
	)
}

// Severity is how serious a finding is.
type Severity uint8

// Severities. Error: a conforming consumer misreads or rejects the data, or the
// format forbids it. Warning: the data is suspicious, or shows a quirk of a
// known producer. Note: advice. Off: not reported.
const (
	Off Severity = iota
	Note
	Warning
	Error
)

var severityNames = [...]string{Off: "off", Note: "note", Warning: "warning", Error: "error"}

func (s Severity) String() string { return severityNames[s] }

// ParseSeverity returns the severity with this name. It returns an error for other names.
func ParseSeverity(name string) (Severity, error) {
	for s, n := range severityNames {
		if n == name {
			return Severity(s), nil
		}
	}
	return Off, lookup.Unknown("level", name, []string{"error", "warning", "note", "off"}, "")
}

// Frame describes a stack frame at a PC by SFrame data and by other sources, for pictures of it.
type Frame struct {
	ABI model.ABI
	PC  uint64 // as [Finding.PC]
	// In a finding, the first side is SFrame data. There is a second side only if it differs.
	Sides []Side
	// Proof is the instructions that show which side is wrong, "" for none.
	Proof []string
	// Witness is a path through the code on which the row is wrong. It has a line for the entry and one for each
	// instruction that changes the base of the CFA.
	Witness []string
}

// Side has the recovery rules of one source for a frame.
type Side struct {
	Source string // "SFrame", "CFI" or "code"
	Row    model.Row
	Signed bool // RA is signed (AArch64)
}

// FrameOf returns the recovery rules of an FRE as a [Side] of a comparison.
func FrameOf(r model.FRE) Side {
	return Side{Source: "SFrame", Row: r.Row(), Signed: r.MangledRA()}
}

// Count formats a number with its noun: "1 row", "3 rows".
func Count[N int | int64 | uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprint(n) + " " + noun + "s"
}
