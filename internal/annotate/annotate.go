// Package annotate shows the bytes of a finding with those around them that belong to the same
// header, entry or FRE, field by field.
package annotate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Field is a run of bytes with a name and what they say.
type Field struct {
	model.Span
	Bytes       []byte // as many as there are
	Name, Value string // "" for bytes without fields
}

// Listing is the fields of a header, an entry or an FRE.
type Listing struct {
	Title  string
	Fields []Field
	Mark   model.Span // bytes to mark, which may be beyond the fields
}

// mostBytes is how many bytes without fields are shown.
const mostBytes = 64

// Of returns the listing of a finding in an object. read returns the bytes of a span of the object, as
// many as there are. What Of needs does not depend on the size of the input, except that it looks at
// each section header, and at the FREs of one function.
func Of(o *reader.Object, f *rules.Finding, read func(model.Span) []byte) Listing {
	l := Listing{Mark: f.Span}
	if sf := SectionOf(o, f); sf != nil {
		read = func(sp model.Span) []byte {
			sp = sp.Clip(int64(len(sf.Data)))
			return sf.Data[sp.Off:sp.End()]
		}
		l.Title, l.Fields = inSection(sf, f)
	} else {
		l.Title, l.Fields = inFile(read, o, f.Span)
	}
	for i := range l.Fields {
		l.Fields[i].Bytes = slices.Clone(read(l.Fields[i].Span))
	}
	l.Fields = slices.DeleteFunc(l.Fields, func(x Field) bool { return len(x.Bytes) == 0 })
	return l
}

// SectionOf returns the section that a finding is in, nil for none.
func SectionOf(o *reader.Object, f *rules.Finding) *reader.SFrame {
	for _, sf := range o.SFrames {
		if f.InSection && sf.Index == f.SectionIndex && o.Base+sf.Offset+f.Span.Off == f.FileOffset {
			return sf
		}
	}
	return nil
}

// Line is a line of a listing: an offset, bytes in hex, and a field.
type Line struct {
	Marked bool
	Text   string
}

// Lines writes the listing with at most n bytes in a line, without its title.
func (l *Listing) Lines(n int) []Line {
	var all []Line
	var lines [][3]string
	marked, width := false, 0
	for _, f := range l.Fields {
		text := f.Name
		if f.Value != "" {
			text += " = " + f.Value
		}
		for i := 0; i < len(f.Bytes); i += n {
			part := model.Span{Off: f.Off + int64(i), Len: int64(min(n, len(f.Bytes)-i))}
			hex := fmt.Sprintf("% x", f.Bytes[i:][:part.Len])
			width = max(width, len(hex))
			lines = append(lines, [3]string{fmt.Sprintf("%04x", part.Off), hex, text})
			mark := part.Overlaps(l.Mark) || l.Mark.Len == 0 && part.Contains(l.Mark.Off)
			marked = marked || mark
			all, text = append(all, Line{Marked: mark}), ""
		}
	}
	for i, x := range lines {
		all[i].Text = strings.TrimRight(fmt.Sprintf("%s  %-*s  %s", x[0], width, x[1], x[2]), " ")
	}
	end := l.end()
	switch rest := l.Mark.End() - end; {
	case !marked && l.Mark.Off >= end:
		all = append(all, Line{true, fmt.Sprintf("%04x  the end of the data", l.Mark.Off)})
	case len(l.Fields) > 0 && rest > 0:
		all = append(all, Line{false, fmt.Sprintf("and %d more bytes", rest)})
	}
	return all
}

// end returns where the last field ends.
func (l *Listing) end() int64 {
	last := int64(0)
	for _, f := range l.Fields {
		last = max(last, f.Off+int64(len(f.Bytes)))
	}
	return last
}

// bytesInLine is how many bytes a line of String has.
const bytesInLine = 16

// String returns the title and the lines, with a mark before those with marked bytes.
func (l *Listing) String() string {
	var b strings.Builder
	b.WriteString(l.Title + "\n")
	for _, x := range l.Lines(bytesInLine) {
		mark := "  "
		if x.Marked {
			mark = "> "
		}
		b.WriteString(mark + x.Text + "\n")
	}
	return b.String()
}

// plain is a run of bytes without fields.
func plain(sp model.Span) []Field {
	sp.Len = min(max(sp.Len, 1), mostBytes)
	return []Field{{Span: sp}}
}
