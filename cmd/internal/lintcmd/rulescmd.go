package lintcmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

var rulesCommand = command{
	name: "rules", args: "[RULE...]", formats: []string{"text", "json", "markdown"},
	short: "List the rules",
	long: `Lists the rules: all of them, or those with an ID, a prefix of IDs such as SF1, a word
in their titles, or else all words in their texts.`,
	example: `  sframe-lint rules SF1
  sframe-lint rules PLT`,
	start: func(a *app, c *cobra.Command) action {
		c.ValidArgsFunction = a.completeIDs
		return func(words []string) error {
			return a.writeRules(words, func(w io.Writer, format string, all []*rules.Rule) error {
				if format == "markdown" {
					return reports.RulesMarkdown(w, all, rules.DocURL)
				}
				return reports.RulesText(w, all, a.useColor(a.stdout))
			})
		}
	},
}

var explainCommand = command{
	name: "explain", args: "RULE...", formats: []string{"text", "markdown", "json"},
	short: "Explain rules",
	long: `Explains the rules with an ID, a prefix of IDs such as SF1, or a word in their titles. If the word is
in more than three titles, these are listed.`,
	example: `  sframe-lint explain SF1003
  sframe-lint explain SF60 PLT`,
	start: func(a *app, c *cobra.Command) action {
		c.ValidArgsFunction = a.completeIDs
		return func(words []string) error {
			return a.writeRules(words, func(w io.Writer, format string, all []*rules.Rule) error {
				if format != "text" || len(all) <= mostExplained || slices.ContainsFunc(words, namesRules) {
					return explain(w, format, all)
				}
				err := reports.RulesText(w, all, a.useColor(a.stdout))
				if err == nil {
					_, err = fmt.Fprintf(w, "\n'sframe-lint explain %s' explains the first one.\n", all[0].ID)
				}
				return err
			})
		}
	},
}

// mostExplained is the number of rules with a word in their titles that are explained at once.
const mostExplained = 3

// namesRules reports whether a word is a prefix of IDs.
func namesRules(word string) bool { return strings.HasPrefix(strings.ToLower(word), "sf") }

// writeRules writes the rules that words name, as JSON or by a function of the command.
func (a *app) writeRules(words []string, write func(w io.Writer, format string, all []*rules.Rule) error) error {
	all, err := a.chooseRules(words)
	if err != nil {
		return err
	}
	return a.writeRaw(func(w io.Writer, format string) error {
		if format == "json" {
			return reports.RulesJSON(w, all)
		}
		return write(w, format, all)
	})
}

// chooseRules returns the rules that one of the words names, all of them if there is none.
func (a *app) chooseRules(words []string) ([]*rules.Rule, error) {
	all := a.rules()
	if len(words) == 0 {
		return all, nil
	}
	if phrase := strings.Join(words, " "); len(matchRules(all, phrase)) > 0 {
		words = []string{phrase}
	}
	named := map[*rules.Rule]bool{}
	for _, word := range words {
		found := matchRules(all, word)
		if len(found) == 0 {
			return nil, unknownRule(word, all)
		}
		for _, r := range found {
			named[r] = true
		}
	}
	return slices.DeleteFunc(all, func(r *rules.Rule) bool { return !named[r] }), nil
}

// matchRules returns the rules with an ID or prefix, those with a word in their titles, or else those whose title and text have
// the stems of all words.
func matchRules(all []*rules.Rule, word string) []*rules.Rule {
	if word = strings.ToLower(strings.TrimSpace(word)); word == "" {
		return nil
	}
	var byID, byTitle, byText []*rules.Rule
	stems := lookup.Stems(word)
	for _, r := range all {
		if strings.HasPrefix(strings.ToLower(r.ID), word) {
			byID = append(byID, r)
		}
		if strings.Contains(strings.ToLower(r.Title), word) {
			byTitle = append(byTitle, r)
		}
		if len(stems) > 0 && lookup.Shared(stems, r.Title+" "+r.Text) == len(stems) {
			byText = append(byText, r)
		}
	}
	switch {
	case len(byID) > 0:
		return byID
	case len(byTitle) > 0:
		return byTitle
	}
	return byText
}

func unknownRule(word string, all []*rules.Rule) error {
	var ids []string
	for _, r := range all {
		ids = append(ids, r.ID)
	}
	return lookup.UnknownRule(word, ids, nil) // no title has the word
}

// explain writes the pages of rules.
func explain(w io.Writer, format string, all []*rules.Rule) error {
	var pages []string
	for _, r := range all {
		page, example := reports.PageText, (*clauses.Example).Text
		if format == "markdown" {
			page, example = reports.PageMarkdown, (*clauses.Example).Markdown
		}
		pages = append(pages, page(r, example(clauses.ExampleOf(r.ID))))
	}
	_, err := io.WriteString(w, strings.Join(pages, "\n"))
	return err
}
