package lintcmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/tool/asked"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/reader"
)

var consumersCommand = command{
	name: "consumers", args: "[PATH...]", files: true, formats: consumers.Formats(), single: true,
	short: "Show which consumers can read a file",
	long: `Shows which consumers of SFrame data can read the sections of files, and which
reject, misread or ignore one, or crash on it, and why. Without a path, it lists
the consumers, and which address of a caller each looks up. With --consumer and no
path, it lists their requirements.

Formats:

    text   a table for each section
    json   all verdicts of each consumer
    jsonl  for scripts: a line for each consumer of each section`,
	status: [3]string{"all files were read"},
	example: `  sframe-lint consumers vmlinux
  sframe-lint consumers --consumer linux,gnu-ld --format json libfoo.a`,
	start: func(a *app, c *cobra.Command) action {
		var names []string
		consumerFlag(c, &names, "only these consumers")
		return func(paths []string) error {
			some, err := consumers.Select(strings.Join(names, ","))
			if err != nil {
				return fmt.Errorf("--consumer: %w", err)
			}
			if len(paths) == 0 {
				return program.Failed(a.listConsumers(some, len(names) > 0))
			}
			return a.matrix(paths, some)
		}
	},
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

func (a *app) listConsumers(some []*consumers.Profile, demands bool) error {
	if len(some) == 0 {
		some = consumers.All()
	}
	return a.write(func(w io.Writer, format string) error {
		return consumers.WriteList(w, format, some, demands)
	})
}

// matrix writes what consumers make of files.
func (a *app) matrix(paths []string, some []*consumers.Profile) error {
	return a.write(func(w io.Writer, format string) error {
		m, err := consumers.NewWriter(w, format)
		if err != nil {
			return err
		}
		a.look(paths, reader.Options{}, func(*app) (func(*reader.Object) error, func(string, error)) {
			var sheets []consumers.Sheet
			return func(o *reader.Object) error {
					had := len(sheets)
					sheets = append(sheets, consumers.Sheets(o, asked.Of(o), some...)...)
					cost := int64(0)
					for i := range sheets[had:] {
						cost += sheets[had+i].Cost()
					}
					return budget.Of(o.Context).Spend(budget.Memory, cost)
				}, func(string, error) {
					for i := range sheets {
						err = cmp.Or(err, m.Add(&sheets[i]))
					}
				}
		})
		return errors.Join(err, m.Close())
	})
}
