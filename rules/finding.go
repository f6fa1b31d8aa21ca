package rules

import (
	"cmp"

	"github.com/sframe-lint/sframe-lint/model"
)

// Finding is one fault that a rule has found, at exact bytes.
type Finding struct {
	Rule     *Rule
	Severity Severity
	// InSection reports whether Span counts from the start of Section, else it counts from the
	// object's. HasPC reports whether PC is known. They stand here to keep findings small.
	InSection, HasPC bool
	Message          string

	Path   string // as given
	Member string // of an archive, "" outside of one

	// Section is the name of the section that the finding is about, "" for
	// one about the container or in a raw section.
	Section      string
	SectionIndex int
	Span         model.Span
	Base         int64 // of the object in Path, as in reader.Object
	FileOffset   int64 // of the first byte, in Path (in the member of a thin archive)

	FDE, FRE int // -1 where it is about none
	Function string
	PC       uint64 // of the row or function; see HasPC

	// Quirk names the producer whose known habit the finding is, where a run has made a note
	// of it for that reason; else it is "".
	Quirk string

	Fixes []Fix // byte-exact repairs, if there are any
	// Frame is what SFrame data and another source say of the frame, where they differ;
	// nil elsewhere.
	Frame *Frame
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
