package fuzzcmd

import (
	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// container is the flag --container.
type container string

func (k *container) flag(c *cobra.Command, def breaks.Container, usage string) {
	*k = container(def)
	program.Choice(c, c.Flags(), (*string)(k), "container", "container", usage, kindNames()...)
}

func kindNames() (names []string) {
	for _, k := range breaks.Containers() {
		names = append(names, string(k))
	}
	return names
}

// suffix returns the extension of a file.
func suffix(k breaks.Container) string {
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
