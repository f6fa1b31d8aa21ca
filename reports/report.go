// Package reports renders results of package lint as text, JSON and other formats. Its sub-packages sarif and html
// write SARIF and HTML. They are separate because of their imports.
//
// A [Renderer] gets the results of one path after another, as [lint.File], and writes as much as possible
// immediately. So the memory of a run does not grow with the number of files. The package also renders the texts of
// rules.
package reports

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// textWriter is what the renderers of text have in common.
type textWriter struct {
	Meter
	out *bufio.Writer
	w   *escape.Writer
}

func newTextWriter(w io.Writer, form escape.Form) textWriter {
	out := bufio.NewWriter(w)
	return textWriter{out: out, w: escape.NewWriter(out, form)}
}

// Tool names the program in a report.
type Tool struct {
	Name, Version, URL string
}

// Renderer writes a report.
type Renderer interface {
	// File adds the results of a path. It does not keep f.
	File(f *lint.File) error
	// Close ends the report. The error is a [*LeftOut] if the report is a complete document but omits findings.
	Close(s lint.Summary) error
	// Limit sets the maximum size of the findings in the report, in bytes. There is no limit if n is not positive.
	Limit(n int64)
}

// Nothing returns the message for a run that checked nothing or only files without SFrame data, "" for other runs.
func Nothing(s *lint.Summary) string {
	switch {
	case s.Empty:
		return NothingChecked
	case s.NoData:
		return "no SFrame data in " + rules.Count(s.Files, "file")
	}
	return ""
}

// problems calls each with what of a file was not read or not fully checked, by the name of the input.
func problems(f *lint.File, each func(name, text string)) {
	for i := range f.Objects {
		o := &f.Objects[i]
		name := Name(o.Input.Path, o.Input.Member)
		for _, g := range o.HiddenGaps() {
			each(name, NotRead(&o.Input, g))
		}
		for _, n := range o.NotChecked() {
			each(name, NotChecked(&n))
		}
		for _, x := range o.Failures {
			each(name, "internal error in rule "+x.Rule)
		}
	}
	if f.Err != nil {
		each(Name(f.Path, ""), Escape(f.Reason()))
	}
}

// NothingChecked is the message for a run that checked nothing.
const NothingChecked = "nothing was checked: no path has a file that can have SFrame data (--allow-empty)"

// maxRules is the number of rules that are listed by their IDs.
const maxRules = 10

// Configuration returns a line that names the configuration file of a run and the rules that it turns off or lowers.
func Configuration(c *lint.Configuration) string {
	var parts []string
	for _, x := range []struct {
		verb string
		ids  []string
	}{{"turns off", c.Off}, {"lowers", c.Lowered}} {
		if n := len(x.ids); n > 0 {
			ids := strings.Join(x.ids[:min(n, maxRules)], ", ")
			if n > maxRules {
				ids += fmt.Sprintf(" and %d more", n-maxRules)
			}
			parts = append(parts, fmt.Sprintf("%s %s (%s)", x.verb, rules.Count(n, "rule"), ids))
		}
	}
	parts = append(parts, c.Settings...)
	if len(parts) == 0 {
		parts = []string{"leaves nothing out"}
	}
	return Escape(fmt.Sprintf("configuration %s: %s", c.Path, strings.Join(parts, "; ")))
}

// NotRead returns a phrase about a part of an input that was not read.
func NotRead(in *lint.Input, g lint.Gap) string {
	what := "not fully read"
	if in.Status == reader.StatusDamaged {
		what = "damaged"
	}
	return what + ": " + escape.Message(g.Reason)
}

// NotChecked returns a line about rules that did not check a section or a part of it.
func NotChecked(n *lint.NotChecked) string {
	where, what, why := "", "not checked", ""
	if n.Section != "" {
		where = escape.Cut(n.Section, escape.MaxName) + ": "
	}
	if n.Part {
		what = "not fully checked"
	}
	if len(n.Causes) > 0 {
		why = " (" + strings.Join(n.Causes, ", ") + ")"
	}
	switch {
	case n.Hidden && !n.Limit:
		why += ", whose finding is left out"
	case n.Accepted && !n.Hidden:
		why += ", which is accepted"
	}
	return fmt.Sprintf("%s%s: %s, as %s%s", Escape(where), what, rules.Count(len(n.Rules), "rule"), escape.Message(n.Reason), why)
}

// Meter limits the output of a renderer that embeds it. Its zero value has no
// limit.
type Meter struct {
	limit, used int64 // bytes
	out         LeftOut
}

// LeftOut is the error of a renderer's Close if the report is a complete document but has reached its limit.
type LeftOut struct {
	Findings, Others int   // findings and other entries that are not in the report
	Why              error // the limit that was reached
}

func (e *LeftOut) Error() string {
	what := rules.Count(e.Findings, "finding")
	if e.Others > 0 {
		what += fmt.Sprintf(" and %d other entries", e.Others)
	}
	return fmt.Sprintf("%s left out of the report: %v", what, e.Why)
}

// Unwrap returns the reason.
func (e *LeftOut) Unwrap() error { return e.Why }

// Limit sets the maximum number of bytes to write. There is no limit if n is not positive.
func (m *Meter) Limit(n int64) { m.limit = n }

