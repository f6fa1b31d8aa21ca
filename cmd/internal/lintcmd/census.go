package lintcmd

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/cmd/internal/compare"
	"github.com/sframe-lint/sframe-lint/internal/program"
	"github.com/sframe-lint/sframe-lint/reader"
)

const censusLong = `Lists the SFrame data of files: version, ABI, flags, section type, counts and the
producers that write such sections; then how many files agree, and which differ
from most of their kind. Archives are listed by member, directories recursively.

Exit status:

    0  all files could be read
    2  the command line is wrong
    3  a file could not be read`

func (a *app) censusCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:     "census [flags] PATH...",
		Short:   "List the versions and producers of files",
		Long:    censusLong,
		Example: `  sframe-lint census build/ /usr/lib/crt1.o libc.a`,
		Args:    program.AtLeastOne("PATH"),
		RunE: func(_ *cobra.Command, paths []string) error {
			if err := stdinOnce(paths); err != nil {
				return err
			}
			return a.census(paths, format == "json")
		},
	}
	program.Format(c, &format, "text", "json")
	a.thinRootFlag(c)
	return c
}

func (a *app) census(paths []string, json bool) error {
	c := compare.NewCensus()
	a.look(paths, reader.Options{NoSurvey: true}, c.Add, c.Unreadable)
	c.Finish()
	return a.writeComparison(json, c, func(w io.Writer) error { return compare.WriteCensus(w, c) })
}
