package lintcmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/lint/config"
)

// lintFlags are the flags of the main command.
type lintFlags struct {
	formats       []string
	selected      []string
	ignored       []string
	severities    []string
	failOn        string
	quiet         bool
	verbose       bool
	jobs          int
	raw           bool
	address       address
	requireSFrame bool
	limits        limits
	fixes         fixFlags
	config        configFlags
	known         knownFlags
	producers     []string
	consumers     []string
	allowed       []string
}

const lintLong = `Checks the SFrame stack trace data (.sframe sections) of ELF files, archives and
raw sections. A directory is searched for them, with all below it; "-" is
standard input.

Exit status:

    0  no finding at or above --fail-on
    1  at least one
    2  the command line or the configuration is wrong; nothing was checked
    3  an input could not be read, or an internal error; takes precedence over 1.
       Also if there is no finding at or above --fail-on, but a section is so
       damaged that rules could not check it ("not checked")

A file that is named but has no SFrame data, or can have none, is told on
standard error and is no failure, unless --require-sframe is given.`

const lintExample = `  sframe-lint vmlinux
  sframe-lint --select SF1,SF2 --severity SF1004=note build/
  sframe-lint --format text --format sarif=lint.sarif libfoo.a`

func (a *app) lintCommand() *cobra.Command {
	var f lintFlags
	c := &cobra.Command{
		Use:           "sframe-lint [flags] PATH...",
		Short:         "Check SFrame stack trace data",
		Long:          lintLong,
		Example:       lintExample,
		Args:          cobra.MinimumNArgs(1),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, paths []string) error {
			if err := notEmpty(c.Flags()); err != nil {
				return err
			}
			return a.lint(&f, c.Flags(), paths)
		},
	}
	fl := c.Flags()
	fl.StringArrayVar(&f.formats, "format", nil, "write `FORMAT[=FILE]`: "+formatList+", to FILE\nor standard output; may be repeated (default text)")
	fl.StringSliceVar(&f.selected, "select", nil, "run only these rules: `IDS` or their beginnings (SF2), separated by\ncommas; a rule that is off by default takes its whole ID")
	fl.StringSliceVar(&f.ignored, "ignore", nil, "leave out these rules: `IDS` or their beginnings; wins over --select")
	fl.StringSliceVar(&f.severities, "severity", nil, "report a rule with another severity: `ID=LEVEL`, where LEVEL is\nerror, warning, note or off")
	fl.StringVar(&f.failOn, "fail-on", "error", "least `LEVEL` of a finding that makes the exit status 1: error,\nwarning, note or never")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "no summary and no remarks on standard error, only failures")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "tell on standard error what became of every input")
	fl.IntVarP(&f.jobs, "jobs", "j", 0, "check `N` files at once (default: the number of processors)")
	fl.BoolVar(&f.raw, "raw", false, "take every file for a raw section, whatever it begins with")
	fl.Var(&f.address, "address", "address of the first byte of a raw section")
	f.limits.flags(fl)
	fl.BoolVar(&f.requireSFrame, "require-sframe", false, "code without SFrame data is a finding (rule "+lint.RequireRule+")")
	f.fixes.flags(fl)
	f.config.flags(c)
	f.known.flags(fl)
	consumerFlag(c, &f.consumers, "add rules SF8: what these consumers reject, misread, ignore or\ncrash on")
	fl.StringSliceVar(&f.producers, "producer", nil, "report the known quirks of these producers as notes: `NAMES` like gas\nor gnu-ld-2.44")
	fl.StringArrayVar(&f.allowed, "allow-section", config.DefaultAllowSections(), "section that may hold functions although it is not executable: a\n`NAME`, with * and ?; may be repeated")
	c.MarkFlagsMutuallyExclusive("quiet", "verbose")
	c.MarkFlagsMutuallyExclusive("fix", "diff")
	a.completeLint(c)
	// No template of cobra's is ever set: with text/template in use, the
	// linker keeps every method of every type, and the program doubles.
	c.Version = program.Version(version)
	return c
}

// notEmpty sees that no flag that names something is given without a name: a
// variable of a script that is not set, most likely, which would make a run
// weaker than it seems.
func notEmpty(fl *pflag.FlagSet) error {
	for flag, what := range map[string]string{
		"select": "rule", "ignore": "rule", "severity": "rule", "consumer": "consumer", "producer": "producer",
		"baseline": "file", "write-baseline": "file", "config": "file",
	} {
		f := fl.Lookup(flag)
		list, ok := f.Value.(pflag.SliceValue)
		if f.Changed && (ok && len(list.GetSlice()) == 0 || f.Value.String() == "") {
			return fmt.Errorf("--%s: no %s is named", flag, what)
		}
	}
	return nil
}

// needed lists the files that no report may be written over: those that a run
// reads, and its baselines. It is an error if the baseline that is to be written
// is one of those that are read.
func (f *lintFlags) needed(paths []string) ([]string, error) {
	var all []string
	for _, p := range paths {
		if p != "-" {
			all = append(all, p)
		}
	}
	if f.config.found != nil {
		all = append(all, f.config.found.Path)
	}
	if f.known.write != "" {
		if err := another("--write-baseline", f.known.write, all); err != nil {
			return nil, err
		}
		all = append(all, f.known.write)
	}
	if f.known.path != "" {
		all = append(all, f.known.path)
	}
	return all, nil
}

// lint runs the main command.
func (a *app) lint(f *lintFlags, fl *pflag.FlagSet, paths []string) error {
	opts, err := f.options(fl, a)
	if err != nil {
		return err
	}
	var unopened error
	opts.Baseline, unopened = f.known.open()
	linter, err := lint.New(opts)
	if err != nil {
		return flagError(err)
	}
	failOn, err := parseFailOn(f.failOn)
	if err != nil {
		return err
	}
	if err := f.check(paths); err != nil {
		return err
	}
	if unopened != nil {
		return unopened
	}
	needed, err := f.needed(paths)
	if err != nil {
		return err
	}
	out, err := a.openOutputs(f.formats, linter.Rules(), needed)
	if err != nil {
		return err
	}
	r := &run{app: a, flags: f, out: out, Run: linter.Run(context.Background(), paths...)}
	if err := r.all(); err != nil {
		return program.Failed(err)
	}
	return r.conclude(failOn)
}
