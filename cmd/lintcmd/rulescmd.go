package lintcmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
	"github.com/sframe-lint/sframe-lint/docs"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

func (a *app) rulesCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "rules",
		Short: "List the rules",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			switch format {
			case "text":
				return program.Failed(reports.RulesText(a.stdout, a.rules()))
			case "json":
				return program.Failed(reports.RulesJSON(a.stdout, a.rules()))
			case "markdown":
				return program.Failed(reports.RulesMarkdown(a.stdout, a.rules(), rules.DocURL))
			}
			return fmt.Errorf("--format: unknown format %q: want text, json or markdown", format)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "`FORMAT` of the list: text, json or markdown")
	return c
}

func (a *app) explainCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:     "explain RULE...",
		Short:   "Explain rules",
		Example: `  sframe-lint explain SF1003`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, ids []string) error {
			if format != "text" && format != "markdown" {
				return fmt.Errorf("--format: unknown format %q: want text or markdown", format)
			}
			return a.explain(ids, format == "markdown")
		},
		ValidArgsFunction: a.completeIDs,
	}
	c.Flags().StringVar(&format, "format", "text", "`FORMAT` of the text: text or markdown")
	return c
}

func (a *app) explain(ids []string, markdown bool) error {
	all := a.rules()
	var pages []string
	for _, id := range ids {
		n := len(pages)
		for _, r := range all {
			switch {
			case !strings.EqualFold(r.ID, id):
			case markdown:
				pages = append(pages, reports.PageMarkdown(r, docs.ExampleOf(r.ID)))
			default:
				pages = append(pages, reports.PageText(r, docs.ExampleOf(r.ID)))
			}
		}
		if len(pages) == n {
			return fmt.Errorf("unknown rule %q: 'sframe-lint rules' lists them", id)
		}
	}
	_, err := io.WriteString(a.stdout, strings.Join(pages, "\n"))
	return program.Failed(err)
}
