package reports

import (
	"bufio"
	"io"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Text writes a line for each finding, as compilers do:
//
//	file(member): .sframe+0x1c (file 0x205c): error: FDE 3 "main" FRE 2: message [SF2004]
//
// It leaves out errors of files and failures of rules, which the command writes to
// standard error, and the summary apart from the configuration.
type Text struct {
	Meter
	out   *bufio.Writer
	w     *escape.Writer
	color bool
}

// NewText returns a renderer that writes text, with colours if asked for.
func NewText(w io.Writer, color bool) *Text {
	out := bufio.NewWriter(w)
	return &Text{out: out, w: escape.NewWriter(out, escape.Text), color: color}
}

// part is a part of a line and its colour, "" for none.
type part struct{ code, text string }

// File writes the findings of a file.
func (t *Text) File(f *lint.File) error {
	for i := range f.Objects {
		for j := range f.Objects[i].Findings {
			t.finding(&f.Objects[i].Findings[j])
		}
		for _, n := range f.Objects[i].NotChecked() {
			t.line(t.Other, part{bold, Name(f.Objects[i].Input.Path, f.Objects[i].Input.Member) + ":"}, part{"", " " + NotChecked(&n)})
		}
	}
	return t.out.Flush()
}

// Close names the configuration of the run, and says what is not shown.
func (t *Text) Close(s lint.Summary) error {
	if s.Configuration != nil {
		t.w.WriteString(Configuration(s.Configuration) + "\n")
	}
	if out := t.LeftOut(); out != nil {
		t.w.WriteString(out.Error() + "\n")
	}
	return t.Done(t.out.Flush())
}

func (t *Text) finding(f *rules.Finding) {
	parts := []part{{bold, Name(f.Path, f.Member) + ":"}}
	if at := bytesAt(f); at != "" {
		parts = append(parts, part{bold, " " + at + ":"})
	}
	parts = append(parts, part{"", " "}, part{severityColor[f.Severity], f.Severity.String() + ":"})
	if at := frame(f); at != "" {
		parts = append(parts, part{"", " " + at + ":"})
	}
	t.line(t.Finding, append(parts, part{"", " " + escape.Message(f.Message) + " "}, part{dim, "[" + f.Rule.ID + "]"})...)
}

// Codes of "Select Graphic Rendition" (ECMA-48).
const (
	bold = "1"
	dim  = "2"
)

var severityColor = [...]string{rules.Note: "1;36", rules.Warning: "1;35", rules.Error: "1;31"}

// line writes a line if it fits.
func (t *Text) line(fits func(n int) bool, parts ...part) {
	n := 1
	for _, p := range parts {
		n += len(p.text)
	}
	if !fits(n) {
		return
	}
	for _, p := range parts {
		if t.color && p.code != "" {
			t.w.Raw("\x1b[" + p.code + "m")
		}
		t.w.WriteString(p.text)
		if t.color && p.code != "" {
			t.w.Raw("\x1b[0m")
		}
	}
	t.w.WriteString("\n")
}
