package rules

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// Listing has the decoded fields of the header, FDE or FRE with the fault.
type Listing struct {
	Title  string
	Fields []model.Field
	Mark   model.Span // bytes to mark; may be beyond the fields
}

// Line is a line of a listing: an offset, bytes in hexadecimal, and a field.
type Line struct {
	Marked bool
	Text   string
}

// Lines formats the listing without its title, with at most n bytes in a line.
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

// bytesInLine is the number of bytes that a line of String has.
const bytesInLine = 16

// String formats the listing with its title, and marks the lines with marked bytes.
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
