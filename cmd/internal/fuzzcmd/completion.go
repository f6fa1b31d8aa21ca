package fuzzcmd

import "github.com/spf13/cobra"

// complete adds shell completion for a flag's values.
func complete(c *cobra.Command, flag string, values ...string) {
	f := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := c.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // there is no such flag
	}
}
