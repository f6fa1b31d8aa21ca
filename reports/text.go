package reports

import (
	"bufio"
	"fmt"
	"io"

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
	w     *bufio.Writer
	color bool
}

// NewText returns a renderer that writes text, with colours if asked for.
func NewText(w io.Writer, color bool) *Text {
	return &Text{w: bufio.NewWriter(w), color: color}
}

// File writes the findings of a file.
func (t *Text) File(f *lint.File) error {
	for i := range f.Objects {
		for j := range f.Objects[i].Findings {
			t.finding(&f.Objects[i].Findings[j])
		}
		for _, n := range f.Objects[i].NotChecked() {
			t.paint(bold, Name(f.Objects[i].Input.Path, f.Objects[i].Input.Member)+":")
			t.w.WriteString(" " + NotChecked(&n) + "\n")
		}
	}
	return t.w.Flush()
}

// Close names the configuration of the run.
func (t *Text) Close(s lint.Summary) error {
	if s.Configuration != nil {
		t.w.WriteString(Configuration(s.Configuration) + "\n")
	}
	return t.w.Flush()
}

func (t *Text) finding(f *rules.Finding) {
	t.paint(bold, Name(f.Path, f.Member)+":")
	if at := bytesAt(f); at != "" {
		t.paint(bold, " "+at+":")
	}
	t.w.WriteByte(' ')
	t.paint(severityColor[f.Severity], f.Severity.String()+":")
	if at := frame(f); at != "" {
		t.w.WriteString(" " + at + ":")
	}
	fmt.Fprintf(t.w, " %s ", Escape(f.Message))
	t.paint(dim, "["+f.Rule.ID+"]")
	t.w.WriteByte('\n')
}

// Codes of "Select Graphic Rendition" (ECMA-48).
const (
	bold = "1"
	dim  = "2"
)

var severityColor = [...]string{rules.Note: "1;36", rules.Warning: "1;35", rules.Error: "1;31"}

func (t *Text) paint(code, s string) {
	if !t.color {
		t.w.WriteString(s)
		return
	}
	t.w.WriteString("\x1b[" + code + "m" + s + "\x1b[0m")
}
