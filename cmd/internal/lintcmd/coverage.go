package lintcmd

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

var coverageCommand = command{
	name: "coverage", args: "PATH...", files: true, formats: []string{"text", "json", "markdown"},
	short: "Show which code has SFrame data, and why the rest has none",
	long: `Shows how much code the SFrame data of files covers, and why the rest is not covered.
The largest gaps come first. Functions come from the symbol table, .eh_frame,
.debug_frame and the FDEs. Other code, such as padding, and PLT stubs do not count.

Reasons:

    CFI, but no FDE              an object was assembled without SFrame data, or an FDE was lost
    CFI from which no FDE is made  the assembler leaves it out, or the version cannot express it
    no CFI                       assembly without directives, or -fno-asynchronous-unwind-tables
    stubs of a PLT               the linker wrote no FDE for them

With --code, it also follows the stack through the machine code. For each section it shows
how many FREs the code decides, how many only the CFI, and why nothing decides the rest.`,
	status: [3]string{"all files were read, and cover at least --min-coverage",
		"the SFrame data of a file, or of all files in a package, cover less than\n--min-coverage"},
	example: `  sframe-lint coverage build/server
  sframe-lint coverage --min-coverage 99% --gaps 0 build/`,
	start: startCoverage,
}

// gapUsage describes --allow-gap.
const gapUsage = "allow a library (libc, libgcc, libgcov, libstdc++), or another input of the\nlink with this `NAME` (*, ?), to lack SFrame data; may be repeated"

// measured is the coverage of a file, and the package that it is in.
type measured struct {
	*coverage.File
	pkg string
}

func startCoverage(a *app, c *cobra.Command) action {
	fl := c.Flags()
	gaps := fl.Int("gaps", 10, "list up to `N` gaps of a file; -1: all")
	var least coverage.Percent
	fl.Var(&least, "min-coverage", "exit with status 1 if the SFrame data of a file cover less than\n`PERCENT` of the bytes of its functions")
	var allow []string
	program.List(c, &allow, "allow-gap", gapUsage)
	code := fl.Bool("code", false, "show how many FREs the machine code decides")
	return func(paths []string) error {
		if *gaps < -1 {
			return fmt.Errorf("--gaps: %d is below -1", *gaps)
		}
		r := coverage.NewReport()
		var d rules.Driver // of what follows the code
		if *code {
			d.Rules = slices.DeleteFunc(catalogue.Rules(), func(r *rules.Rule) bool { return !slices.Contains(r.Requires, rules.CodeProofs) })
		}
		low := false
		a.look(paths, reader.Options{NoSurvey: !*code}, func(part *app) (func(*reader.Object) error, func(string, error)) {
			var files []measured
			return func(o *reader.Object) error {
					if o.ELF == nil && len(o.SFrames) > 0 {
						part.fail("%s: only its SFrame data can be read, not its code: nothing was measured", nameOf(o))
						return nil
					}
					file, err := coverage.Measure(o, *gaps, allow...)
					if err == nil && *code {
						res := d.Run(o)
						budget.Of(o.Context).Release(budget.Memory, res.Memory) // its findings are dropped
						for _, j := range res.Judged {
							file.Judged = append(file.Judged, &j)
						}
					}
					if err != nil {
						part.fail("%s: %s", nameOf(o), reason(err))
						return nil
					}
					if o.Package == "" || file.Code > 0 || len(files) == 0 { // of a package, what has no code says nothing more
						files = append(files, measured{file, o.Package})
					}
					return nil
				}, func(string, error) {
					for _, x := range files {
						if x.pkg != "" { // the package is judged as a whole
							r.AddIn(x.pkg, x.File)
							continue
						}
						r.Add(x.File)
						low = low || x.Below(least)
					}
				}
		})
		for _, p := range r.Packages {
			low = low || p.Below(least)
		}
		a.failIfUnmet(low)
		return a.report(r, forms{
			"text":     func(w io.Writer) error { return coverage.WriteText(w, r) },
			"markdown": func(w io.Writer) error { return coverage.WriteMarkdown(w, r) },
		})
	}
}
