package lintcmd

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/tool/config"
	"github.com/sframe-lint/sframe-lint/internal/tool/html"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// configFlags say which configuration is read.
type configFlags struct {
	path  string
	none  bool
	found *config.Config // what was read, nil for none
}

func (f *configFlags) flags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.path, "config", "", "read this configuration `FILE` (default: the nearest "+config.Name+"\nfrom the working directory up)")
	fl.BoolVar(&f.none, "no-config", false, "read no configuration")
	c.MarkFlagsMutuallyExclusive("config", "no-config")
}

// read finds and reads the configuration, nil if there is none.
func (f *configFlags) read(all []*rules.Rule) (*config.Config, error) {
	if f.none {
		return nil, nil
	}
	path, from := f.path, "--config"
	if path == "" {
		from = "configuration"
		wd, err := os.Getwd()
		if err != nil {
			return nil, nil // it was removed: nothing is above it
		}
		if path, err = config.Find(wd); err != nil || path == "" {
			return nil, openError(from, err)
		}
		if rel, err := filepath.Rel(wd, path); err == nil {
			path = rel
		}
	}
	known := config.Known{Consumer: func(name string) error {
		_, err := consumers.Select(name)
		return err
	}}
	for _, r := range all {
		known.Rules = append(known.Rules, r.ID)
	}
	c, err := config.Load(path, known)
	f.found = c
	return c, openError(from, err)
}

// options returns the options that the flags and the configuration ask for. What
// the configuration says is kept in the flags where they were not set.
func (f *lintFlags) options(fl *pflag.FlagSet, a *app) (lint.Options, error) {
	o := lint.Options{
		Extra: a.extra, Stdin: a.stdin, Jobs: int(min(f.jobs, math.MaxInt32)), Raw: f.raw, Section: f.section, RawAddress: f.address.value,
		Record: f.known.write != "", UnsafeFixes: f.fixes.unsafe, AllowEmpty: f.allowEmpty, ThinRoots: a.thinRoots,
		Sources: f.sources, Merge: rewrite.Merge,
	}
	if f.writes("html") {
		o.Coverage = html.MaxGaps
	}
	switch {
	case f.fixes.diff:
		o.Fix = lint.ShowFixes
	case f.fixes.write:
		o.Fix = lint.ApplyFixes
	}
	if !f.quiet {
		o.Skipped = f.skipFilter(a)
	}
	if !f.quiet && program.IsTerminal(a.stderr) {
		o.Progress = a.showProgress
	}
	levels, err := parseSeverities(f.severities)
	if err != nil {
		return o, err
	}
	if f.show != "" && f.show != showAll {
		if f.shown, err = config.ParseLevel(f.show); err != nil {
			return o, fmt.Errorf("--show: %w", lookup.Unknown("level", f.show, []string{"error", "warning", "note", showAll}, ""))
		}
	}
	c, err := f.config.read(a.rules())
	if err != nil {
		return o, program.WrongUsage(err) // nothing has been checked
	}
	maps, err := parsePathMaps(f.pathMaps)
	if err != nil {
		return o, err
	}
	flags := f.override(fl, config.Config{}, levels, maps)
	without, err := f.optionsOf(o, flags)
	if err != nil {
		return o, err
	}
	if c == nil {
		o = without
	} else {
		both := f.override(fl, *c, levels, maps)
		if o, err = f.optionsOf(o, both); err != nil {
			return o, err
		}
		if o.Configuration, err = both.Effect(o, without); err != nil {
			return o, flagError(err)
		}
		flags = both
		if both.Baseline != "" {
			f.known.path = both.Baseline
		}
	}
	if flags.FailOn == nil {
		flags.FailOn = &f.settings.FailOn
	}
	f.failOn = *flags.FailOn
	if err := f.parseFailOn(); err != nil {
		return o, err
	}
	if f.verbose && f.show == "" {
		o.Show = rules.Note
	}
	o.Show = f.lowestListed(o.Show)
	f.requireSFrame, f.sources.Root = o.RequireSFrame, o.Sources.Root
	if len(f.formats) == 0 && !f.fixes.diff && f.known.write == "" {
		f.formats = []string{a.defaultFormat(f)}
	}
	o.Listings = f.writes("full") || f.writes("html")
	return o, nil
}

// optionsOf returns the options with a configuration and the defaults of its profile.
func (f *lintFlags) optionsOf(o lint.Options, c *config.Config) (lint.Options, error) {
	p, err := lint.FindProfile(c.Profile)
	if err != nil {
		return o, fmt.Errorf("--profile: %w", err)
	}
	f.settings = p
	o.Profile, o.Select, o.Show = p.Name, p.Select, p.Show
	c.Apply(&o)
	return o, nil
}

// override returns a configuration in which the flags that were set have replaced its
// values.
func (f *lintFlags) override(fl *pflag.FlagSet, c config.Config, levels []lint.Override, maps []lint.PathMap) *config.Config {
	c.Severity = slices.Concat(c.Severity, levels)
	given(fl, "select", &c.Select, f.selected)
	given(fl, "ignore", &c.Ignore, f.ignored)
	given(fl, "producer", &c.Producers, f.producers)
	given(fl, "consumer", &c.Consumers, f.consumers)
	given(fl, "allow-section", &c.AllowSections, f.allowed)
	given(fl, "allow-gap", &c.AllowGaps, f.gaps)
	given(fl, "require-sframe", &c.RequireSFrame, &f.requireSFrame)
	given(fl, "min-coverage", &c.MinCoverage, &f.minCoverage)
	for k := range budget.Resource(budget.NumKinds) {
		c.Limits[k] = cmp.Or(f.limits[k], c.Limits[k])
	}
	given(fl, "fail-on", &c.FailOn, &f.failOn)
	given(fl, "profile", &c.Profile, f.profile)
	if fl.Changed("select") && !fl.Changed("profile") && c.Profile != "strict" {
		c.Profile = "toolchain" // a user who names rules expects all their findings
	}
	given(fl, "show", &c.Show, f.shown)
	if fl.Changed("exclude") {
		c.Exclude, c.ExcludeDir = f.excluded, ""
	}
	given(fl, "baseline", &c.Baseline, "")
	given(fl, "source-root", &c.SourceRoot, f.sources.Root)
	given(fl, "path-map", &c.PathMap, maps)
	return &c
}

// given sets a value of the configuration to that of a flag, if the flag was set.
func given[T any](fl *pflag.FlagSet, name string, to *T, value T) {
	if fl.Changed(name) {
		*to = value
	}
}

// parseSeverities parses the values of --severity.
func parseSeverities(list []string) ([]lint.Override, error) {
	var out []lint.Override
	for _, s := range list {
		id, level, ok := strings.Cut(s, "=")
		if !ok {
			return nil, fmt.Errorf("--severity: %q is not of the form ID=LEVEL", s)
		}
		v, err := rules.ParseSeverity(level)
		if err != nil {
			return nil, fmt.Errorf("--severity: %w", err)
		}
		out = append(out, lint.Override{ID: id, Level: v})
	}
	return out, nil
}

// flagError names the flag that an option is set by.
func flagError(err error) error {
	var e *lint.OptionError
	if errors.As(err, &e) && e.Option != "rules" {
		return fmt.Errorf("--%s: %w", e.Option, e.Err)
	}
	return err
}
