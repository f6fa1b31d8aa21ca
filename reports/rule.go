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

// RulesText lists rules, one on a line, with colours if asked for.
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

// RulesMarkdown lists rules as a table, with links to the pages that url returns
// for their IDs; see [rules.DocURL].
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
