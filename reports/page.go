package reports

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// PageText returns the page of a rule for a terminal. It contains the example unless that is "".
func PageText(r *rules.Rule, example string) string {
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
	if example != "" {
		b.WriteString("\nExample: " + example)
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
	of, why := clauses.Of(r.ID), r.Basis
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

// PageMarkdown returns the page of a rule for the documentation. It contains the example unless that is "".
func PageMarkdown(r *rules.Rule, example string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\n", r.ID, r.Title)
	fmt.Fprintf(&b, "- Severity: %s\n", SeverityText(r))
	for _, f := range facts(r) {
		switch {
		case f.value == "all", f.name == manual && len(clauses.Of(r.ID)) > 0:
			continue
		case f.name == manual:
			f.value = fmt.Sprintf("[%s](%s)", r.Clause, f.value)
		}
		fmt.Fprintf(&b, "- %s: %s\n", f.name, f.value)
	}
	fmt.Fprintf(&b, "\n## Why\n\n%s\n", strings.TrimSpace(r.Text))
	if r.Fix != "" {
		fmt.Fprintf(&b, "\n## Fix\n\n%s\n", strings.TrimSpace(r.Fix))
	}
	exampleMarkdown(&b, r, example)
	clauseMarkdown(&b, r)
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

// clauseMarkdown writes links to the clauses of the manual that the rule checks.
func clauseMarkdown(b *strings.Builder, r *rules.Rule) {
	of, why := clauses.Of(r.ID), r.Basis
	if len(of) > 0 || why != "" {
		b.WriteString("\n## Manual\n\n")
	}
	if why != "" {
		fmt.Fprintf(b, "Nothing. %s\n", why)
	}
	var links []string
	for _, c := range of {
		links = append(links, clauses.Link(c.ID, c.URL()))
	}
	if len(links) > 0 {
		fmt.Fprintf(b, "%s\n", strings.Join(links, ", "))
	}
}

func exampleMarkdown(b *strings.Builder, r *rules.Rule, example string) {
	if r.Good != "" || r.Bad != "" || example != "" {
		b.WriteString("\n## Example\n\n")
	}
	for _, x := range []struct{ name, line string }{{"Good", r.Good}, {"Bad", r.Bad}} {
		if x.line != "" {
			fmt.Fprintf(b, "- %s: %s\n", x.name, codeSpan(x.line))
		}
	}
	if example != "" {
		b.WriteString("\n" + example)
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

// SeverityText returns the default severity of a rule, and whether it is opt-in.
func SeverityText(r *rules.Rule) string {
	if r.OnRequest() {
		return r.Severity.String() + ", only when asked for"
	}
	return r.Severity.String()
}

func versions(r *rules.Rule) []string {
	var all []string
	for _, v := range r.Versions {
		all = append(all, v.String())
	}
	return all
}

// abis returns the names of the rule's ABIs; both byte orders of AArch64 have one.
func abis(r *rules.Rule) []string {
	var all []string
	for _, id := range r.ABIs {
		name := model.LookupABI(id).Name
		if len(all) == 0 || all[len(all)-1] != name {
			all = append(all, name)
		}
	}
	return all
}

// RulesText lists rules, one a line, with colours if color is set.
func RulesText(w io.Writer, all []*rules.Rule, color bool) error {
	var b strings.Builder
	for _, r := range all {
		level := fmt.Sprintf("%-7s", r.Severity)
		if code := severityColor[r.Severity]; color && code != "" {
			level = "\x1b[" + code + "m" + level + "\x1b[0m"
		}
		fmt.Fprintf(&b, "%s  %s  %s", r.ID, level, r.Title)
		if r.OnRequest() {
			b.WriteString(" (only when asked for)")
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// RulesMarkdown lists rules as a table with links. url returns the page for the ID of a rule; see [rules.DocURL].
func RulesMarkdown(w io.Writer, all []*rules.Rule, url func(id string) string) error {
	var b strings.Builder
	b.WriteString("| Rule | Severity | Finds |\n|---|---|---|\n")
	for _, r := range all {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", clauses.Link(r.ID, url(r.ID)), SeverityText(r), r.Title)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

type jsonRule struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Severity string   `json:"severity"`
	OptIn    bool     `json:"opt_in,omitempty"`
	Clause   string   `json:"clause,omitempty"`
	Manual   string   `json:"manual,omitempty"` // URL of the clause's chapter
	Versions []string `json:"versions,omitempty"`
	ABIs     []string `json:"abis,omitempty"`
	Quirk    []string `json:"producers,omitempty"`
	Text     string   `json:"text"`
	Fix      string   `json:"fix,omitempty"`
	Good     string   `json:"good,omitempty"`
	Bad      string   `json:"bad,omitempty"`
	Bugs     []string `json:"reports,omitempty"`
	URL      string   `json:"url,omitempty"`
}

// RulesJSON writes rules with all of their texts, as an array.
func RulesJSON(w io.Writer, all []*rules.Rule) error {
	list := make([]jsonRule, 0, len(all))
	for _, r := range all {
		list = append(list, jsonRule{
			ID: r.ID, Title: r.Title, Severity: r.Severity.String(), OptIn: r.OnRequest(),
			Clause: r.Clause, Manual: clauses.Chapter(r.Clause).URL(),
			Versions: versions(r), ABIs: abis(r), Quirk: r.Quirk,
			Text: strings.TrimSpace(r.Text), Fix: strings.TrimSpace(r.Fix), Good: r.Good, Bad: r.Bad,
			Bugs: r.Bugs, URL: rules.DocURL(r.ID),
		})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(list)
}
