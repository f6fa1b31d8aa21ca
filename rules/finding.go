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
	// InSection says that Span counts from the start of Section instead of the object. HasPC
	// says that PC is known. They are here to keep findings small.
	InSection, HasPC bool
	// Place is the section that PC is in, in a relocatable file: see [model.FDE.Place].
	Place uint32
	// Message says what was found and, after its last colon, why that matters.
	Message string
	// Help says what to do. It is the remedy of the rule unless the rule knows a better one.
	Help string

	Path   string // as given
	Member string // name in the archive, "" for none

	// Section is the name of the section that the finding is about, "" for
	// one about the container or in a raw section.
	Section      string
	SectionIndex int
	Span         model.Span
	Base         int64 // of the object in Path, as in reader.Object
	FileOffset   int64 // of the first byte, in Path (in the member of a thin archive)

	FDE, FRE int // -1 for none
	Function string
	// At is the section that PC is in, if no function there has a name; otherwise it is nil.
	At *Addr
	PC uint64 // of the row or function; see HasPC

	// Quirk names the producer with this known habit, if a run has lowered the finding to a note for it; otherwise it
	// is "".
	Quirk string

	Fixes      []Fix       // byte-exact repairs, if any
	Correction *Correction // how to make all of the function right, nil if that is not known
	// Frame has the rules of SFrame data and another source for the frame if they
	// differ, else nil.
	Frame *Frame
	// Source is where the source text has the code that the finding is about, nil if it is
	// not known.
	Source *Source
	// Listing has the fields around the bytes, nil unless a run adds them.
	Listing *Listing
}

// Correction has the CFI directives that make a function right, in their order.
type Correction struct {
	Help       string // what says so, with offsets
	Start      uint64 // of the function, as [Finding.PC]
	Directives []Directive
	// AtCalls says that the rows of the function are wrong as those for calls only are: in prologues and epilogues.
	AtCalls bool
	// Cause is nil if it is not known; findings of an object with one cause have equal pointers.
	Cause *Cause
}

// Cause is a fault of a producer that makes many functions wrong.
type Cause struct {
	Text   string // "clang 19.1.7 wrote CFI that holds at calls only"
	Remedy string // for all of them
}

// Directives returns the directives that make all of the function right, or nil if they are unknown.
func (f *Finding) Directives() []Directive {
	if f.Correction == nil {
		return nil
	}
	return f.Correction.Directives
}

// BlamesSource reports whether the remedy is a change of CFI directives: those that the code proves, or those of the
// rule's Fix.
func (f *Finding) BlamesSource() bool {
	return f.Correction != nil || f.Rule.InSource && f.Help == f.Rule.Remedy()
}

// Cause returns the common cause of findings of an object, or nil if it is unknown.
func (f *Finding) Cause() *Cause {
	if f.Correction == nil {
		return nil
	}
	return f.Correction.Cause
}

// Directive is a CFI directive that a source lacks. It belongs after those that are at its offset from the start of
// the function already, and replaces the one that sets the same thing.
type Directive struct {
	Offset uint64 // bytes
	Text   string // ".cfi_def_cfa_offset 16"
	After  int    // the line of the instruction before it in the file of [Finding.Source], from 1; 0 if it is not known
}

// Addr is a section of code.
type Addr struct {
	Section string
	Addr    uint64 // 0 in a relocatable file
}

// Address returns where the PC of a finding is, as ".plt+0x10", "" if At is nil.
func (f *Finding) Address() string {
	if f.At == nil {
		return ""
	}
	return fmt.Sprintf("%s+0x%x", f.At.Section, f.PC-f.At.Addr)
}

// Source is a place in a source file, by debug information.
type Source struct {
	Path string // slash-separated, relative to the root of the sources if it is below it
	// Line and EndLine are the first and the last line, from 1.
	Line, EndLine int
	// Text is the first line, "" unless it was read: see [Finding.Listing].
	Text string
	// Function is the name of the innermost function, "" if debug information does not have it.
	Function string
	// Inlined are the calls that Function was inlined at, the innermost first.
	Inlined []Call
}

// Call is where a function was inlined into another one.
type Call struct {
	Path     string // as that of Source; "" if it is not known
	Line     int    // 0 if it is not known
	Function string // the one that has the call, "" if it is not known
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

// ParseSeverity reads the name of a severity.
func ParseSeverity(name string) (Severity, error) {
	for s, n := range severityNames {
		if n == name {
			return Severity(s), nil
		}
	}
	return Off, lookup.Unknown("level", name, []string{"error", "warning", "note", "off"}, "")
}

// Frame has the rules of SFrame data and other sources of the object for a stack frame
// at a PC, for pictures of it.
type Frame struct {
	ABI model.ABI
	PC  uint64 // as [Finding.PC]
	// Sides begin with SFrame data in a finding; there is another one only if it differs. An [Option] has the others.
	Sides []Side
	// Proof are the instructions that show which side is wrong, "" for none.
	Proof []string
	// Witness is a path of the code on which the row is wrong: a line for the entry and for each instruction that
	// changes what the row counts from.
	Witness []string
}

// Side has the rules of one source for a frame.
type Side struct {
	Source string // SFrame, CFI or code
	Row    model.Row
	Signed bool // RA is signed (AArch64)
}

// FrameOf returns the rules of an FRE as a side.
func FrameOf(r model.FRE) Side {
	return Side{Source: "SFrame", Row: r.Row(), Signed: r.MangledRA()}
}

// Count writes a number with its noun: "1 row", "3 rows".
func Count[N int | int64 | uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprint(n) + " " + noun + "s"
}
