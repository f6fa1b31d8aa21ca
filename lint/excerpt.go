package lint

import (
	"bytes"
	"io"
	"os"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Excerpt is the bytes that a finding is about, with some before and after them.
type Excerpt struct {
	// Off is where Data starts, and Mark the finding's bytes: both in the
	// section for a finding in one, else in the file. Mark may exceed Data.
	Off  int64
	Data []byte
	Mark model.Span
}

// ExcerptKey identifies an excerpt of an object.
type ExcerptKey struct {
	InSection bool
	Section   int
	FileSpan  model.Span
}

// ExcerptKeyOf returns the key of a finding's excerpt.
func ExcerptKeyOf(f *rules.Finding) ExcerptKey {
	return ExcerptKey{f.InSection, f.SectionIndex, model.Span{Off: f.FileOffset, Len: f.Span.Len}}
}

// An excerpt has whole lines of 16 bytes: those with the finding's bytes, up to a
// maximum, and one before and after them.
const (
	excerptLine = 16
	maxExcerpt  = 10 * excerptLine
)

// MaxExcerpts is how many excerpts an object has at most. The most severe findings have
// them first.
const MaxExcerpts = 5000

// excerpts copies the bytes around findings, while the object is visited.
func excerpts(o *reader.Object, path string, findings []rules.Finding) map[ExcerptKey]Excerpt {
	out := map[ExcerptKey]Excerpt{}
	for s := rules.Error; s > rules.Off && len(out) < MaxExcerpts; s-- {
		addExcerpts(out, o, path, findings, s)
	}
	return out
}

// addExcerpts adds the excerpts of the findings with a severity.
func addExcerpts(out map[ExcerptKey]Excerpt, o *reader.Object, path string, findings []rules.Finding, s rules.Severity) {
	var file io.ReaderAt
	for i := range findings {
		f := &findings[i]
		key := ExcerptKeyOf(f)
		if _, ok := out[key]; ok || f.Severity != s {
			continue
		}
		if len(out) == MaxExcerpts {
			return
		}
		if f.InSection {
			if data, ok := sectionOf(o, f); ok {
				out[key] = cutOut(bytes.NewReader(data), int64(len(data)), f.Span)
			}
			continue
		}
		if f.Span.Len == 0 && f.Span.Off == 0 {
			continue // about the whole of it
		}
		if file == nil {
			opened, err := os.Open(path)
			if err != nil {
				return // standard input, or removed meanwhile
			}
			defer opened.Close()
			file = opened
		}
		at := model.Span{Off: f.FileOffset, Len: f.Span.Len}
		out[key] = cutOut(file, o.Base+o.Size, at)
	}
}

// sectionOf returns the bytes of the section that a finding is in.
func sectionOf(o *reader.Object, f *rules.Finding) ([]byte, bool) {
	i := sectionIndex(o, f)
	if i < 0 {
		return nil, false
	}
	return o.SFrames[i].Data, true
}

// sectionIndex returns the index of the section that a finding is in, -1 for none.
func sectionIndex(o *reader.Object, f *rules.Finding) int {
	return slices.IndexFunc(o.SFrames, func(s *reader.SFrame) bool {
		return s.Index == f.SectionIndex && o.Base+s.Offset+f.Span.Off == f.FileOffset
	})
}

// cutOut reads the bytes around a span of size bytes.
func cutOut(r io.ReaderAt, size int64, at model.Span) Excerpt {
	from := max(at.Off&^(excerptLine-1)-excerptLine, 0)
	to := (at.End()+excerptLine-1)&^(excerptLine-1) + excerptLine
	to = min(to, from+maxExcerpt, size)
	e := Excerpt{Off: from, Mark: at}
	if to > from {
		data := make([]byte, to-from)
		n, _ := r.ReadAt(data, from)
		e.Data = data[:n]
	}
	return e
}
