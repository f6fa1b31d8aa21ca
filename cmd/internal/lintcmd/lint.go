package lintcmd

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/reports/sarif"
	"github.com/sframe-lint/sframe-lint/rules"
)

// lintFlags are the flags of the main command.
type lintFlags struct {
	*shared
	selected      []string
	ignored       []string
	severities    []string
	profile       string
	settings      lint.Profile // with what configuration and flags override
	show          string
	shown         rules.Severity // what show says
	statistics    bool
	verify        string
	failOn        string
	fails         rules.Severity // what failOn, or the profile, says; Off: never
	quiet         bool
	verbose       bool
	raw           bool
	section       string
	address       address
	requireSFrame bool
	minCoverage   coverage.Percent
	allowEmpty    bool
	limits        budget.Limits
	fixes         fixFlags
	config        configFlags
	known         knownFlags
	producers     []string
	consumers     []string
	allowed       []string
	gaps          []string // that are allowed
	passed        passedOver
	sources       lint.Sources
	pathMaps      []string
	sarifAnchor   string
	anchor        *sarif.Anchor // what sarifAnchor says
	list          listFlags
}

const lintLong = `Checks the SFrame stack trace data (.sframe sections) of ELF files, archives, packages
and raw sections. Directories are searched recursively; "-" is standard input.

Exit status:

    0  no finding at or above --fail-on
    1  at least one finding at or above --fail-on
    2  the command line or the configuration is wrong; nothing was checked
    3  an input could not be read, or an internal error; takes precedence over 1.
       Also if rules could not check a section ("not checked") and no finding
       gives the reason, as with --select, or the reason is a default limit.
       If you suppress the finding, by --ignore, --severity, an exception or the
       baseline, the unchecked rules no longer affect the status

A named file without SFrame data, or of a type that cannot contain any, is reported
on standard error and does not count as a failure, unless --require-sframe is given or no
path leads to a file that could contain SFrame data (--allow-empty allows this).

To check untrusted files, use --no-config or --config: a .sframe-lint.yaml among
the files can turn rules off. Every report says so.`

const lintExample = `  sframe-lint build/app
  sframe-lint --require-sframe --min-coverage 99% build/app
  sframe-lint --select SF1,SF2 --severity SF1004=note build/
  sframe-lint --format text --format sarif=lint.sarif libfoo.a
  sframe-lint explain SF3114
  sframe-lint doctor --cc clang`

func (a *app) lintCommand() *cobra.Command {
	f := lintFlags{shared: &a.shared}
	c := &cobra.Command{
		Use:           "sframe-lint [flags] PATH...",
		Short:         "Check SFrame stack trace data",
		Long:          lintLong,
		Example:       lintExample,
		Args:          pathsOrCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(c *cobra.Command, paths []string) error { return a.lint(&f, c, paths) },
	}
	f.inputs(a, c)
	f.reports(c)
	f.addGateFlags(c)
	f.fixes.flags(c.Flags())
	program.Group(c, "Fixes")
	c.MarkFlagsMutuallyExclusive("fix", "diff")
	f.list.flags(c)
	limitFlag(c, &f.limits, budget.Table())
	program.Group(c, "Limits")
	a.completeLint(c)
	return c
}

// inputs adds the flags that say what is checked.
func (f *lintFlags) inputs(a *app, c *cobra.Command) {
	fl := c.Flags()
	program.Names(c, &f.selected, "select", "run only these rules: `IDS` or prefixes of IDs (SF2), separated by\ncommas; opt-in rules need their whole IDs")
	program.Names(c, &f.ignored, "ignore", "do not run these rules: `IDS` or prefixes; wins over --select")
	program.Names(c, &f.severities, "severity", "override the severity of a rule: `ID=LEVEL`, where LEVEL is error,\nwarning, note or off")
	fl.StringVar(&f.profile, "profile", "app", "use the defaults of profile `NAME`: "+strings.Join(lint.ProfileNames(), ", "))
	program.Names(c, &f.producers, "producer", "report known quirks of these producers as notes: `NAMES` like gas or\ngnu-ld-2.44")
	consumerFlag(c, &f.consumers, "add rules SF8: report what these consumers reject, misread, ignore\nor crash on")
	f.allowed = lint.DefaultAllowSections()
	program.List(c, &f.allowed, "allow-section", "allow functions in non-executable sections with this `NAME` (*, ?);\nmay be repeated")
	a.pathFlags(c)
	fl.BoolVar(&f.raw, "raw", false, "read each file as a raw section, whatever its first bytes are")
	sectionFlag(c, &f.section)
	fl.Var(&f.address, "address", "address of the first byte of a raw section")
	f.config.flags(c)
	program.Group(c, "What to check")
}

