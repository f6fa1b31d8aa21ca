package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/spool"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Text writes a line for each finding, like a compiler, or a paragraph (see [Text.Paragraphs]). The second form below
// is for findings whose source line is known:
//
//	file(member): .sframe+0x1c (file 0x205c): error: FDE 3 "main" FRE 2: message [SF2004]
//	main.c:12 (in main): error: message; the bytes: file(member): .sframe+0x1c (file 0x205c), FDE 3 "main" FRE 2 [SF2004]
//
// Errors come first, then warnings, then notes, each in the order of the input. The command itself writes errors of
// files, failures of rules and most of the summary to standard error.
type Text struct {
	textWriter
	color bool

	grouped bool
	width   int                      // of the lines of paragraphs; 0: a line for each finding
	written int                      // paragraphs
	terms   map[string]bool          // that paragraphs have used, and "" if there was one
	later   [rules.Error]spool.Spool // lines, below the severity of errors
	rest    spool.Spool              // lines that are no findings
	quirks  []*quirk
	repeats repeats
}

// quirk is a line for a known quirk in all files.
type quirk struct {
	rule, habit string
	files       int
	last        string // the last file
	first       rules.Finding
}

// NewText returns a renderer that writes text, with colours if color is set.
func NewText(w io.Writer, color bool) *Text {
	return &Text{textWriter: newTextWriter(w, escape.Text), color: color}
}

// Group merges the findings of a rule in an input into one line, with the first finding and the number of others. It
// also merges known quirks of all inputs, and faults in the same source file.
func (t *Text) Group() *Text {
	t.grouped = true
	return t
}

// part is a part of a line and its colour, "" for none.
type part struct{ code, text string }

// File writes the errors of a file and keeps its other findings for Close.
func (t *Text) File(f *lint.File) error {
	for i := range f.Objects {
		o := &f.Objects[i]
		name := Name(o.Input.Path, o.Input.Member)
		more, findings := map[string]*others{}, o.Findings
		if t.grouped {
			findings = t.repeats.first(o)
			more = othersIn(findings)
		}
		for j := range findings {
			x := &findings[j]
			n, ok := more[alike(x)]
			switch {
			case t.grouped && x.Quirk != "":
				t.quirk(x, name)
			case !t.grouped:
				t.finding(x, o, nil)
			case ok:
				t.finding(x, o, n)
				delete(more, alike(x))
			}
		}
		for _, n := range o.NotChecked() {
			if t.grouped && !n.Hidden && !n.Limit {
				continue // a finding gives the reason
			}
			t.keep(&t.rest, t.Other, part{bold, name + ":"}, part{"", " " + NotChecked(&n)})
		}
	}
	return t.out.Flush()
}

// quirk counts a known quirk.
func (t *Text) quirk(f *rules.Finding, name string) {
	i := slices.IndexFunc(t.quirks, func(q *quirk) bool { return q.rule == f.Rule.ID && q.habit == f.Quirk })
	if i < 0 {
		i = len(t.quirks)
		t.quirks = append(t.quirks, &quirk{rule: f.Rule.ID, habit: f.Quirk, first: *f})
	}
	if q := t.quirks[i]; q.last != name {
		q.files, q.last = q.files+1, name
	}
}

// Close writes the other findings, the configuration of the run, and the number of hidden findings.
func (t *Text) Close(s lint.Summary) error {
	var err error
	write := func(line []byte) { t.w.Raw(string(line) + "\n") }
	for _, x := range t.repeats.all {
		t.line(t.Finding, part{bold, Source(&x.at) + ":"}, part{"", " " + x.String()})
	}
	for severity := rules.Error; severity > rules.Off; {
		severity--
		if severity == rules.Note {
			slices.SortStableFunc(t.quirks, func(q, r *quirk) int { return r.files - q.files })
			for _, q := range t.quirks {
				t.line(t.Finding, t.quirkParts(q)...)
			}
		}
		err = cmp.Or(err, t.later[severity].Each(write))
	}
	err = cmp.Or(err, t.rest.Each(write))
	t.explain()
	if c := s.Configuration; c != nil && (!t.grouped || c.Weakens()) {
		t.w.WriteString(Configuration(c) + "\n")
	}
	if out := t.LeftOut(); out != nil {
		t.w.WriteString(out.Error() + "\n")
	}
	return t.Done(cmp.Or(err, t.out.Flush()))
}

// quirkParts returns the text for a quirk.
func (t *Text) quirkParts(q *quirk) []part {
	f := &q.first
	where := Name(f.Path, f.Member)
	if q.files > 1 {
		where = fmt.Sprintf("%d files, the first %s", q.files, where)
	}
	if t.inParagraphs() {
		return t.paragraph(f, where, nil)
	}
	return append([]part{{bold, where + ":"}}, afterPlace(f, "")...)
}

// others are the findings of a rule in an input, the first one apart.
type others struct {
	count  int
	first  string   // the name of the first one
	names  []string // of the functions, or the places, of the first ones
	beyond int      // findings that have none of these names
}

