package lintcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/internal/tool/config"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump/table"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/reports/sarif"
	"github.com/sframe-lint/sframe-lint/rules"
)

// address is a flag's value: a number with the usual prefixes.
type address struct{ value uint64 }

func (a *address) Type() string { return "ADDR" }

// String returns "0" without a prefix, so that the help shows no default.
func (a *address) String() string {
	if a.value == 0 {
		return "0"
	}
	return fmt.Sprintf("%#x", a.value)
}

func (a *address) Set(s string) error {
	v, err := strconv.ParseUint(s, 0, 64)
	if err != nil {
		return errors.New("expected a 64-bit number like 0x401000")
	}
	a.value = v
	return nil
}

// check reports combinations of flags that make no sense.
func (f *lintFlags) check(paths []string) error {
	if f.sarifAnchor != "" {
		var err error
		if f.anchor, err = sarif.ParseAnchor(f.sarifAnchor); err != nil {
			return fmt.Errorf("--sarif-anchor: %w", err)
		}
		if !f.writes("sarif") {
			return errors.New("--sarif-anchor needs --format sarif")
		}
	}
	if f.verify != "" && !f.writes("patch") {
		return errors.New("--verify-patch needs --format patch")
	}
	if f.statistics && !slices.Contains(f.formats, "text") {
		return errors.New("--statistics needs --format text")
	}
	if err := f.fixes.check(paths, f.formats); err != nil {
		return err
	}
	if f.raw {
		if err := besideInputs(f.formats, paths); err != nil {
			return err
		}
	}
	if f.known.reason != "" && f.known.write == "" {
		return errors.New("--baseline-reason needs --write-baseline")
	}
	if f.known.strict && f.known.path == "" {
		return errors.New("--baseline-strict needs --baseline")
	}
	return stdinOnce(paths)
}

// writes reports whether a report has a format.
func (f *lintFlags) writes(format string) bool {
	return slices.ContainsFunc(f.formats, func(s string) bool { return s == format || strings.HasPrefix(s, format+"=") })
}

// stdinOnce reports an error if standard input, which can be read once, is named
// twice.
func stdinOnce(paths []string) error {
	if i := slices.Index(paths, "-"); i >= 0 && slices.Contains(paths[i+1:], "-") {
		return errors.New("standard input is named twice")
	}
	return nil
}

// showAll is the value of --show that lists all findings, with the reason why one is not shown.
const showAll = "all"

// parseFailOn parses --fail-on.
func (f *lintFlags) parseFailOn() error {
	if f.failOn == "never" {
		return nil
	}
	v, err := rules.ParseSeverity(f.failOn)
	if err != nil || v == rules.Off {
		return fmt.Errorf("--fail-on: %w", lookup.Unknown("level", f.failOn, []string{"error", "warning", "note", "never"}, ""))
	}
	f.fails = v
	return nil
}

// lowestListed returns the lowest severity that reports list: what fails is shown.
func (f *lintFlags) lowestListed(show rules.Severity) rules.Severity {
	if f.fails == rules.Off {
		return show
	}
	return min(show, f.fails)
}

// fixFlags say whether the fixes of findings are applied or shown.
type fixFlags struct {
	write  bool
	unsafe bool
	diff   bool
}

func (f *fixFlags) flags(fl *pflag.FlagSet) {
	fl.BoolVar(&f.write, "fix", false, "apply safe fixes to the files, then check them again")
	fl.BoolVar(&f.unsafe, "fix-unsafe", false, "with --fix or --diff: also apply fixes that may be wrong")
	fl.BoolVar(&f.diff, "diff", false, "print the bytes that --fix would change, and change nothing")
}

func (f *fixFlags) check(paths, formats []string) error {
	switch {
	case f.unsafe && !f.write && !f.diff:
		return errors.New("--fix-unsafe needs --fix or --diff")
	case (f.write || f.diff) && slices.Contains(paths, "-"):
		return errors.New("standard input can't be fixed")
	case !f.diff:
		return nil
	}
	for _, x := range formats {
		if !strings.Contains(x, "=") {
			return fmt.Errorf("--diff writes to standard output, so the report needs a file: --format %s=FILE", x)
		}
	}
	return nil
}

func (a *app) completeLint(c *cobra.Command) {
	complete := func(flag string, f cobra.CompletionFunc) { program.Complete(c, flag, f) }
	complete("format", func(_ *cobra.Command, _ []string, begin string) ([]string, cobra.ShellCompDirective) {
		if strings.Contains(begin, "=") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return formatNames(), cobra.ShellCompDirectiveNoFileComp
	})
	complete("fail-on", cobra.FixedCompletions([]string{"error", "warning", "note", "never"}, cobra.ShellCompDirectiveNoFileComp))
	complete("select", a.completeIDs)
	complete("ignore", a.completeIDs)
	complete("severity", a.completeSeverity)
	complete("producer", cobra.FixedCompletions(producers.Names(), cobra.ShellCompDirectiveNoFileComp))
	completeOthers(c)
}

