package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Statistics writes a table of the rules with findings, ordered by severity and frequency. Each line has the number
// of findings, the number of inputs, the severity and the rule.
type Statistics struct {
	textWriter
	tally
}

// tally counts findings by rule and severity.
type tally struct{ rules []*count }

// count is one line of the table.
type count struct {
	rule            *rules.Rule
	severity        rules.Severity
	quirk           bool
	findings, files int
	first           string // source line, or input
	message         string // of the first finding

	last *lint.Object
}

// NewStatistics returns a renderer that writes statistics.
func NewStatistics(w io.Writer) *Statistics {
	return &Statistics{textWriter: newTextWriter(w, escape.Text)}
}

func (t *tally) add(f *lint.File) {
	for i := range f.Objects {
		o := &f.Objects[i]
		all := o.Counted()
		for j := range all {
			t.finding(o, &all[j])
		}
	}
}

func (t *tally) finding(o *lint.Object, f *rules.Finding) {
	i := slices.IndexFunc(t.rules, func(c *count) bool {
		return c.rule.ID == f.Rule.ID && c.severity == f.Severity && c.quirk == (f.Quirk != "")
	})
	if i < 0 {
		i = len(t.rules)
		t.rules = append(t.rules, &count{rule: f.Rule, severity: f.Severity, quirk: f.Quirk != "",
			first: placeOf(o, f), message: Message(f)})
	}
	c := t.rules[i]
	c.findings++
	if c.last != o {
		c.files, c.last = c.files+1, o
	}
}

// placeOf returns the source line of a finding, or its input.
func placeOf(o *lint.Object, f *rules.Finding) string {
	if f.Source != nil {
		return lineOf(f.Source.Path, f.Source.Line)
	}
	return Name(o.Input.Path, o.Input.Member)
}

// sorted returns the lines, the most severe and most frequent first.
func (t *tally) sorted() []*count {
	slices.SortStableFunc(t.rules, func(a, b *count) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(b.findings, a.findings), cmp.Compare(a.rule.ID, b.rule.ID))
	})
	return t.rules
}

// File counts the findings of a file.
func (t *Statistics) File(f *lint.File) error {
	t.add(f)
	return nil
}

// Close writes the table.
func (t *Statistics) Close(s lint.Summary) error {
	all := t.sorted()
	if len(all) > 0 {
		t.w.WriteString("FINDINGS   FILES  SEVERITY  RULE\n")
	}
	for _, c := range all {
		what := c.rule.Title
		if c.quirk {
			what += " (known quirk)"
		}
		fmt.Fprintf(t.w, "%8d %7d  %-8s  %s %s\n", c.findings, c.files, c.severity, c.rule.ID, what)
	}
	if s.Configuration != nil {
		t.w.WriteString(Configuration(s.Configuration) + "\n")
	}
	return t.Done(t.out.Flush())
}

// maxSummary is the number of rules and inputs that a summary lists.
const maxSummary = 20

// Markdown writes a summary in Markdown, for job summaries: a line with the counts, and a table of rules with their
// first finding. The most severe rules come first.
type Markdown struct {
	textWriter
	tally
	unread []string
	others int // of them, beyond those listed
}

// NewMarkdown returns a renderer that writes a summary.
func NewMarkdown(w io.Writer) *Markdown {
	return &Markdown{textWriter: newTextWriter(w, escape.Text)}
}

// File counts the findings of a file.
func (m *Markdown) File(f *lint.File) error {
	m.add(f)
	problems(f, m.problem)
	return nil
}

func (m *Markdown) problem(name, text string) {
	if len(m.unread) == maxSummary {
		m.others++
		return
	}
	m.unread = append(m.unread, "- "+code(name)+": "+plain(text)+"\n")
}

// Close writes the summary.
func (m *Markdown) Close(s lint.Summary) error {
	found := "no findings"
	if s.AtLeast(rules.Note) > 0 {
		found = fmt.Sprintf("%s, %s, %s", rules.Count(s.Errors, "error"), rules.Count(s.Warnings, "warning"), rules.Count(s.Notes, "note"))
	}
	switch unread := s.Failed + s.Damaged + s.Hidden; {
	case s.Sections+s.AtLeast(rules.Note) == 0 && (unread > 0 || s.Empty):
		found = "nothing was checked"
	case unread > 0:
		found += "; not all was checked"
	}
	fmt.Fprintf(m.w, "### SFrame: %s\n\n%s, %s\n", found, rules.Count(s.Files, "file"), rules.Count(s.Sections, "section"))
	if text := Nothing(&s); text != "" {
		m.w.WriteString("\n**" + plain(text) + "**\n")
	}
	if c := s.Configuration; c != nil {
		m.w.WriteString("\n" + plain(Configuration(c)) + "\n")
	}
	m.table()
	if len(m.unread) > 0 {
		m.w.WriteString("\n**Not read or not fully checked**\n\n" + strings.Join(m.unread, ""))
		if m.others > 0 {
			fmt.Fprintf(m.w, "- and %d more\n", m.others)
		}
	}
	return m.Done(m.out.Flush())
}

// table writes the rules with findings that are shown.
func (m *Markdown) table() {
	var shown []*count
	for _, c := range m.sorted() {
		if c.severity > rules.Note {
			shown = append(shown, c)
		}
	}
	if len(shown) == 0 {
		return
	}
	m.w.WriteString("\n| | Rule | Findings | Files | First |\n|---|---|---|---|---|\n")
	for _, c := range shown[:min(len(shown), maxSummary)] {
		id := c.rule.ID
		if url := rules.DocURL(id); url != "" {
			id = "[" + id + "](" + url + ")"
		}
		fmt.Fprintf(m.w, "| %s | %s %s | %d | %d | %s: %s |\n", c.severity, id, plain(c.rule.Title), c.findings, c.files,
			code(c.first), plain(c.message))
	}
	if n := len(shown) - maxSummary; n > 0 {
		fmt.Fprintf(m.w, "\nand %s\n", rules.Count(n, "more rule"))
	}
}

// plain returns a text that has no meaning in Markdown or HTML.
func plain(s string) string { return markdown.Replace(s) }

var markdown = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "\\|", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]",
	"@", "&#64;", "#", "\\#", "~", "\\~")

// code returns a name as code. A backtick would end it.
func code(s string) string {
	return "`" + strings.NewReplacer("`", "'", "|", "\\|").Replace(s) + "`"
}
