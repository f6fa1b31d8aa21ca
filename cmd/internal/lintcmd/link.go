package lintcmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/cmd/internal/compare"
	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/program"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

const linkLong = `Compares a linker's inputs with its output. It reports SFrame data and FDEs that
are lost, FDEs whose meaning changed, inputs of several versions, and inputs
without data. Functions whose code the linker left out are not losses. Members of
archives that it did not use are not losses either. Inputs that a compiler adds
(start files, the compiler's library and the C library) may have no data.

The output is the linked file among the FILES, or the one that --output names; the
other FILES are inputs. --inputs, response files (@FILE), a linker map and a
dependency file name further inputs. Functions are found in the output by their
names or, without names, by the distances and sizes of the functions of a section.

Exit status:

    0  all functions were compared, and nothing is lost
    1  something is lost or changed
    2  the command line is wrong
    3  a file could not be read, or its SFrame data could not be decoded
    4  nothing was found to be lost, but not all functions could be compared`

// exitUncompared is the exit status for functions that could not be compared.
const exitUncompared = 4

// linkFlags are the flags of the command.
type linkFlags struct {
	formats        []string
	inputs         []string
	output         string
	maps, depfiles []string
	losses         int
}

func (a *app) linkCommand() *cobra.Command {
	var f linkFlags
	c := &cobra.Command{
		Use:   "link [flags] FILE...",
		Short: "Compare a linker's inputs with its output",
		Long:  linkLong,
		Example: `  sframe-lint link a.out main.o util.o libfoo.a
  sframe-lint link --map a.map a.out
  sframe-lint link --inputs @objects.rsp --format sarif a.out`,
		Args: program.AtLeastOne("FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormats(f.formats, linkFormats); err != nil {
				return err
			}
			if f.losses < -1 {
				return fmt.Errorf("--losses: %d is below -1", f.losses)
			}
			return a.link(&f, args)
		},
	}
	fl := c.Flags()
	program.Names(c, &f.inputs, "inputs", "the `FILES` that were linked, separated by commas; @FILE is a response\nfile; may be repeated")
	fl.StringVarP(&f.output, "output", "o", "", "the `FILE` that the linker wrote; required if several FILES are linked, or none is")
	program.List(c, &f.maps, "map", "take the inputs from the linker map `FILE` (-Map of GNU ld, lld or mold);\nmay be repeated")
	program.List(c, &f.depfiles, "dependency-file", "take the inputs from `FILE`, which the linker's --dependency-file wrote;\nmay be repeated")
	fl.IntVar(&f.losses, "losses", 10, "list up to `N` inputs and as many changed functions; -1: all of them and all\nlost functions; JSON always has all")
	f.formats = []string{"text"}
	program.List(c, &f.formats, "format", "`FORMAT` of the output: text, json or sarif; FORMAT=FILE writes it to\na file; may be repeated")
	program.Values(c, "losses")
	program.Values(c, "format", linkFormats...)
	a.thinRootFlag(c)
	return c
}

// gather returns the inputs that flags name, and the arguments.
func (f *linkFlags) gather(args []string, b *budget.Budget) (*linked, error) {
	all, named := &linked{budget: b}, slices.Concat(f.inputs, args)
	if err := stdinOnce(named); err != nil {
		return nil, err
	}
	for _, path := range named {
		name, response := strings.CutPrefix(path, "@")
		if !response {
			if err := all.add(path); err != nil {
				return nil, program.Failed(err)
			}
			if i, ok := all.index[path]; ok {
				all.inputs[i].named = true
			}
		} else if err := readListing(name, all.response); err != nil {
			return nil, err
		}
	}
	for _, path := range f.maps {
		if err := readListing(path, all.linkerMap); err != nil {
			return nil, err
		}
	}
	for _, path := range f.depfiles {
		if err := readListing(path, all.dependencies); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (a *app) link(f *linkFlags, args []string) error {
	if f.output == "" && len(args) == 1 { // all others are named by flags
		f.output, args = args[0], nil
	}
	c, end := a.compares()
	defer end()
	inputs, err := f.gather(slices.DeleteFunc(slices.Clone(args), func(p string) bool { return p == f.output }), c.budget)
	if err != nil {
		return err
	}
	paths := inputs.paths()
	if f.output != "" {
		if len(paths) == 0 {
			return errors.New("no input named: want FILES, --inputs, --map or --dependency-file")
		}
		paths = append([]string{f.output}, paths...)
	}
	if err := stdinOnce(paths); err != nil {
		return err
	}
	var units, outs []*compare.Unit
	sound := true
	for i, path := range paths {
		more, ok := c.load(path, 0)
		if f.output != "" && i == 0 {
			if !ok {
				a.status = program.ExitFailed
				return nil
			}
			if len(more) != 1 || more[0].Member != "" {
				return program.Failed(errors.New(path + ": an archive is not the output of a linker"))
			}
			outs, sound = more, a.reportWhole(withData(more))
			continue
		}
		more = slices.DeleteFunc(more, func(u *compare.Unit) bool { return !inputs.has(path, u.Member) || inputs.passes(u) })
		sound = ok && a.reportWhole(withData(more)) && sound
		for _, u := range more {
			switch {
			case !u.Linked:
				units = append(units, u)
			case f.output == "":
				outs = append(outs, u)
			default:
				a.say("%s: not compared: it is linked already", reports.Name(u.Path, u.Member))
			}
		}
	}
	switch {
	case len(outs) == 0 && sound:
		return errors.New("none of the files is linked: name the output with --output")
	case len(outs) > 1:
		return fmt.Errorf("%s and %s are linked: name the output with --output", outs[0].Name(), outs[1].Name())
	case len(outs) == 0:
		a.status = program.ExitFailed
		return nil
	}
	r := compare.Link(units, outs[0])
	return a.linked(f, c, r, append(paths, f.maps...), sound)
}

// withData returns the units that are not merely without SFrame data. The report has those.
func withData(units []*compare.Unit) []*compare.Unit {
	return slices.DeleteFunc(slices.Clone(units), func(u *compare.Unit) bool {
		return u.Status == reader.StatusNoSFrame || u.Status == reader.StatusEmpty
	})
}

// linked writes the reports and finds the exit status.
func (a *app) linked(f *linkFlags, c *comparison, r *compare.LinkReport, needed []string, sound bool) error {
	err := a.linkReports(f, r, needed)
	switch {
	case err != nil:
		return err
	case c.cut(), !sound:
		a.status = program.ExitFailed
	case r.Lost > 0:
		a.status = program.ExitFindings
	case r.Described == 0:
		a.fail("no functions to compare")
	case r.Uncompared > 0:
		a.say("%s not compared", rules.Count(r.Uncompared, "function"))
		a.status = exitUncompared
	}
	return nil
}
