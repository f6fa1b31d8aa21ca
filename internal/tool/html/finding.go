package html

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// finding writes what was found, and below it the frame, the bytes and the fixes.
func (p *page) finding(x *result) {
	p.next++
	p.printf("<article id=\"f%d\" class=\"finding %s\" data-level=\"%s\" data-rule=\"%s\">\n", p.next, x.Severity, x.Severity, x.Rule.ID)
	p.printf("<a class=\"self\" href=\"#f%d\" aria-label=\"Link to finding %d\">#%d</a><p class=\"message\">%s</p>\n", p.next, p.next, p.next, reports.Message(&x.Finding))
	if at := reports.Source(&x.Finding); at != "" {
		p.printf("<p class=\"at\">%s</p>\n", at)
	}
	if at := reports.Where(&x.Finding); at != "" {
		p.printf("<p class=\"at\">%s</p>\n", at)
	}
	if x.Listing != nil || x.hasFrame() {
		p.printf("<details class=\"more\" id=\"m%d\"%s><summary>%s</summary>\n", p.next, state(p.open), shownBelow(x))
		if f := x.Frame; x.hasFrame() {
			p.printf("%s", picture(model.LookupABI(f.ABI), f.Sides, caption(x)))
		}
		if x.Listing != nil {
			p.listing(x.Listing)
		}
		p.printf("</details>\n")
	}
	p.printf("%s", x.fixes)
	p.printf("</article>\n")
}

// shownBelow names what follows a finding.
func shownBelow(x *result) string {
	switch {
	case !x.hasFrame():
		return "Bytes"
	case x.Listing == nil:
		return "Frame"
	}
	return "Frame and bytes"
}

// hasFrame reports whether the finding has rules to show. One of a joined report has only the path of the code.
func (x *result) hasFrame() bool { return x.Frame != nil && len(x.Frame.Sides) > 0 }

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

// listing writes the fields around a finding, and marks those that it is about.
func (p *page) listing(l *rules.Listing) {
	p.printf("<p class=\"at\">%s</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Bytes\"><pre class=\"hex\">", escape.Name(l.Title))
	for _, x := range l.Lines(16) {
		if line := escape.Message(x.Text); x.Marked {
			p.printf("<mark>%s</mark>\n", line)
		} else {
			p.printf("%s\n", line)
		}
	}
	p.printf("</pre></div>\n")
}

// fixes returns the fixes of a finding. The bytes are in file, unless it is "".
func fixes(x *rules.Finding, file string) markup {
	var b fragment
	place := ""
	if file != "" {
		place = " of " + reports.Escape(file)
	}
	for _, f := range x.Fixes {
		kind, how := "Fix", "--fix applies it"
		if !f.Safe {
			kind, how = "Unsafe fix", "--fix --fix-unsafe applies it; it rests on a guess"
		}
		b.printf("<details class=\"fix\"><summary>%s: %s</summary>\n<p class=\"at\">%s</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Bytes\"><pre class=\"hex\">",
			kind, escape.Message(f.Message), how)
		for i, e := range f.Edits {
			if i == mostEdits {
				b.printf("and %s more\n", rules.Count(len(f.Edits)-i, "change"))
				break
			}
			b.printf("<span class=\"off\">%s</span> %s\n",
				fmt.Sprintf("%08x%s, %s:", x.Base+e.Span.Off, place, rules.Count(int(e.Span.Len), "byte")), replacement(e.New))
		}
		b.WriteString("</pre></div></details>\n")
	}
	return b.html()
}

// mostEdits is the number of changes of a fix that are shown.
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

// ruleURL returns the address of a rule's page, or its place in this one.
func ruleURL(id string) string { return cmp.Or(rules.DocURL(id), "#"+id) }

// writeRule writes the text of a rule: why it matters, what to do, an example and what the
// manual says.
func (p *page) writeRule(x *rules.Rule) {
	if p.explained[x.ID] {
		return // in the group of another severity
	}
	p.explained[x.ID] = true
	p.printf("<details class=\"rule\" id=\"%s\"><summary>About %s</summary>\n", x.ID, x.ID)
	for par := range strings.SplitSeq(strings.TrimSpace(x.Text), "\n\n") {
		p.printf("<p>%s</p>\n", code(par))
	}
	if x.Fix != "" {
		p.printf("<p><b>Fix:</b> %s</p>\n", code(strings.TrimSpace(x.Fix)))
	}
	if x.Good != "" {
		p.printf("<p><b>Good:</b> <code>%s</code></p>\n", x.Good)
	}
	if x.Bad != "" {
		p.printf("<p><b>Bad:</b> <code>%s</code></p>\n", x.Bad)
	}
	if ex := clauses.ExampleOf(x.ID); ex != nil {
		p.printf("<p><b>Example:</b> <code>%s</code>: %s</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Example\"><pre>%s</pre></div>\n",
			ex.File, ex.About, strings.TrimRight(ex.Transcript(), "\n"))
	}
	p.clauses(x)
	p.printf("<p><a href=\"%s\" rel=\"noreferrer\">The page of %s</a></p>\n</details>\n", ruleURL(x.ID), x.ID)
}

// clauses writes what the manual says, with links to its chapters, and the reports of bugs.
func (p *page) clauses(x *rules.Rule) {
	if why := x.Basis; why != "" {
		p.printf("<p><b>The manual</b> is silent. %s</p>\n", code(why))
	}
	if of := clauses.Of(x.ID); len(of) > 0 {
		p.printf("<p><b>The manual:</b></p>\n<ul>\n")
		for _, c := range of {
			p.printf("<li>%s: %s</li>\n", link(c.URL(), string(c.Chapter)), code(c.Text))
		}
		p.printf("</ul>\n")
	}
	for _, url := range x.Bugs {
		p.printf("<p><b>Report:</b> %s</p>\n", link(url, url))
	}
}

// link returns a text as a link, or by itself if there is no address of the web.
func link(url, name string) markup {
	if !strings.HasPrefix(url, "https://") {
		return markf("%s", name)
	}
	return markf("<a href=\"%s\" rel=\"noreferrer\">%s</a>", url, name)
}

// code returns a text in which words in back quotes are code.
func code(s string) markup {
	var b fragment
	for {
		before, rest, _ := strings.Cut(s, "`")
		word, after, ok := strings.Cut(rest, "`")
		if !ok {
			b.printf("%s", s)
			return b.html()
		}
		b.printf("%s<code>%s</code>", before, word)
		s = after
	}
}
