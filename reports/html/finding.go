package html

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// finding writes what was found, and below it the frame, the bytes and the fixes.
func (p *page) finding(x *result) {
	p.next++
	p.printf("<article id=\"f%d\" class=\"finding %s\" data-level=\"%s\" data-rule=\"%s\">\n", p.next, x.Severity, x.Severity, text(x.Rule.ID))
	p.printf("<a class=\"self\" href=\"#f%d\" aria-label=\"Link to finding %d\">#%d</a><p class=\"message\">%s</p>\n", p.next, p.next, p.next, text(reports.Message(&x.Finding)))
	if at := reports.Source(&x.Finding); at != "" {
		p.printf("<p class=\"at\">%s</p>\n", text(at))
	}
	if at := reports.Where(&x.Finding); at != "" {
		p.printf("<p class=\"at\">%s</p>\n", text(at))
	}
	if x.excerpt != nil || x.Frame != nil {
		open := ""
		if p.open {
			open = " open"
		}
		p.printf("<details class=\"more\" id=\"m%d\"%s><summary>%s</summary>\n", p.next, open, shownBelow(x))
		if f := x.Frame; f != nil {
			p.printf("%s", picture(model.LookupABI(f.ABI), f.Sides, caption(x)))
		}
		if x.excerpt != nil {
			p.bytes(x.excerpt)
		}
		p.printf("</details>\n")
	}
	p.printf("%s", x.fixes)
	p.printf("</article>\n")
}

// shownBelow names what follows a finding.
func shownBelow(x *result) string {
	switch {
	case x.Frame == nil:
		return "Bytes"
	case x.excerpt == nil:
		return "Frame"
	}
	return "Frame and bytes"
}

// caption names the frame of a finding.
func caption(x *result) string {
	name := "The frame"
	if x.Function != "" {
		name += " of " + escape.Name(x.Function)
	}
	if x.HasPC {
		name += fmt.Sprintf(" at PC 0x%x", x.Frame.PC)
	}
	return name
}

// bytes writes the bytes around a finding, and marks those that it is about.
func (p *page) bytes(e *lint.Excerpt) {
	p.printf("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Bytes\"><pre class=\"hex\">")
	for at := 0; at < len(e.Data); at += 16 {
		line := e.Data[at:min(at+16, len(e.Data))]
		p.printf("<span class=\"off\">%08x</span>", e.Off+int64(at))
		p.printf("%s\n", marked(line, e.Mark.Off-e.Off-int64(at), e.Mark.End()-e.Off-int64(at)))
	}
	p.printf("</pre></div>\n")
	if rest := e.Mark.End() - e.Off - int64(len(e.Data)); rest > 0 {
		p.printf("<p class=\"at\">and %s more</p>\n", rules.Count(int(rest), "byte"))
	}
}

// marked writes a line of at most 16 bytes with those from first to before
// last marked, the spaces between them as well.
func marked(line []byte, first, last int64) string {
	var b strings.Builder
	in := false
	for i := range 16 {
		inside := int64(i) >= first && int64(i) < last && i < len(line)
		if in && !inside {
			b.WriteString("</mark>")
			in = false
		}
		b.WriteByte(' ')
		if i == 8 {
			b.WriteByte(' ')
		}
		if inside && !in {
			b.WriteString("<mark>")
			in = true
		}
		if i < len(line) {
			b.WriteString(hex.EncodeToString(line[i : i+1]))
		}
	}
	if in {
		b.WriteString("</mark>")
	}
	return strings.TrimRight(b.String(), " ")
}