// reports adds the flags that say what is reported.
func (f *lintFlags) reports(c *cobra.Command) {
	fl := c.Flags()
	program.List(c, &f.formats, "format", "write `FORMAT[=FILE]` to FILE or standard output; may be repeated (default:\nfull on a terminal, else text). Formats: "+lookup.List(formatNames(), ""))
	fl.StringVar(&f.show, "show", "", "list findings of `LEVEL` and above: error, warning or note; all: also list hidden\nfindings, with the reason (default: that of the profile)")
	fl.BoolVar(&f.statistics, "statistics", false, "with text: count the findings of each rule instead of listing them")
	sourceFlags(c, &f.sources, &f.pathMaps)
	fl.StringVar(&f.verify, "verify-patch", "", "with patch: assemble the patched sources with `COMMAND`, such as\n'gcc -g -Wa,--gsframe', and omit repairs that do not help")
	fl.StringVar(&f.sarifAnchor, "sarif-anchor", "", "with sarif: place results without a source line at `FILE[:LINE]`, a source file\nthat the service has; the bytes in the binary become related locations")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "write only failures to standard error")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "report every input on standard error")
	c.MarkFlagsMutuallyExclusive("quiet", "verbose")
	program.Group(c, "What to report")
}

// addGateFlags adds the flags that say what fails.
func (f *lintFlags) addGateFlags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.failOn, "fail-on", "", "exit with status 1 for findings of `LEVEL` and above: error, warning,\nnote or never (default: that of the profile)")
	f.demands(c)
	fl.BoolVar(&f.allowEmpty, "allow-empty", false, "exit with status 0 even if no path has a file that can have SFrame data")
	f.known.flags(fl)
	program.Group(c, "Gate")
}

// demands adds the flags that say what must have SFrame data.
func (f *lintFlags) demands(c *cobra.Command) {
	c.Flags().BoolVar(&f.requireSFrame, "require-sframe", false, "make missing SFrame data an error: code without any (SF5001), functions and inputs\nof a link without data (SF6014, SF6021, SF6024), empty sections (SF5035), mixed versions")
	c.Flags().Var(&f.minCoverage, "min-coverage", "report files whose SFrame data cover less than `PERCENT` of the bytes of\nfunctions ("+lint.CoverageRule+"); with --require-sframe, the rest may lack data")
	program.List(c, &f.gaps, "allow-gap", gapUsage)
}

// pathsOrCommand requires paths. A first one that is the name of no file, and like that of a
// command, is a mistyped command.
func pathsOrCommand(c *cobra.Command, args []string) error {
	switch list := c.Flags().Changed("list"); {
	case list && len(args) > 0:
		return fmt.Errorf("unexpected argument %q: --list names the inputs", args[0])
	case list:
		return nil
	case len(args) == 0:
		return errors.New("no PATH given")
	}
	if _, err := os.Lstat(args[0]); err == nil || strings.ContainsAny(args[0], "./") || len(args[0]) < 3 {
		return nil
	}
	if slices.Contains([]string{"lint", "check", "scan", "verify"}, args[0]) {
		return fmt.Errorf("no file or command %q: '%s PATH...' checks files", args[0], c.Name())
	}
	if c.Flags().Lookup(args[0]) != nil {
		return fmt.Errorf("no file or command %q; did you mean --%s?", args[0], args[0])
	}
	if other := program.Elsewhere(args[0]); other != "" {
		return fmt.Errorf("no file or command %q; did you mean '%s %s'?", args[0], other, args[0])
	}
	if near := program.Commands(new(app).command(program.All), args[0]); len(near) > 0 {
		return fmt.Errorf("no file or command %q; did you mean the command %q?", args[0], near[0])
	}
	return nil
}

