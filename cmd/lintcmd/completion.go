package lintcmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/producers"
)

// complete makes the shell offer values of a flag.
func complete(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // there is no such flag
	}
}

func (a *app) completeLint(c *cobra.Command) {
	fixed := func(values ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	}
	complete(c, "format", func(_ *cobra.Command, _ []string, begin string) ([]string, cobra.ShellCompDirective) {
		if strings.Contains(begin, "=") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return formatNames(), cobra.ShellCompDirectiveNoFileComp
	})
	complete(c, "fail-on", fixed("error", "warning", "note", "never"))
	complete(c, "select", a.completeIDs)
	complete(c, "ignore", a.completeIDs)
	complete(c, "severity", a.completeSeverity)
	complete(c, "producer", fixed(producers.Names()...))
	for _, flag := range []string{"jobs", "address", "allow-section"} {
		complete(c, flag, cobra.NoFileCompletions)
	}
}

// completeIDs offers rules after the last comma.
func (a *app) completeIDs(_ *cobra.Command, _ []string, begin string) ([]string, cobra.ShellCompDirective) {
	at := strings.LastIndexByte(begin, ',') + 1
	var ids []string
	for _, r := range a.rules() {
		if strings.HasPrefix(r.ID, strings.ToUpper(begin[at:])) {
			ids = append(ids, begin[:at]+r.ID+"\t"+r.Title)
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

func (a *app) completeSeverity(_ *cobra.Command, _ []string, begin string) ([]string, cobra.ShellCompDirective) {
	var all []string
	for _, r := range a.rules() {
		for _, level := range []string{"error", "warning", "note", "off"} {
			if s := r.ID + "=" + level; strings.HasPrefix(s, strings.ToUpper(begin)) || strings.HasPrefix(s, begin) {
				all = append(all, s)
			}
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}
