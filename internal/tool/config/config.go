// Package config reads the configuration of sframe-lint, a YAML file. Unknown keys, rules and levels are errors with
// line and column.
package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Name is the name of the configuration file that [Find] searches for.
const Name = ".sframe-lint.yaml"

// Config is a configuration. Settings that are nil are not set.
type Config struct {
	Path string // of the file, "" for none

	Select, Ignore []string // IDs of rules or prefixes of IDs, in capitals
	Severity       []lint.Override
	Profile        string         // "": the default one
	Show           rules.Severity // 0: that of the profile
	Exclude        []string       // patterns of paths, as in a .gitignore in ExcludeDir
	ExcludeDir     string         // "": the working directory
	FailOn         *string
	RequireSFrame  *bool
	MinCoverage    *coverage.Percent
	Consumers      []string
	Producers      []string
	AllowSections  []string // nil: the default
	AllowGaps      []string
	Baseline       string // path from the working directory, or absolute
	SourceRoot     string // directory, as for Baseline
	PathMap        []lint.PathMap
	Limits         budget.Limits // 0: not set; below 0: no limit
	Exceptions     []lint.Exception
}

// ParsePathMap reads FROM=TO.
func ParsePathMap(s string) (lint.PathMap, error) {
	from, to, ok := strings.Cut(s, "=")
	if !ok || from == "" {
		return lint.PathMap{}, fmt.Errorf("%q is not of the form FROM=TO", s)
	}
	return lint.PathMap{From: from, To: to}, nil
}

// ParseLevel reads the lowest severity of findings to show.
func ParseLevel(s string) (rules.Severity, error) {
	v, err := rules.ParseSeverity(s)
	if err != nil || v == rules.Off {
		return rules.Off, lookup.Unknown("level", s, []string{"error", "warning", "note"}, "")
	}
	return v, nil
}

// Apply sets the options that a configuration contains. The caller applies
// FailOn and loads the Baseline.
func (c *Config) Apply(o *lint.Options) {
	if c.Profile != "" {
		o.Profile = c.Profile
	}
	set(&o.Select, c.Select)
	set(&o.Ignore, c.Ignore)
	set(&o.Consumers, c.Consumers)
	set(&o.Producers, c.Producers)
	set(&o.AllowSections, c.AllowSections)
	set(&o.AllowGaps, c.AllowGaps)
	set(&o.Severity, c.Severity)
	set(&o.Exceptions, c.Exceptions)
	set(&o.Sources.Map, c.PathMap)
	if c.SourceRoot != "" {
		o.Sources.Root = c.SourceRoot
	}
	if c.Exclude != nil {
		o.Exclude = lint.Exclude{Dir: c.ExcludeDir, Patterns: c.Exclude}
	}
	if c.Show != rules.Off {
		o.Show = c.Show
	}
	if c.RequireSFrame != nil {
		o.RequireSFrame = *c.RequireSFrame
	}
	if c.MinCoverage != nil {
		o.MinCoverage = float64(*c.MinCoverage)
	}
	for k, v := range c.Limits {
		if v != 0 {
			o.Limits[k] = v
		}
	}
}

func set[T any](to *[]T, from []T) {
	if from != nil {
		*to = from
	}
}

// Effect returns what a configuration file turns off. with are the options that include it; without are the same
// options without it. If the caller does not use FailOn or Baseline, they are nil and "" in c. Errors:
// [*lint.OptionError].
func (c *Config) Effect(with, without lint.Options) (*lint.Configuration, error) {
	without.Consumers = with.Consumers // they add rules, and --select may name these
	after, err := with.Severities()
	if err != nil {
		return nil, err
	}
	before, err := without.Severities()
	if err != nil {
		return nil, err
	}
	out := &lint.Configuration{Path: c.Path}
	for _, id := range slices.Sorted(maps.Keys(before)) {
		switch was, is := before[id], after[id]; {
		case is >= was:
		case is == rules.Off:
			out.Off = append(out.Off, id)
		default:
			out.Lowered = append(out.Lowered, id)
		}
	}
	out.Settings = slices.Concat(settings(c, &with, &without), loweredLimits(with.Limits, without.Limits))
	return out, nil
}

func settings(c *Config, with, without *lint.Options) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if c.FailOn != nil && *c.FailOn == "never" {
		add("fail-on: never")
	}
	if len(c.Exclude) > 0 && with.Exclude.Dir == c.ExcludeDir && len(without.Exclude.Patterns) == 0 {
		add("exclude: %s", strings.Join(c.Exclude, ", "))
	}
	if with.Show > without.Show {
		add("show: %v", with.Show)
	}
	if notesQuirks(with) && !notesQuirks(without) {
		add("profile: %s", c.Profile)
	}
	if without.RequireSFrame && !with.RequireSFrame {
		add("require-sframe: false")
	}
	if with.MinCoverage < without.MinCoverage {
		add("min-coverage: %g%%", with.MinCoverage)
	}
	if c.Baseline != "" {
		add("baseline: %s", c.Baseline)
	}
	if n := len(with.Exceptions) - len(without.Exceptions); n > 0 {
		add("exceptions: %d", n)
	}
	allowed := without.AllowSections
	if allowed == nil {
		allowed = lint.DefaultAllowSections()
	}
	if more := slices.DeleteFunc(slices.Clone(with.AllowSections), func(s string) bool { return slices.Contains(allowed, s) }); len(more) > 0 {
		add("allow-sections: %s", strings.Join(more, ", "))
	}
	if len(c.AllowGaps) > 0 && !slices.Equal(with.AllowGaps, without.AllowGaps) {
		add("allow-gaps: %s", strings.Join(with.AllowGaps, ", "))
	}
	return out
}

// notesQuirks reports whether the profile makes notes of quirks.
func notesQuirks(o *lint.Options) bool {
	p, err := lint.FindProfile(o.Profile)
	return err == nil && p.NoteQuirks
}

// loweredLimits returns the limits that are lower than without the file.
func loweredLimits(with, without budget.Limits) []string {
	var out []string
	for _, b := range budget.Table() {
		// Below 0 is no limit: the largest number without a sign.
		if n := with.Of(b.Kind); uint64(n) < uint64(without.Of(b.Kind)) {
			out = append(out, fmt.Sprintf("limits.%s: %s", b.Flag, b.Format(n)))
		}
	}
	return out
}
