package reports

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Paragraphs makes the renderer write each finding as a paragraph, like rustc, in lines of at most width characters
// where possible. It explains the terms at the end. After [MostParagraphs] each finding has one line. The run must
// set [lint.Options.Listings].
func (t *Text) Paragraphs(width int) *Text {
	t.width = max(width, minWidth)
	t.terms = map[string]bool{}
	return t
}

// MostParagraphs is the maximum number of paragraphs of a report. Few readers get further, and the renderer keeps findings
// below the severity of errors in memory until the end.
const MostParagraphs = 500

// minWidth is the smallest width for which lines are broken.
const minWidth = 30

// paragraph is the text of a finding under construction.
type paragraph struct {
	width int
	parts []part
}

// gutter is the start of a line of a paragraph, with its mark, and rest that of the lines that go on.
const (
	arrow  = "  --> "
	bar    = "  | "
	remark = "  = "
	rest   = "    "
)

func (p *paragraph) add(parts ...part) { p.parts = append(p.parts, parts...) }

// text adds a text in lines, the first one with a mark.
func (p *paragraph) text(first, others, style, text string) {
	for _, line := range wrap(text, p.width-utf8.RuneCountInString(first)) {
		p.add(part{"", "\n"}, part{gutterColor, first}, part{style, line})
		first = others
	}
}

// line adds a line that is not broken, after a bar.
func (p *paragraph) line(style, text string) {
	p.add(part{"", "\n"}, part{gutterColor, bar}, part{style, text})
}

func (p *paragraph) empty() { p.add(part{"", "\n"}, part{gutterColor, strings.TrimRight(bar, " ")}) }

