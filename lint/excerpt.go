package lint

import (
	"bytes"
	"io"
	"os"
	"reflect"

	"github.com/sframe-lint/sframe-lint/internal/annotate"
	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Excerpt has the bytes of a finding, with some before and after them.
type Excerpt struct {
	// Off is the offset of Data, Mark the span of the finding's bytes: in the section if
	// the finding is in one, otherwise in the file. Mark may extend beyond Data.
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

// MaxExcerpts is the maximum number of excerpts of an object. The most severe findings
// get them first.
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
			if sf := annotate.SectionOf(o, f); sf != nil {
				out[key] = cutOut(bytes.NewReader(sf.Data), int64(len(sf.Data)), f.Span)
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

// Listing has the bytes of a finding field by field.
type Listing = annotate.Listing

// Field is a field of a Listing, Line a line of it.
type (
	Field = annotate.Field
	Line  = annotate.Line
)

// mostListings is the maximum number of listings of a file. In each object, the first finding of each
// rule comes first, then the most severe findings.
const mostListings = 64

// addListings adds the listings and frames of findings, while the object is visited. They need less than one
// percent of the default budget, and are left out if the file has spent half of it.
func (c *check) addListings(out *Object, o *reader.Object) {
	out.Listings = map[ExcerptKey]Listing{}
	first := map[string]bool{}
	for i := range out.Findings {
		if f := &out.Findings[i]; !first[f.Rule.ID] {
			first[f.Rule.ID] = true
			c.list(out, o, f)
		}
	}
	for s := rules.Error; s > rules.Off; s-- {
		for i := range out.Findings {
			if f := &out.Findings[i]; f.Severity == s {
				c.list(out, o, f)
			}
		}
	}
}

// list adds the listing of a finding and, if it is about an FRE, what that says.
func (c *check) list(out *Object, o *reader.Object, f *rules.Finding) {
	key := ExcerptKeyOf(f)
	if _, ok := out.Listings[key]; ok || c.listed == mostListings || !f.InSection && f.Span == (model.Span{}) {
		return
	}
	n := listingCost + frameCost
	if room := c.budget.Room(budget.Memory); room < n || room < c.budget.Limit(budget.Memory)/2 || c.budget.Spend(budget.Memory, n) != nil {
		return
	}
	c.listed++
	c.charged += n
	out.Listings[key] = annotate.Of(o, f, func(sp model.Span) []byte {
		b := make([]byte, sp.Clip(o.Size).Len)
		n, _ := io.ReadFull(o.Reader(sp), b)
		return b[:n]
	})
	if f.Frame != nil || !f.InSection || f.FRE < 0 {
		return
	}
	var at walker
	if r, ok := at.row(sectionModel(o, f), f); ok {
		f.Frame = &rules.Frame{ABI: r.FDE().Section().ABI().ID, PC: f.PC, Sides: []rules.Side{rules.FrameOf(r)}}
	}
}

// listingCost is about the bytes of a listing in memory: those of the longest structure, which has 14
// fields.
var listingCost = int64(reflect.TypeFor[ExcerptKey]().Size() + reflect.TypeFor[Listing]().Size() + 14*(reflect.TypeFor[annotate.Field]().Size()+16))

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

// addFrames adds what the FREs say to the findings on them, of up to [MaxExcerpts] FREs,
// the most severe findings first. It does so while the object is visited.
func addFrames(o *reader.Object, findings []rules.Finding) {
	n := 0
	for s := rules.Error; s > rules.Off && n < MaxExcerpts; s-- {
		var at walker
		for i := range findings {
			f := &findings[i]
			if f.Severity != s || f.Frame != nil || !f.InSection || f.FRE < 0 || n == MaxExcerpts {
				continue
			}
			if r, ok := at.row(sectionModel(o, f), f); ok {
				f.Frame = &rules.Frame{ABI: r.FDE().Section().ABI().ID, PC: f.PC, Sides: []rules.Side{rules.FrameOf(r)}}
				n++
			}
		}
	}
}

// frameCost is about the bytes of a frame in memory.
var frameCost = int64(reflect.TypeFor[rules.Frame]().Size() + reflect.TypeFor[rules.Side]().Size())

// sectionModel returns the section that a finding is in, nil for none.
func sectionModel(o *reader.Object, f *rules.Finding) *model.Section {
	if sf := annotate.SectionOf(o, f); sf != nil {
		return sf.Section
	}
	return nil
}

// walker finds FREs. Findings have the order of their bytes, so that the next FRE is
// mostly after the last one.
type walker struct {
	last model.FRE
	in   *model.Section
}

func (w *walker) row(s *model.Section, f *rules.Finding) (model.FRE, bool) {
	if s == nil || !s.ABI().Known() || f.FDE < 0 || f.FDE >= s.NumFDEs() {
		return model.FRE{}, false
	}
	fde := s.FDE(f.FDE)
	if f.FRE >= fde.NumFREs() {
		return model.FRE{}, false
	}
	r := w.last
	if w.in != s || r.FDEIndex() != f.FDE || r.Index() > f.FRE {
		r = fde.FRE(0)
	}
	for ok := true; ok && r.Index() < f.FRE; {
		r, ok = r.Next()
	}
	w.last, w.in = r, s
	return r, true
}