// mostNames is the number of names that a text has of further findings.
const mostNames = 5

// othersIn returns the findings of each rule, or cause.
func othersIn(all []rules.Finding) map[string]*others {
	out := map[string]*others{}
	for i := range all {
		f := &all[i]
		o := out[alike(f)]
		if o == nil {
			out[alike(f)] = &others{first: nameOf(f)}
			continue
		}
		o.count++
		o.add(nameOf(f))
	}
	return out
}

// alike returns what findings have in common that are one line: their rule, and their cause.
func alike(f *rules.Finding) string {
	if c := f.Cause(); c != nil {
		return f.Rule.ID + ": " + c.Text
	}
	return f.Rule.ID
}

// add adds the name of another finding.
func (o *others) add(name string) {
	switch {
	case name == o.first || slices.Contains(o.names, name):
	case len(o.names) < mostNames:
		o.names = append(o.names, name)
	default:
		o.beyond++
	}
}

// restText counts the findings beyond those that are named, "" for none.
func (o *others) restText() string {
	if o.beyond == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d others (-v lists all)", o.beyond)
}

// nameOf names what a finding is about in a few words: the function and its source line, or the bytes.
func nameOf(f *rules.Finding) string {
	line := ""
	if s := f.Source; s != nil {
		line = lineOf(s.Path, s.Line)
	}
	switch name := escape.Quoted(f.Function); {
	case f.Function != "" && line != "":
		return name + " (" + line + ")"
	case f.Function != "":
		return name
	case line != "":
		return line
	case f.HasPC:
		return strings.TrimPrefix(address(f), "pc ")
	}
	return bytesAt(f)
}

// String counts the findings, "" for none, and names the first ones.
func (o *others) String() string {
	if o == nil || o.count == 0 {
		return ""
	}
	text := fmt.Sprintf(" and %d more", o.count)
	if names := strings.Join(o.names, ", "); names != "" {
		text += ": " + names
	}
	return text + o.restText()
}

// finding writes a finding of an object, or keeps it if it is not an error. more are others like it.
func (t *Text) finding(f *rules.Finding, o *lint.Object, more *others) {
	var parts []part
	if t.inParagraphs() {
		parts = t.paragraph(f, "", more)
	} else {
		parts = []part{{bold, Name(f.Path, f.Member) + ":"}}
		if at := bytesAt(f); at != "" {
			parts = append(parts, part{bold, " " + at + ":"})
		}
		if at := Source(f); at != "" {
			parts = []part{{bold, at + ":"}}
		}
		parts = append(parts, afterPlace(f, more.String())...)
	}
	if f.Severity == rules.Error {
		t.line(t.Finding, parts...)
		return
	}
	t.keep(&t.later[f.Severity], t.Finding, parts...)
}

// afterPlace returns what a line has after the place.
func afterPlace(f *rules.Finding, suffix string) []part {
	parts := []part{{"", " "}, {severityColor[f.Severity], f.Severity.String() + ":"}}
	bytes := ""
	if f.Source != nil && f.Quirk == "" {
		bytes = "; the bytes: " + Bytes(f)
	} else if at := frame(f); at != "" {
		parts = append(parts, part{"", " " + at + ":"})
	}
	return append(parts, part{"", " " + Message(f) + bytes + " "}, part{dim, "[" + f.Rule.ID + "]"}, part{"", suffix})
}

// Codes of "Select Graphic Rendition" (ECMA-48).
const (
	bold        = "1"
	dim         = "2"
	gutterColor = "1;34"
)

var severityColor = [...]string{rules.Note: "1;36", rules.Warning: "1;35", rules.Error: "1;31"}

// line writes a line if it fits.
func (t *Text) line(fits func(n int) bool, parts ...part) {
	if t.fit(fits, parts) {
		t.write(t.w, parts)
		t.w.WriteString("\n")
	}
}

// keep keeps a line for the end of the report, if it fits.
func (t *Text) keep(list *spool.Spool, fits func(n int) bool, parts ...part) {
	if !t.fit(fits, parts) {
		return
	}
	var b bytes.Buffer
	w := escape.NewWriter(&b, escape.Text)
	t.write(w, parts)
	_ = w.Close() // a Buffer has no errors
	for line := range bytes.SplitSeq(b.Bytes(), []byte("\n")) {
		if !list.Add(line) {
			t.Full()
			return
		}
	}
}

func (t *Text) fit(fits func(n int) bool, parts []part) bool {
	n := 1
	for _, p := range parts {
		n += len(p.text)
	}
	return fits(n)
}

func (t *Text) write(w *escape.Writer, parts []part) {
	for _, p := range parts {
		if t.color && p.code != "" && p.text != "" {
			w.Raw("\x1b[" + p.code + "m")
		}
		w.WriteString(p.text)
		if t.color && p.code != "" && p.text != "" {
			w.Raw("\x1b[0m")
		}
	}
}
