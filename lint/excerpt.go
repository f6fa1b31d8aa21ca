package lint

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Excerpt is the bytes that a finding is about and some around them.
type Excerpt struct {
	// Off is where Data starts, and Mark the finding's bytes: both in the
	// section for a finding in one, else in the file. Mark may go on behind
	// Data.
	Off  int64
	Data []byte
	Mark model.Span
}

// ExcerptKey tells the excerpts of an object apart.
type ExcerptKey struct {
	InSection bool
	Section   int
	FileSpan  model.Span
}

// ExcerptKeyOf returns the key of a finding's excerpt.
func ExcerptKeyOf(f *rules.Finding) ExcerptKey {
	return ExcerptKey{f.InSection, f.SectionIndex, model.Span{Off: f.FileOffset, Len: f.Span.Len}}
}
