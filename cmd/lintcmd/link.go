package lintcmd

import (
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
	"github.com/sframe-lint/sframe-lint/compare"
	"github.com/sframe-lint/sframe-lint/reports"
)

const linkLong = `Compares a linker's inputs with its output. It reports SFrame data and FDEs that
are lost, FDEs whose meaning changed, inputs of several versions, and inputs
without data. Functions whose code the linker left out are not losses, nor are
members of archives that it did not use.

Exit status:

    0  nothing is lost
    1  something is lost or changed
    2  the command line is wrong
    3  a file could not be read, or its SFrame data could not be decoded`

func (a *app) linkCommand() *cobra.Command {
	var format string
	var inputs []string
	c := &cobra.Command{
		Use:     "link --inputs FILE[,FILE...] [flags] OUTPUT",
		Short:   "Compare a linker's inputs with its output",
		Long:    linkLong,
		Example: `  sframe-lint link --inputs main.o,util.o --inputs libfoo.a a.out`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := textOrJSON(format); err != nil {
				return err
			}
			if len(inputs) == 0 {
				return errors.New("--inputs: no file named")
			}
			if err := stdinOnce(append(slices.Clone(inputs), args[0])); err != nil {
				return err
			}
			return a.link(inputs, args[0], format == "json")
		},
	}
	c.Flags().StringSliceVar(&inputs, "inputs", nil, "the `FILES` that were linked, separated by commas; may be repeated")
	if err := c.MarkFlagFilename("inputs"); err != nil {
		panic(err) // there is no such flag
	}
	textOrJSONFlag(c, &format)
	a.thinRootFlag(c)
	return c
}

func (a *app) link(inputs []string, output string, json bool) error {
	c, end := a.compares()
	defer end()
	out, ok := c.load(output, 0)
	if !ok {
		a.status = program.ExitFailed
		return nil
	}
	if len(out) != 1 || out[0].Member != "" {
		return program.Failed(errors.New(output + ": an archive is not the output of a linker"))
	}
	var units []*compare.Unit
	sound := a.reportWhole(out)
	for _, path := range inputs {
		more, ok := c.load(path, 0)
		sound = ok && a.reportWhole(more) && sound
		for _, u := range more {
			if u.Linked {
				a.say("%s: not compared: it is linked already", reports.Name(u.Path, u.Member))
				continue
			}
			units = append(units, u)
		}
	}
	r := compare.Link(units, out[0])
	err := a.writeComparison(json, r, func(w io.Writer) error { return compare.WriteLink(w, r) })
	switch {
	case err != nil:
		return err
	case c.cut(), !sound, !r.Comparable:
		a.status = program.ExitFailed
	case r.Lost > 0:
		a.status = program.ExitFindings
	case r.Described == 0:
		a.say("no functions to compare")
		a.status = program.ExitFailed
	}
	return nil
}
