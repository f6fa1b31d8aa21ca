package lintcmd

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/internal/tool/config"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump/table"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
)

// sourceFlags adds the flags that say where source files and debug information are.
func sourceFlags(c *cobra.Command, s *lint.Sources, maps *[]string) {
	fl := c.Flags()
	fl.StringVar(&s.Root, "source-root", "", "write source paths below `DIR` relative to it, as services need them\n(default: the working directory)")
	program.List(c, maps, "path-map", "replace the beginning of source paths, as `FROM=TO`; the longest match wins;\nmay be repeated")
	program.List(c, &s.DebugFiles, "debug-file", "take source lines from `FILE`, a debug file or a package of them; it must have the\nprogram's build ID, or the name in its debug link; may be repeated")
	program.List(c, &s.DebugRoots, "debug-root", "search debug files below `DIR`, such as /usr/lib/debug; may be repeated")
}

// tableFlags say with which configuration objects are checked, and where source lines are, for tables of code.
type tableFlags struct {
	lint lintFlags
	set  *pflag.FlagSet
}

func (f *tableFlags) flags(c *cobra.Command) {
	f.set = c.Flags()
	f.lint.config.flags(c)
	sourceFlags(c, &f.lint.sources, &f.lint.pathMaps)
}

// tables makes tables of code, with the findings of a linter.
type tables struct {
	linter  *lint.Linter
	sources lint.Sources
}

// tables returns what makes the tables that the flags ask for.
func (f *tableFlags) tables(a *app) (*tables, error) {
	own := a.shared
	f.lint.shared, f.lint.limits, f.lint.quiet = &own, a.limits, true
	o, err := f.lint.options(f.set, a)
	if err != nil {
		return nil, err
	}
	l, err := lint.New(o)
	if err != nil {
		return nil, flagError(err)
	}
	return &tables{l, o.Sources}, nil
}

// open returns the table of an object's instructions, while the object is visited.
func (t *tables) open(o *reader.Object, opts table.Selection) (*table.Table, error) {
	opts.Findings = t.linter.Check(o).Counted()
	path := ""
	if o.Member == "" {
		path = o.Path
	}
	if l := t.sources.LinesOf(o, path); l != nil {
		opts.Line = l.At
	}
	return table.Open(o, opts)
}

// parsePathMaps parses the values of --path-map.
func parsePathMaps(list []string) (out []lint.PathMap, err error) {
	for _, s := range list {
		m, err := config.ParsePathMap(s)
		if err != nil {
			return nil, fmt.Errorf("--path-map: %w", err)
		}
		out = append(out, m)
	}
	return out, nil
}
