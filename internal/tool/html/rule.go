package html

import (
	"cmp"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/rules"
)

// ruleURL returns the address of a rule's page, or its place in this one.
func ruleURL(id string) string { return cmp.Or(rules.DocURL(id), "#"+id) }

// writeRule writes the text of a rule: why it matters, what to do, an example and what the
// manual says.
func (p *page) writeRule(x *rules.Rule) {
	if p.explained[x.ID] {
		return // in the group of another severity
	}
	p.explained[x.ID] = true
	p.printf("<details class=\"rule\" id=\"%s\"><summary>About %s</summary>\n", text(x.ID), text(x.ID))
	for par := range strings.SplitSeq(strings.TrimSpace(x.Text), "\n\n") {
		p.printf("<p>%s</p>\n", code(par))
	}
	if x.Fix != "" {
		p.printf("<p><b>Fix:</b> %s</p>\n", code(strings.TrimSpace(x.Fix)))
	}
	if x.Good != "" {
		p.printf("<p><b>Good:</b> <code>%s</code></p>\n", text(x.Good))
	}
	if x.Bad != "" {
		p.printf("<p><b>Bad:</b> <code>%s</code></p>\n", text(x.Bad))
	}
	if ex := clauses.ExampleOf(x.ID); ex != nil {
		p.printf("<p><b>Example:</b> <code>%s</code>: %s</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Example\"><pre>%s</pre></div>\n",
			text(ex.File), text(ex.About), text(strings.TrimRight(ex.Transcript(), "\n")))
	}
	p.clauses(x)
	p.printf("<p><a href=\"%s\" rel=\"noreferrer\">The page of %s</a></p>\n</details>\n", text(ruleURL(x.ID)), text(x.ID))
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
func link(url, name string) string {
	if !strings.HasPrefix(url, "https://") {
		return text(name)
	}
	return "<a href=\"" + text(url) + "\" rel=\"noreferrer\">" + text(name) + "</a>"
}

// code returns a text in which words in back quotes are code.
func code(s string) string {
	var b strings.Builder
	for {
		before, rest, _ := strings.Cut(s, "`")
		word, after, ok := strings.Cut(rest, "`")
		if !ok {
			b.WriteString(text(s))
			return b.String()
		}
		b.WriteString(text(before) + "<code>" + text(word) + "</code>")
		s = after
	}
}
