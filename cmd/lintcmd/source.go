package lintcmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
	"github.com/sframe-lint/sframe-lint/lint/config"
)

// sourceFlags adds the flags that say where source files and debug information are.
func (f *lintFlags) sourceFlags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.sources.Root, "source-root", "", "write the paths of source files below `DIR` relative to it, as services show them\n(default: the working directory)")
	program.Directory(c, "source-root")
	fl.StringArrayVar(&f.pathMaps, "path-map", nil, "replace the beginning of the paths of source files: `FROM=TO`; the longest FROM\nthat matches counts; may be repeated")
	program.Values(c, "path-map")
	fl.StringArrayVar(&f.sources.DebugFiles, "debug-file", nil, "take source lines from `FILE`, a separate debug file, for the program with its\nbuild ID or with a link to it; may be repeated")
	fl.StringArrayVar(&f.sources.DebugRoots, "debug-root", nil, "search separate debug files below `DIR`, as /usr/lib/debug; may be repeated")
	program.Directory(c, "debug-root")
}

// parsePathMaps parses the values of --path-map.
func parsePathMaps(list []string) (out []config.PathMap, err error) {
	for _, s := range list {
		m, err := config.ParsePathMap(s)
		if err != nil {
			return nil, fmt.Errorf("--path-map: %w", err)
		}
		out = append(out, m)
	}
	return out, nil
}