// fixes returns the fixes of a finding. The bytes are in file, unless it is "".
func fixes(x *rules.Finding, file string) string {
	var b strings.Builder
	place := ""
	if file != "" {
		place = " of " + reports.Escape(file)
	}
	for _, f := range x.Fixes {
		kind, how := "Fix", "--fix applies it"
		if !f.Safe {
			kind, how = "Unsafe fix", "--fix --fix-unsafe applies it; it rests on a guess"
		}
		fmt.Fprintf(&b, "<details class=\"fix\"><summary>%s: %s</summary>\n<p class=\"at\">%s</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Bytes\"><pre class=\"hex\">",
			kind, text(escape.Message(f.Message)), how)
		for i, e := range f.Edits {
			if i == mostEdits {
				fmt.Fprintf(&b, "and %s more\n", rules.Count(len(f.Edits)-i, "change"))
				break
			}
			fmt.Fprintf(&b, "<span class=\"off\">%s</span> %s\n",
				text(fmt.Sprintf("%08x%s, %s:", x.Base+e.Span.Off, place, rules.Count(int(e.Span.Len), "byte"))), replacement(e.New))
		}
		b.WriteString("</pre></div></details>\n")
	}
	return b.String()
}

// mostEdits is how many changes of a fix are shown.
const mostEdits = 16

// replacement returns new bytes in hex, up to a maximum.
func replacement(b []byte) string {
	const most = 256
	switch {
	case len(b) == 0:
		return "the file ends here"
	case len(b) > most:
		return fmt.Sprintf("% x and %s more", b[:most], rules.Count(len(b)-most, "byte"))
	}
	return fmt.Sprintf("% x", b)
}

// placed is a finding with its file.
type placed struct {
	*result
	file int // index in Renderer.files
}

// byGravity returns the findings in the order of the page: the gravest first, then by
// rule and file.
func (r *Renderer) byGravity() []placed {
	all := make([]placed, 0, r.held)
	for i := range r.files {
		for j := range r.files[i].results {
			all = append(all, placed{&r.files[i].results[j], i})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		return cmp.Or(-cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Rule.ID, b.Rule.ID), cmp.Compare(a.file, b.file))
	})
	return all
}

// findings writes all findings.
func (p *page) findings(r *Renderer) {
	all := r.byGravity()
	p.open = len(all) <= mostOpen
	for len(all) > 0 {
		n := run(all, func(a, b placed) bool { return a.Severity == b.Severity })
		level := all[0].Severity
		p.printf("<section class=\"gravity %s\" data-level=\"%s\">\n<h2>%s</h2>\n", level, level, text(rules.Count(n, level.String())))
		for group := all[:n]; len(group) > 0; {
			k := run(group, func(a, b placed) bool { return a.Rule.ID == b.Rule.ID })
			p.group(r, group[:k])
			group = group[k:]
		}
		p.printf("</section>\n")
		all = all[n:]
	}
}

// mostOpen is how many findings are shown with their bytes and frames from the start.
const mostOpen = 20

// run returns how many findings at the start are the same in a way.
func run(all []placed, same func(a, b placed) bool) int {
	n := 1
	for n < len(all) && same(all[0], all[n]) {
		n++
	}
	return n
}

// group writes the findings of a rule with one severity.
func (p *page) group(r *Renderer, all []placed) {
	x := &all[0]
	files := 1
	for i := range all[1:] {
		if all[i].file != all[i+1].file {
			files++
		}
	}
	p.printf("<details class=\"group\" id=\"%s-%s\" open data-rule=\"%s\">\n", x.Severity, text(x.Rule.ID), text(x.Rule.ID))
	p.printf("<summary><h3><span class=\"badge %s\">%s</span> <span class=\"id\">%s</span> <span class=\"title\">%s</span></h3> <span class=\"count\">%d in %s</span></summary>\n",
		x.Severity, x.Severity, text(x.Rule.ID), text(x.Rule.Title), len(all), rules.Count(files, "file"))
	p.about(x.Rule)
	for len(all) > 0 {
		n := run(all, func(a, b placed) bool { return a.file == b.file && a.Member == b.Member })
		p.printf("<section class=\"file\" data-file=\"%d\">\n<h4 class=\"path\">%s</h4>\n", all[0].file, text(reports.Name(r.files[all[0].file].path, all[0].Member)))
		for i := range all[:n] {
			p.finding(all[i].result)
		}
		p.printf("</section>\n")
		all = all[n:]
	}
	p.printf("</details>\n")
}
