package fuzzcmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
)

// knobsCommand lists the knobs as --knobs reads them.
func (a *app) knobsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "knobs [NAME...]", Short: "List the knobs of sections, with ranges and defaults",
		Long: `Lists what --set takes, all or the named ones: what a knob means, its range, and a line
with its default. The output is a file for --knobs: change the lines that you need.`,
		Example: `  sframe-fuzz knobs funcs rows
  sframe-fuzz knobs > kernel.knobs`,
		RunE: func(_ *cobra.Command, args []string) error {
			var b strings.Builder
			var names []string
			for _, k := range settable() {
				if names = append(names, k.Name); len(args) == 0 || slices.Contains(args, k.Name) {
					fmt.Fprintf(&b, "# %s Range: %s.\n%s=%s\n", k.Doc, k.Range(), k.Name, k.Format(k.Default))
				}
			}
			for _, name := range args {
				if !slices.Contains(names, name) {
					return lookup.Unknown("knob", name, names, "")
				}
			}
			_, err := io.WriteString(a.stdout, b.String())
			return err
		},
	}
}