// Finding reports whether a finding of n bytes fits. If not, it counts the finding, and nothing more can be written.
func (m *Meter) Finding(n int) bool { return m.fits(n, &m.out.Findings) }

// Other is like [Meter.Finding], but for entries that are not findings.
func (m *Meter) Other(n int) bool { return m.fits(n, &m.out.Others) }

func (m *Meter) fits(n int, left *int) bool {
	if m.used += int64(n); m.out.Why == nil && m.limit > 0 && m.used > m.limit {
		m.out.Why = &budget.Exceeded{Kind: budget.Output, Limit: m.limit}
	}
	if m.out.Why != nil {
		*left++
	}
	return m.out.Why == nil
}

// Full counts an entry for which there was no memory.
func (m *Meter) Full() {
	m.out.Others++
	if m.out.Why == nil {
		m.out.Why = errHeld
	}
}

var errHeld = fmt.Errorf("more than what is held for the end of the report")

// LeftOut returns the omitted entries, nil if there are no such entries.
func (m *Meter) LeftOut() *LeftOut {
	if m.out.Why == nil {
		return nil
	}
	return &m.out
}

// Done returns the error of Close: err, or else the omitted entries.
func (m *Meter) Done(err error) error {
	if out := m.LeftOut(); err == nil && out != nil {
		return out
	}
	return err
}

// Name returns the name of an input in texts: the path, followed by the archive member in parentheses. Reports cut
// the names of members, sections and functions after 256 bytes and give the length.
func Name(path, member string) string {
	if member == "" {
		return Escape(path)
	}
	return Escape(path) + "(" + escape.Name(member) + ")"
}

// bytesAt returns the place of the finding's bytes in the file, "" for a finding
// about all of it.
func bytesAt(f *rules.Finding) string {
	switch {
	case f.InSection:
		return fmt.Sprintf("%s+0x%x (file 0x%x)", SectionName(f), f.Span.Off, f.FileOffset)
	case f.Span.Off == 0 && f.Span.Len == 0:
		return ""
	}
	return fmt.Sprintf("file 0x%x", f.FileOffset)
}

// Where returns the place of a finding in words: its bytes, FDE and FRE.
func Where(f *rules.Finding) string {
	return joined(", ", bytesAt(f), frame(f))
}

// joined joins the parts that there are.
func joined(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), separator)
}

// SectionName returns the name of a finding's section, or .sframe for a raw section.
func SectionName(f *rules.Finding) string {
	if f.Section == "" {
		return ".sframe"
	}
	return escape.Name(f.Section)
}

// frame names the FDE and FRE that the finding is about, "" for none.
func frame(f *rules.Finding) string {
	if f.FDE < 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "FDE %d", f.FDE)
	switch {
	case f.Function != "":
		b.WriteString(" " + escape.Quoted(f.Function))
	case f.HasPC:
		b.WriteString(" (" + address(f) + ")")
	}
	if f.FRE >= 0 {
		fmt.Fprintf(&b, " FRE %d", f.FRE)
	}
	return b.String()
}

// address returns where the PC of a finding is: the section if it is known, and the PC unless that
// is the offset in the section.
func address(f *rules.Finding) string {
	pc, at := fmt.Sprintf("0x%x", f.PC), escape.Printable(f.Address())
	switch {
	case at == "":
		return "pc " + pc
	case f.At.Addr == 0:
		return at
	}
	return at + ", pc " + pc
}

// Message returns the message of a finding, with its help.
func Message(f *rules.Finding) string {
	if f.Help == "" {
		return escape.Message(f.Message)
	}
	return escape.Message(f.Message) + "; help: " + escape.Message(f.Help)
}

// Escape makes a name or message safe to print. It writes characters that a terminal could interpret, such as control
// characters and direction marks, and bytes that are not UTF-8 as \x1b, \u202e or \xff.
func Escape(s string) string { return escape.Printable(s) }

// ValidUTF8 escapes only the bytes that are not UTF-8, in the way of [Escape]. Otherwise encoders of JSON would
// replace all such bytes by the same character.
func ValidUTF8(s string) string { return escape.UTF8(s) }

// Source returns the place of a finding in the source text, such as "lcode.c:812 (in luaK_codeABC)", or "" if it is
// unknown.
func Source(f *rules.Finding) string {
	s := f.Source
	if s == nil {
		return ""
	}
	at := lineOf(s.Path, s.Line)
	if s.EndLine > s.Line {
		at += fmt.Sprintf("-%d", s.EndLine)
	}
	name := cmp.Or(s.Function, f.Function)
	if name == "" {
		return at
	}
	var in strings.Builder
	in.WriteString("in " + escape.Name(name))
	for _, c := range s.Inlined {
		in.WriteString(", inlined into " + escape.Name(c.Function))
		if c.Line > 0 {
			in.WriteString(" at " + lineOf(c.Path, c.Line))
		}
	}
	return at + " (" + in.String() + ")"
}

func lineOf(path string, line int) string { return fmt.Sprintf("%s:%d", escape.Name(path), line) }

// Bytes returns the input and the place of a finding's bytes. Reports that place the finding at a source line add
// this.
func Bytes(f *rules.Finding) string {
	name := Name(f.Path, f.Member)
	if at := Where(f); at != "" {
		name += ": " + at
	}
	return name
}
