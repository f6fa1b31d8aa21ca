package lintcmd

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/consumers"
	"github.com/sframe-lint/sframe-lint/internal/program"
	"github.com/sframe-lint/sframe-lint/reader"
)

const consumersLong = `Shows which consumers of SFrame data can read the sections of files, and which
reject, misread or ignore one, or crash on it, and why. Without a file, it lists
the consumers.

Exit status:

    0  sframe-lint could read all files
    2  the command line is wrong
    3  a file could not be read`

func (a *app) consumersCommand() *cobra.Command {
	var format string
	var names []string
	c := &cobra.Command{
		Use:   "consumers [flags] [FILE...]",
		Short: "Show which consumers can read a file",
		Long:  consumersLong,
		Example: `  sframe-lint consumers vmlinux
  sframe-lint consumers --consumer linux,gnu-ld --format json libfoo.a`,
		RunE: func(_ *cobra.Command, paths []string) error {
			if err := stdinOnce(paths); err != nil {
				return err
			}
			some, err := consumers.Select(strings.Join(names, ","))
			if err != nil {
				return fmt.Errorf("--consumer: %w", err)
			}
			if len(paths) == 0 {
				return program.Failed(a.listConsumers(some))
			}
			return a.matrix(paths, format, some)
		},
	}
	program.Format(c, &format, "text", "json")
	consumerFlag(c, &names, "only these consumers")
	a.thinRootFlag(c)
	return c
}

func consumerFlag(c *cobra.Command, names *[]string, usage string) {
	program.Names(c, names, "consumer", usage+": `NAMES` like linux or gnu-ld-2.47,\nor all; 'sframe-lint consumers' lists them")
	program.Complete(c, "consumer", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var out []string
		for _, p := range consumers.All() {
			out = append(out, p.Name+"\t"+p.Title)
		}
		return append(out, "all"), cobra.ShellCompDirectiveNoFileComp
	})
}

func (a *app) listConsumers(some []*consumers.Profile) error {
	if len(some) == 0 {
		some = consumers.All()
	}
	t := tabwriter.NewWriter(a.stdout, 0, 8, 2, ' ', 0)
	for _, p := range some {
		fmt.Fprintf(t, "%s\t%s\n", p.Name, p.Title)
	}
	return t.Flush()
}

func (a *app) matrix(paths []string, format string, some []*consumers.Profile) error {
	return program.Failed(a.print(formOf(format), func(w io.Writer) error {
		m, err := consumers.NewWriter(w, format)
		if err != nil {
			return err
		}
		a.look(paths, reader.Options{}, func(o *reader.Object) error {
			for _, s := range consumers.Sheets(o, some...) {
				if err == nil {
					err = m.Add(&s)
				}
			}
			return nil
		}, func(string) {})
		return errors.Join(err, m.Close())
	}))
}