// completeIDs offers rules after the last comma.
func (a *app) completeIDs(_ *cobra.Command, _ []string, begin string) ([]string, cobra.ShellCompDirective) {
	at := strings.LastIndexByte(begin, ',') + 1
	var ids []string
	for _, r := range a.rules() {
		if strings.HasPrefix(r.ID, strings.ToUpper(begin[at:])) {
			ids = append(ids, begin[:at]+r.ID+"\t"+r.Title)
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

func (a *app) completeSeverity(_ *cobra.Command, _ []string, begin string) ([]string, cobra.ShellCompDirective) {
	var all []string
	for _, r := range a.rules() {
		for _, level := range []string{"error", "warning", "note", "off"} {
			if s := r.ID + "=" + level; strings.HasPrefix(s, strings.ToUpper(begin)) || strings.HasPrefix(s, begin) {
				all = append(all, s)
			}
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

// knownFlags name the baselines: the findings that are known already.
type knownFlags struct {
	path   string
	write  string
	reason string
	strict bool
}

func (f *knownFlags) flags(fl *pflag.FlagSet) {
	fl.StringVar(&f.path, "baseline", "", "hide the findings listed in `FILE`")
	fl.StringVar(&f.write, "write-baseline", "", "write all findings of this run to `FILE`, for --baseline")
	fl.StringVar(&f.reason, "baseline-reason", "", "with --write-baseline: record `TEXT` as the reason for accepting the findings\n(default: the reason in --baseline)")
	fl.BoolVar(&f.strict, "baseline-strict", false, "exit with status 1 if the baseline has stale entries")
}

// open reads the baseline, nil if there is none. It may be as large as the results that it is for, in bytes, which is 0 for
// those that are not there yet.
func (f *knownFlags) open(results int64) (*lint.Baseline, error) {
	if f.path == "" {
		return nil, nil
	}
	b, err := lint.LoadBaseline(f.path, results)
	if errors.Is(err, fs.ErrNotExist) && f.write != "" && edit.Absolute(f.write) == edit.Absolute(f.path) {
		return nil, nil // it is to be written for the first time
	}
	return b, program.WrongUsage(openError("--baseline", err))
}

// openError names the flag of a file that could not be opened.
func openError(flag string, err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return fmt.Errorf("%s: %s: %w", flag, e.Path, e.Err)
	}
	return err
}

// maxStale is the number of stale entries that are listed.
const maxStale = 20

// reportStale lists the stale entries of the baseline.
func (r *run) reportStale(all []lint.Stale) {
	if len(all) == 0 || r.flags.quiet && !r.flags.known.strict {
		return
	}
	path := reports.Escape(r.flags.known.path)
	for i, s := range all {
		if i == maxStale && !r.flags.verbose {
			r.printLine("%s: and %d more (-v)", path, len(all)-i)
			break
		}
		r.printLine("%s: stale: %s", path, staleText(&s))
	}
}

func staleText(s *lint.Stale) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s", s.Rule, reports.Name(s.File, s.Member))
	if s.Function != "" {
		fmt.Fprintf(&b, ", %q", reports.Escape(s.Function))
	}
	fmt.Fprintf(&b, ", %s", reports.Escape(s.Place))
	if s.Count > 1 {
		fmt.Fprintf(&b, ": %d of %d not found", s.Gone, s.Count)
	} else {
		b.WriteString(": not found")
	}
	return b.String()
}

// sourceFlags adds the flags that say where source files and debug information are.
func sourceFlags(c *cobra.Command, s *lint.Sources, maps *[]string) {
	fl := c.Flags()
	fl.StringVar(&s.Root, "source-root", "", "write source paths below `DIR` relative to it, as services need them\n(default: the working directory)")
	program.List(c, maps, "path-map", "replace the beginning of source paths, as `FROM=TO`; the longest match wins;\nmay be repeated")
	program.List(c, &s.DebugFiles, "debug-file", "take source lines from `FILE`, a debug file or a package of them; it must have the\nprogram's build ID, or the name in its debug link; may be repeated")
	program.List(c, &s.DebugRoots, "debug-root", "search debug files below `DIR`, such as /usr/lib/debug; may be repeated")
}

// tableFlags are the flags of commands that print tables of code: the configuration of checks, and where source lines are.
type tableFlags struct {
	lint lintFlags
	set  *pflag.FlagSet
}

func (f *tableFlags) flags(c *cobra.Command) {
	f.set = c.Flags()
	f.lint.config.flags(c)
	sourceFlags(c, &f.lint.sources, &f.lint.pathMaps)
}

// tables makes tables of code, with the findings of a linter.
type tables struct {
	linter  *lint.Linter
	sources lint.Sources
}

// tables returns what makes the tables that the flags ask for.
func (f *tableFlags) tables(a *app) (*tables, error) {
	own := a.shared
	f.lint.shared, f.lint.limits, f.lint.quiet = &own, a.limits, true
	o, err := f.lint.options(f.set, a)
	if err != nil {
		return nil, err
	}
	l, err := lint.New(o)
	if err != nil {
		return nil, flagError(err)
	}
	return &tables{l, o.Sources}, nil
}

// open returns the table of an object's instructions, while the object is visited.
func (t *tables) open(o *reader.Object, opts table.Selection) (*table.Table, error) {
	opts.Findings = t.linter.Check(o).Counted()
	path := ""
	if o.Member == "" {
		path = o.Path
	}
	if l := t.sources.LinesOf(o, path); l != nil {
		opts.Line = l.At
	}
	return table.Open(o, opts)
}

// parsePathMaps parses the values of --path-map.
func parsePathMaps(list []string) (out []lint.PathMap, err error) {
	for _, s := range list {
		m, err := config.ParsePathMap(s)
		if err != nil {
			return nil, fmt.Errorf("--path-map: %w", err)
		}
		out = append(out, m)
	}
	return out, nil
}
