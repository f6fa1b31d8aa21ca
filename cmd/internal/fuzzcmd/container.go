package fuzzcmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
)

// container is the flag --container.
type container string

func (k *container) flag(c *cobra.Command, def breaks.Kind, usage string) {
	c.Flags().StringVar((*string)(k), "container", string(def), usage)
	complete(c, "container", kindNames()...)
}

func (k container) check() error {
	if k != "" && !slices.Contains(breaks.Kinds(), breaks.Kind(k)) {
		return fmt.Errorf("--container: unknown container %q: want %s", string(k), strings.Join(kindNames(), ", "))
	}
	return nil
}

func kindNames() (names []string) {
	for _, k := range breaks.Kinds() {
		names = append(names, string(k))
	}
	return names
}

// suffix returns the extension of a file.
func suffix(k breaks.Kind) string {
	switch k {
	case breaks.Exec:
		return ".elf"
	case breaks.Shared:
		return ".so"
	case breaks.Rel:
		return ".o"
	case breaks.Archive:
		return ".a"
	}
	return ".sframe"
}

// complete adds shell completion for a flag's values.
func complete(c *cobra.Command, flag string, values ...string) {
	f := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := c.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // there is no such flag
	}
}
