package reports

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Statistics writes a table of the rules with findings, the most severe and most
// frequent first: the number of findings and of inputs, the severity and the rule.
type Statistics struct {
	Meter
	out *bufio.Writer
	w   *escape.Writer
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
	out := bufio.NewWriter(w)
	return &Statistics{out: out, w: escape.NewWriter(out, escape.Text)}
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
		t.w.WriteString(fmt.Sprintf("%8d %7d  %-8s  %s %s\n", c.findings, c.files, c.severity, c.rule.ID, what))
	}
	if s.Configuration != nil {
		t.w.WriteString(Configuration(s.Configuration) + "\n")
	}
	return t.Done(t.out.Flush())
}