// wrap breaks a text at spaces into lines of at most width characters, unless a word is longer.
func wrap(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// paragraph returns the parts of a finding's text. where replaces its place, unless it is "".
func (t *Text) paragraph(f *rules.Finding, where string, more *others) []part {
	p := &paragraph{width: t.width}
	color := severityColor[f.Severity]
	p.add(part{color, f.Severity.String() + "[" + f.Rule.ID + "]"})
	for i, line := range wrap(headline(f), t.width-len("warning[SF0000]: ")) {
		if i == 0 {
			p.add(part{bold, ": " + line})
		} else {
			p.add(part{bold, "\n" + rest + line})
		}
	}
	p.places(f, where)
	what, why := rules.Consequence(f.Message)
	if fr := f.Frame; fr != nil && len(fr.Proof) > 0 {
		what = strings.Replace(what, " ("+strings.Join(fr.Proof, "; ")+")", "", 1)
	}
	p.empty()
	p.text(bar, bar, "", escape.Message(what))
	if f.Frame != nil {
		p.frame(f.Frame)
	}
	if l := f.Listing; l != nil && len(l.Fields) > 0 {
		p.listing(l, color)
	}
	p.empty()
	if why != "" {
		p.text(remark, rest, "", escape.Message(why))
	}
	if f.Help != "" {
		p.text(remark, rest, bold, "help: "+escape.Message(f.Help))
	}
	for _, x := range f.Fixes {
		flags := "--fix"
		if !x.Safe {
			flags = "--fix --fix-unsafe"
		}
		p.text(remark, rest, "", "or run sframe-lint "+flags+": "+escape.Message(x.Message))
	}
	if s := more.String(); s != "" {
		p.text(remark, rest, "", strings.TrimSpace(s))
	}
	p.text(remark, rest, dim, "more: sframe-lint explain "+f.Rule.ID)
	p.add(part{"", "\n"})
	t.note(p.parts)
	t.written++
	return p.parts
}

// inParagraphs reports whether the next finding is a paragraph.
func (t *Text) inParagraphs() bool { return t.width > 0 && t.written < MostParagraphs }

// headline returns what was found, in a few words, and in which function.
func headline(f *rules.Finding) string {
	switch {
	case f.Function != "":
		return f.Rule.Title + ", in " + escape.Quoted(f.Function)
	case f.HasPC:
		return f.Rule.Title + ", at " + strings.TrimPrefix(address(f), "pc ")
	}
	return f.Rule.Title
}

// places adds the source line and the bytes of a finding, or where.
func (p *paragraph) places(f *rules.Finding, where string) {
	if where != "" {
		p.text(arrow, arrowRest, "", where)
		return
	}
	if at := Source(f); at != "" {
		p.text(arrow, arrowRest, "", at)
		if f.Source.Text != "" {
			p.line(bold, fmt.Sprintf("%d | %s", f.Source.Line, escape.Message(f.Source.Text)))
		}
	}
	p.text(arrow, arrowRest, "", Bytes(f))
}

const arrowRest = "      "

// frame adds the instructions that prove a fault, and what each source says of the frame.
func (p *paragraph) frame(f *rules.Frame) {
	for i, insn := range f.Proof {
		if i == 0 {
			p.empty()
		}
		p.text(bar, bar+"  ", "", escape.Message(insn))
	}
	for i, line := range f.Witness {
		if i == 0 {
			p.empty()
			p.text(bar, bar+"  ", "", "on this path of the code:")
		}
		p.text(bar+"  ", bar+"    ", "", escape.Message(line))
	}
	if len(f.Sides) > 0 {
		p.empty()
		p.table(model.LookupABI(f.ABI), f.Sides)
	}
}

// table adds the rules of each side, side by side, or one below the other where the lines are too short.
func (p *paragraph) table(abi model.ABIInfo, sides []rules.Side) {
	rows := make([][]string, 4)
	rows[0] = []string{""}
	for i, name := range []string{"CFA", "RA", "FP"} {
		rows[1+i] = []string{name}
	}
	for _, s := range sides {
		ra := s.Row.RA.Format(abi)
		if s.Signed {
			ra += ", signed"
		}
		for i, text := range []string{s.Source, s.Row.CFA.Format(abi), ra, s.Row.FP.Format(abi)} {
			rows[i] = append(rows[i], text)
		}
	}
	widths := make([]int, len(rows[0]))
	total := len(bar)
	for k := range widths {
		for _, row := range rows {
			widths[k] = max(widths[k], len(row[k]))
		}
		total += widths[k] + len(gap)
	}
	for i, row := range rows {
		mark := ""
		if i > 0 && slices.ContainsFunc(row[1:], func(s string) bool { return s != row[1] }) {
			mark = "differs"
		}
		if total+len(mark) > p.width {
			p.stacked(rows[0], row, mark)
			continue
		}
		var b strings.Builder
		for k, text := range row {
			fmt.Fprintf(&b, "%-*s%s", widths[k], text, gap)
		}
		style := ""
		if mark != "" {
			style = bold
		}
		p.line(style, strings.TrimRight(b.String()+mark, " "))
	}
}

const gap = "   " // between columns

// stacked adds a row of a table in several lines.
func (p *paragraph) stacked(sources, row []string, mark string) {
	if row[0] == "" {
		return // the sources, which are in each line
	}
	style := ""
	if mark != "" {
		style = bold
	}
	for k := range sources[1:] {
		p.text(bar, bar+"  ", style, fmt.Sprintf("%s %s: %s", row[0], sources[k+1], row[k+1]))
	}
}

// A listing of more than mostLines lines has only as many as around before and after the marked ones.
const mostLines, around = 8, 2

// listing adds the bytes of a finding with their fields.
func (p *paragraph) listing(l *rules.Listing, color string) {
	p.empty()
	p.text(bar, bar, "", escape.Name(l.Title)+":")
	n := 16
	for ; n > 2; n /= 2 {
		if !slices.ContainsFunc(l.Lines(n), func(x rules.Line) bool { return len(bar+"> ")+len(x.Text) > p.width }) {
			break
		}
	}
	lines := l.Lines(n)
	first := slices.IndexFunc(lines, func(x rules.Line) bool { return x.Marked })
	last := first
	for i, x := range lines {
		if x.Marked {
			last = i
		}
	}
	for i, x := range lines {
		if len(lines) > mostLines && (i < first-around || i > last+around) {
			if i == first-around-1 || i == last+around+1 {
				p.line("", "  ...")
			}
			continue
		}
		if x.Marked {
			p.line(color, "> "+escape.Message(x.Text))
		} else {
			p.line("", "  "+escape.Message(x.Text))
		}
	}
}

// terms are the terms of messages, with what they mean.
var terms = []struct{ name, meaning string }{
	{"FDE", "the entry of a function"},
	{"FRE", "a row of such an entry, for some of the function's instructions"},
	{"CFA", "the stack pointer before the function was called"},
	{"RA", "the return address"},
	{"FP", "the frame pointer"},
	{"CFI", "the same facts in .eh_frame or .debug_frame; the compiler or .cfi_ directives in assembly state them"},
	{"PLT", "the linker's stubs for calls into other files"},
}

// termPattern is compiled where a report is made of paragraphs, not at each start.
var termPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(FDE|FRE|CFA|RA|FP|CFI|PLT)s?\b`) })

// note notes the terms that a paragraph uses.
func (t *Text) note(parts []part) {
	for _, p := range parts {
		for _, m := range termPattern().FindAllStringSubmatch(p.text, -1) {
			t.terms[m[1]] = true
		}
	}
	t.terms[""] = true
}

// explain writes what the terms in the report mean.
func (t *Text) explain() {
	if !t.terms[""] {
		return
	}
	text := "SFrame data, in the section .sframe, says for each instruction where the caller's frame is; profilers, debuggers and the kernel use it to write stack traces."
	for _, x := range terms {
		if t.terms[x.name] {
			text += " " + x.name + ": " + x.meaning + "."
		}
	}
	for _, line := range wrap(text, t.width) {
		t.line(t.Other, part{dim, line})
	}
}
