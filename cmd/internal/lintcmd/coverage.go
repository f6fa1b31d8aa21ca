package lintcmd

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/coverage"
	"github.com/sframe-lint/sframe-lint/internal/program"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
)

const coverageLong = `Shows how many functions, and how many bytes of code, the SFrame data of files
describe, and why the rest is not described. The largest gaps come first. Functions
are those of the symbol table, of .eh_frame and .debug_frame, and of the FDEs. Code
that belongs to none of them, such as padding, does not count. The stubs of a PLT do
not count either.

Reasons:

    CFI, but no FDE     an object was assembled without SFrame data, or an FDE was lost
    CFI that the version of the section cannot express
    no CFI              hand-written code: there is nothing to make an FDE from
    stubs of a PLT      the linker wrote no FDE for them

With --code, it follows the stack through the machine code as the rules on machine code do,
and shows for how many functions and instructions the CFA is known. There the rules find a
wrong FRE. They make no statement about the others.

Exit status:

    0  all files could be read
    1  the SFrame data of a file, or of all files in a package, cover less than
       --min-coverage
    2  the command line is wrong
    3  a file could not be read`

// coverageFlags are the flags of the command.
type coverageFlags struct {
	format string
	gaps   int
	code   bool
	least  coverage.Percent
	allow  []string
}

// gapUsage describes --allow-gap.
const gapUsage = "allow that a library (libc, libgcc, libgcov, libstdc++) or another input\nof the link with this `NAME` (*, ?) has no SFrame data; may be repeated"

func (a *app) coverageCommand() *cobra.Command {
	var f coverageFlags
	c := &cobra.Command{
		Use:   "coverage [flags] PATH...",
		Short: "Show which code has SFrame data, and why the rest has none",
		Long:  coverageLong,
		Example: `  sframe-lint coverage build/server
  sframe-lint coverage --min-coverage 99% --gaps 0 build/`,
		Args: program.AtLeastOne("PATH"),
		RunE: func(_ *cobra.Command, paths []string) error {
			if err := stdinOnce(paths); err != nil {
				return err
			}
			if f.gaps < -1 {
				return fmt.Errorf("--gaps: %d is below -1", f.gaps)
			}
			return a.coverage(&f, paths)
		},
	}
	program.Format(c, &f.format, "text", "json", "markdown")
	c.Flags().IntVar(&f.gaps, "gaps", 10, "list up to `N` gaps of a file, -1 for all")
	c.Flags().Var(&f.least, "min-coverage", "exit with status 1 if the SFrame data of a file cover less than this\n`PERCENT` of the bytes of its functions")
	program.List(c, &f.allow, "allow-gap", gapUsage)
	program.Values(c, "allow-gap")
	c.Flags().BoolVar(&f.code, "code", false, "track the machine code, and show how much of it the rules on\nmachine code judge")
	program.Values(c, "gaps")
	program.Values(c, "min-coverage")
	a.thinRootFlag(c)
	return c
}

func (a *app) coverage(f *coverageFlags, paths []string) error {
	r := coverage.NewReport()
	low := false
	a.look(paths, reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		file, err := coverage.Measure(o, f.gaps, f.allow...)
		if err == nil && f.code {
			err = file.MeasureCode(o)
		}
		if err != nil {
			a.fail("%s: %s", reports.Name(o.Path, o.Member), reports.Escape(err.Error()))
			return nil
		}
		if o.Package != "" { // the package is judged as a whole
			r.AddIn(o.Package, file)
			return nil
		}
		r.Add(file)
		low = low || file.Below(f.least)
		return nil
	}, func(string) {})
	for _, p := range r.Packages {
		low = low || p.Below(f.least)
	}
	write := coverage.WriteText
	if f.format == "markdown" {
		write = coverage.WriteMarkdown
	}
	if err := a.writeComparison(f.format == "json", r, func(w io.Writer) error { return write(w, r) }); err != nil {
		return err
	}
	if low && a.status == program.ExitClean {
		a.status = program.ExitFindings
	}
	return nil
}
