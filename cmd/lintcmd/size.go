package lintcmd

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/reports/html"
	"github.com/sframe-lint/sframe-lint/rewrite"
)

const sizeLong = `Shows what the bytes of SFrame sections are for: header, index (the FDEs), attributes,
start offsets, info bytes and data words of FREs, and the rest; how large .eh_frame and
its header are; how few bytes 'rewrite' would need, and which habit of the producer
costs the difference; and the largest functions. Several files have a total.

Exit status:

    0  all files could be read
    2  the command line is wrong
    3  a file could not be read or a section not be decoded`

func (a *app) sizeCommand() *cobra.Command {
	var format string
	var functions int
	c := &cobra.Command{
		Use:   "size [flags] PATH...",
		Short: "Show what the bytes of SFrame sections are for",
		Long:  sizeLong,
		Example: `  sframe-lint size build/server
  sframe-lint size --functions 0 /usr/lib/crt1.o libc.a
  sframe-lint size --format html --functions 200 build/server > size.html`,
		Args: program.AtLeastOne("PATH"),
		RunE: func(_ *cobra.Command, paths []string) error {
			if err := stdinOnce(paths); err != nil {
				return err
			}
			if functions < 0 {
				return fmt.Errorf("--functions: %d is below 0", functions)
			}
			return a.size(paths, functions, format)
		},
	}
	program.Format(c, &format, "text", "json", "html")
	c.Flags().IntVar(&functions, "functions", 5, "list up to `N` functions of a section, the largest first")
	program.Values(c, "functions")
	a.thinRootFlag(c)
	return c
}

func (a *app) size(paths []string, functions int, format string) error {
	t := rewrite.NewSizes()
	a.look(paths, reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		for _, sf := range o.SFrames {
			if sf.Section == nil {
				continue
			}
			z, err := rewrite.Measure(o, sf, functions)
			if over := o.Budget.Err(); over != nil {
				return over
			}
			if err != nil {
				a.fail("%s: %s", reports.Name(o.Path, o.Member), reports.Escape(err.Error()))
				continue
			}
			if err := t.Add(o, z); err != nil {
				return err
			}
		}
		return nil
	}, func(string) {})
	t.Finish()
	write := t.WriteText
	if format == "html" {
		write = func(w io.Writer) error { return html.WriteSizes(w, tool(), t) }
	}
	return a.writeComparison(format == "json", t, write)
}