// notEmpty reports an error if a flag that names something has an empty value.
// Most likely it comes from a variable of a script that is not set, and the run
// would check less than was meant.
func notEmpty(fl *pflag.FlagSet) error {
	for flag, what := range map[string]string{
		"select": "rule", "ignore": "rule", "severity": "rule", "consumer": "consumer", "producer": "producer",
		"exclude": "pattern", "allow-gap": "input", "baseline": "file", "write-baseline": "file", "config": "file",
		"source-root": "directory", "debug-root": "directory", "debug-file": "file",
	} {
		f := fl.Lookup(flag)
		if f == nil {
			continue
		}
		list, ok := f.Value.(pflag.SliceValue)
		if f.Changed && (ok && (len(list.GetSlice()) == 0 || slices.Contains(list.GetSlice(), "")) || f.Value.String() == "") {
			return fmt.Errorf("--%s: no %s named", flag, what)
		}
	}
	return nil
}

// inputFiles lists the files that no report may overwrite: those that a run reads, and
// its baselines. It is an error if the baseline that is to be written is one of
// the files that are read.
func (f *lintFlags) inputFiles(paths []string) ([]string, error) {
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
		if err := program.Guard("--write-baseline", f.known.write, all, nil); err != nil {
			return nil, err
		}
		all = append(all, f.known.write)
	}
	if f.known.path != "" {
		all = append(all, f.known.path)
	}
	return all, nil
}

// sayConfiguration reports what a configuration leaves out, unless a report on standard output
// does. No report is written where the run does not begin.
func (f *lintFlags) sayConfiguration(a *app, c *lint.Configuration, failed bool) {
	if c == nil || f.quiet || !c.Weakens() && !f.verbose {
		return
	}
	if failed || f.verbose || !slices.Contains(f.formats, "text") && !slices.Contains(f.formats, "full") {
		a.printLine("%s", reports.Configuration(c))
	}
}

// lint runs the main command.
func (a *app) lint(f *lintFlags, c *cobra.Command, paths []string) error {
	fl := c.Flags()
	if err := cmp.Or(notEmpty(fl), a.checkPaths(c)); err != nil {
		return err
	}
	j, err := f.list.job(f, fl)
	if err != nil {
		return err
	}
	opts, err := f.options(fl, a)
	if err != nil {
		return err
	}
	mostBaseline := int64(0)
	if j != nil {
		if err := j.configure(f, fl, &opts); err != nil {
			return err
		}
		paths, mostBaseline = j.paths, maxList
	}
	var unopened error
	opts.Baseline, unopened = f.known.open(mostBaseline)
	linter, err := lint.New(opts)
	f.sayConfiguration(a, opts.Configuration, err != nil)
	if err != nil {
		return flagError(err)
	}
	if err := f.check(paths); err != nil {
		return err
	}
	if unopened != nil {
		return unopened
	}
	ctx, stop := program.UntilInterrupted()
	defer stop()
	a.ctx, a.limits = ctx, opts.Limits // of the pages of files
	if j != nil && j.part != "" {
		return j.makeOnly(a, f.quiet)
	}
	needed, err := f.inputFiles(paths)
	if err != nil {
		return err
	}
	r := &run{app: a, flags: f, active: len(linter.Rules())}
	if r.out, err = a.openOutputs(f, linter.Rules(), needed); err != nil {
		return err
	}
	r.out.limit(opts.Limits)
	if j == nil || j.worker {
		r.Run, r.tables = linter.Run(ctx, paths...), &tables{linter, opts.Sources}
	} else if r.Run, err = j.run(a, f.quiet, &opts, linter); err != nil {
		r.out.abandon()
		return err
	}
	if err := r.all(); err != nil {
		return program.Failed(err)
	}
	return r.conclude()
}
