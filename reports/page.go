package reports

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/docs"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/clauses"
)

// PageText returns the page of a rule, for a terminal. The example may be nil.
func PageText(r *rules.Rule, ex *docs.Example) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s (%s)\n", r.ID, r.Title, SeverityText(r))
	for _, f := range facts(r) {
		fmt.Fprintf(&b, "%-10s %s\n", f.name+":", f.value)
	}
	fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(r.Text))
	if r.Fix != "" {
		fmt.Fprintf(&b, "\nFix: %s\n", strings.TrimSpace(r.Fix))
	}
	if r.Good != "" || r.Bad != "" {
		b.WriteByte('\n')
	}
	for _, x := range []struct{ name, line string }{{"good", r.Good}, {"bad", r.Bad}} {
		if x.line != "" {
			fmt.Fprintf(&b, "%-5s %s\n", x.name+":", x.line)
		}
	}
	if ex != nil {
		fmt.Fprintf(&b, "\nExample: %s\n%s\n\n%s", ex.File, ex.About, indent(ExampleText(ex)))
	}
	clauseText(&b, r)
	for i, url := range r.Bugs {
		if i == 0 {
			b.WriteString("\nReports:\n")
		}
		fmt.Fprintf(&b, "  %s\n", url)
	}
	return b.String()
}

func clauseText(b *strings.Builder, r *rules.Rule) {
	of, why := clauses.Of(r.ID), clauses.Practice[r.ID]
	if len(of) > 0 || why != "" {
		b.WriteString("\nThe manual:\n")
	}
	if why != "" {
		fmt.Fprintf(b, "  is silent. %s\n", why)
	}
	for _, c := range of {
		fmt.Fprintf(b, "  %s: %s\n", c.ID, c.Text)
	}
}

// PageMarkdown returns the page of a rule, for the documentation. The example may
// be nil.
func PageMarkdown(r *rules.Rule, ex *docs.Example) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\n", r.ID, r.Title)
	fmt.Fprintf(&b, "- Severity: %s\n", SeverityText(r))
	for _, f := range facts(r) {
		if f.name == manual {
			f.value = fmt.Sprintf("[%s](%s)", r.Clause, f.value)
		}
		fmt.Fprintf(&b, "- %s: %s\n", f.name, f.value)
	}
	fmt.Fprintf(&b, "\n## What and why\n\n%s\n", strings.TrimSpace(r.Text))
	clauseMarkdown(&b, r)
	exampleMarkdown(&b, r, ex)
	if r.Fix != "" {
		fmt.Fprintf(&b, "\n## Fix\n\n%s\n", strings.TrimSpace(r.Fix))
	}
	for i, url := range r.Bugs {
		if i == 0 {
			b.WriteString("\n## Reports\n\n")
		}
		if strings.HasPrefix(url, "https://") {
			url = "<" + url + ">"
		}
		fmt.Fprintf(&b, "- %s\n", url)
	}
	return b.String()
}

// clauseMarkdown writes the clauses of the manual that the rule checks.
func clauseMarkdown(b *strings.Builder, r *rules.Rule) {
	of, why := clauses.Of(r.ID), clauses.Practice[r.ID]
	if len(of) > 0 || why != "" {
		b.WriteString("\n## What the manual says\n\n")
	}
	if why != "" {
		fmt.Fprintf(b, "Nothing. %s\n", why)
	}
	for _, c := range of {
		fmt.Fprintf(b, "- %s, version %s, %s: %s\n", c.ID, c.Scope, clauses.Link(string(c.Chapter), c.URL()), c.Text)
	}
}

func exampleMarkdown(b *strings.Builder, r *rules.Rule, ex *docs.Example) {
	if r.Good != "" || r.Bad != "" || ex != nil {
		b.WriteString("\n## Example\n\n")
	}
	for _, x := range []struct{ name, line string }{{"Good", r.Good}, {"Bad", r.Bad}} {
		if x.line != "" {
			fmt.Fprintf(b, "- %s: %s\n", x.name, codeSpan(x.line))
		}
	}
	if ex != nil {
		fmt.Fprintf(b, "\n`%s`: %s\n\n```\n%s```\n", ex.File, ex.About, ExampleText(ex))
	}
}

// codeSpan encloses a line in more backticks than it has in a row.
func codeSpan(line string) string {
	if strings.Contains(line, "`") {
		return "`` " + line + " ``"
	}
	return "`" + line + "`"
}

const manual = "Manual" // the fact that is a link

type fact struct{ name, value string }

// facts returns what can be said of a rule in a few words.
func facts(r *rules.Rule) []fact {
	all := []fact{{"Versions", orAll(versions(r))}, {"ABIs", orAll(abis(r))}}
	if url := clauses.Chapter(r.Clause).URL(); url != "" {
		all = append(all, fact{manual, url})
	}
	if len(r.Quirk) > 0 {
		all = append(all, fact{"Producers", strings.Join(r.Quirk, ", ")})
	}
	return all
}

func orAll(names []string) string {
	if len(names) == 0 {
		return "all"
	}
	return strings.Join(names, ", ")
}

// ExampleText returns the bytes of an example, the command and its output.
func ExampleText(ex *docs.Example) string {
	var b strings.Builder
	if ex.Bytes != "" {
		b.WriteString(ex.Bytes + "\n")
	}
	fmt.Fprintf(&b, "$ %s\n%s", ex.Command, ex.Output)
	if ex.More > 0 {
		fmt.Fprintf(&b, "(and %d more)\n", ex.More)
	}
	return b.String()
}

func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			b.WriteString("  ")
		}
		b.WriteString(line)
	}
	return b.String()
}
