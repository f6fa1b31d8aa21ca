package reports

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/clauses"
)

// RuleText explains a rule in short, for a terminal; [PageText] says more.
func RuleText(r *rules.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s (%s)\n", r.ID, r.Title, severityWords(r))
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
	for i, url := range r.Bugs {
		if i == 0 {
			b.WriteString("\nReports:\n")
		}
		fmt.Fprintf(&b, "  %s\n", url)
	}
	return b.String()
}

// RuleMarkdown explains a rule in short; [PageMarkdown] says more.
func RuleMarkdown(r *rules.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\n", r.ID, r.Title)
	fmt.Fprintf(&b, "- Severity: %s\n", severityWords(r))
	for _, f := range facts(r) {
		fmt.Fprintf(&b, "- %s: %s\n", f.name, f.value)
	}
	fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(r.Text))
	if r.Fix != "" {
		fmt.Fprintf(&b, "\n## Fix\n\n%s\n", strings.TrimSpace(r.Fix))
	}
	if r.Good != "" || r.Bad != "" {
		b.WriteString("\n## Example\n\n")
	}
	for _, x := range []struct{ name, line string }{{"Good", r.Good}, {"Bad", r.Bad}} {
		if x.line != "" {
			fmt.Fprintf(&b, "- %s: `%s`\n", x.name, x.line)
		}
	}
	for i, url := range r.Bugs {
		if i == 0 {
			b.WriteString("\n## Reports\n\n")
		}
		fmt.Fprintf(&b, "- <%s>\n", url)
	}
	return b.String()
}

func severityWords(r *rules.Rule) string {
	if r.OptIn {
		return r.Severity.String() + ", only when asked for"
	}
	return r.Severity.String()
}

type fact struct{ name, value string }

// facts are what there is to say of a rule in a few words.
func facts(r *rules.Rule) []fact {
	var all []fact
	if r.Clause != "" {
		all = append(all, fact{"Clause", `"` + r.Clause + `"`})
	}
	if len(r.Versions) > 0 {
		all = append(all, fact{"Versions", strings.Join(versions(r), ", ")})
	}
	if len(r.ABIs) > 0 {
		all = append(all, fact{"ABIs", strings.Join(abis(r), ", ")})
	}
	if len(r.Quirk) > 0 {
		all = append(all, fact{"Producers", strings.Join(r.Quirk, ", ")})
	}
	return all
}

func versions(r *rules.Rule) []string {
	var all []string
	for _, v := range r.Versions {
		all = append(all, v.String())
	}
	return all
}

// abis names the rule's ABIs; the two byte orders of AArch64 go by one name.
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

// RulesText lists rules, one a line.
func RulesText(w io.Writer, all []*rules.Rule) error {
	var b strings.Builder
	for _, r := range all {
		fmt.Fprintf(&b, "%s  %-7s  %s", r.ID, r.Severity, r.Title)
		if r.OptIn {
			b.WriteString(" (only when asked for)")
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// RulesMarkdown lists rules as a table.
func RulesMarkdown(w io.Writer, all []*rules.Rule) error {
	var b strings.Builder
	b.WriteString("| Rule | Severity | Finds |\n|---|---|---|\n")
	for _, r := range all {
		fmt.Fprintf(&b, "| [%s](%s) | %s | %s |\n", r.ID, rules.DocURL(r.ID), severityWords(r), r.Title)
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
	Manual   string   `json:"manual,omitempty"` // where the clause's chapter stands
	Versions []string `json:"versions,omitempty"`
	ABIs     []string `json:"abis,omitempty"`
	Quirk    []string `json:"producers,omitempty"`
	Text     string   `json:"text"`
	Fix      string   `json:"fix,omitempty"`
	Good     string   `json:"good,omitempty"`
	Bad      string   `json:"bad,omitempty"`
	Bugs     []string `json:"reports,omitempty"`
	URL      string   `json:"url"`
}

// RulesJSON writes all that there is to tell about rules, as an array.
func RulesJSON(w io.Writer, all []*rules.Rule) error {
	list := make([]jsonRule, 0, len(all))
	for _, r := range all {
		list = append(list, jsonRule{
			ID: r.ID, Title: r.Title, Severity: r.Severity.String(), OptIn: r.OptIn,
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
