package lintcmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

func (a *app) completeLint(c *cobra.Command) {
	complete := func(flag string, f cobra.CompletionFunc) { program.Complete(c, flag, f) }
	complete("format", func(_ *cobra.Command, _ []string, begin string) ([]string, cobra.ShellCompDirective) {
		if strings.Contains(begin, "=") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return formatNames(), cobra.ShellCompDirectiveNoFileComp
	})
	complete("fail-on", cobra.FixedCompletions([]string{"error", "warning", "note", "never"}, cobra.ShellCompDirectiveNoFileComp))
	complete("select", a.completeIDs)
	complete("ignore", a.completeIDs)
	complete("severity", a.completeSeverity)
	complete("producer", cobra.FixedCompletions(producers.Names(), cobra.ShellCompDirectiveNoFileComp))
	completeOthers(c)
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
