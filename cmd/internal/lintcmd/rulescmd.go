package lintcmd

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/examples"
	"github.com/sframe-lint/sframe-lint/internal/program"
	"github.com/sframe-lint/sframe-lint/internal/suggest"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

func (a *app) rulesCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "rules [flags] [RULE...]",
		Short: "List the rules",
		Long: `Lists the rules: all of them, or those with an ID, a prefix of IDs such as SF1, or a word
in their titles.`,
		Example: `  sframe-lint rules SF1
  sframe-lint rules PLT`,
		RunE: func(_ *cobra.Command, words []string) error {
			all, err := a.chosen(words)
			if err != nil {
				return err
			}
			switch format {
			case "json":
				return program.Failed(reports.RulesJSON(a.stdout, all))
			case "markdown":
				return program.Failed(reports.RulesMarkdown(a.stdout, all, rules.DocURL))
			}
			return program.Failed(reports.RulesText(a.stdout, all, a.useColor(a.stdout)))
		},
		ValidArgsFunction: a.completeIDs,
	}
	program.Format(c, &format, "text", "json", "markdown")
	return c
}

func (a *app) explainCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "explain [flags] RULE...",
		Short: "Explain rules",
		Long:  "Explains the rules with an ID, a prefix of IDs such as SF1, or a word in their titles.",
		Example: `  sframe-lint explain SF1003
  sframe-lint explain SF60 PLT`,
		Args: program.AtLeastOne("RULE"),
		RunE: func(_ *cobra.Command, words []string) error {
			all, err := a.chosen(words)
			if err != nil {
				return err
			}
			return program.Failed(a.explain(all, format))
		},
		ValidArgsFunction: a.completeIDs,
	}
	program.Format(c, &format, "text", "markdown", "json")
	return c
}

// chosen returns the rules that one of the words names, all of them if there is none.
func (a *app) chosen(words []string) ([]*rules.Rule, error) {
	all := a.rules()
	if len(words) == 0 {
		return all, nil
	}
	named := map[*rules.Rule]bool{}
	for _, word := range words {
		found := fitting(all, word)
		if len(found) == 0 {
			return nil, unknownRule(word, all)
		}
		for _, r := range found {
			named[r] = true
		}
	}
	return slices.DeleteFunc(all, func(r *rules.Rule) bool { return !named[r] }), nil
}

// fitting returns the rules with an ID or prefix, or else those with a word in their titles.
func fitting(all []*rules.Rule, word string) []*rules.Rule {
	if word = strings.ToLower(strings.TrimSpace(word)); word == "" {
		return nil
	}
	var byID, byTitle []*rules.Rule
	for _, r := range all {
		if strings.HasPrefix(strings.ToLower(r.ID), word) {
			byID = append(byID, r)
		}
		if strings.Contains(strings.ToLower(r.Title), word) {
			byTitle = append(byTitle, r)
		}
	}
	if len(byID) > 0 {
		return byID
	}
	return byTitle
}

func unknownRule(word string, all []*rules.Rule) error {
	var ids []string
	for _, r := range all {
		ids = append(ids, r.ID)
	}
	return suggest.UnknownRule(word, ids)
}

func (a *app) explain(all []*rules.Rule, format string) error {
	if format == "json" {
		return reports.RulesJSON(a.stdout, all)
	}
	var pages []string
	for _, r := range all {
		page := reports.PageText
		if format == "markdown" {
			page = reports.PageMarkdown
		}
		pages = append(pages, page(r, examples.ExampleOf(r.ID)))
	}
	_, err := io.WriteString(a.stdout, strings.Join(pages, "\n"))
	return err
}
