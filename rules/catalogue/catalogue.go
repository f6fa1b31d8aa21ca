// Package catalogue is the registry of the rules that come with the tool.
package catalogue

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/code"
	"github.com/sframe-lint/sframe-lint/rules/internal/container"
	"github.com/sframe-lint/sframe-lint/rules/internal/crosscheck"
	"github.com/sframe-lint/sframe-lint/rules/internal/fde"
	"github.com/sframe-lint/sframe-lint/rules/internal/frame"
	"github.com/sframe-lint/sframe-lint/rules/internal/fre"
	"github.com/sframe-lint/sframe-lint/rules/internal/header"
	"github.com/sframe-lint/sframe-lint/rules/internal/size"
)

// Obsolete is the ID of the rule that reports version 1 as an error. If a section has no other error, it is valid by
// the manual of version 1.
const Obsolete = "SF1004"

// Rules returns the rules that do not depend on [Settings], sorted by ID. The caller may modify the slice but not the
// rules.
func Rules() []*rules.Rule { return slices.Clone(sorted()) }

var sorted = sync.OnceValue(func() []*rules.Rule {
	all := slices.Concat(
		header.Rules, fde.Rules, fre.Rules, frame.Rules, code.Rules,
		container.Rules, crosscheck.Rules, size.Rules,
	)
	slices.SortFunc(all, func(a, b *rules.Rule) int { return strings.Compare(a.ID, b.ID) })
	return all
})

// Default returns the rules that run without a selection.
func Default() []*rules.Rule {
	return slices.DeleteFunc(Rules(), func(r *rules.Rule) bool { return r.OptIn })
}

// CoverageRule fails a file if its SFrame data covers too little code.
const CoverageRule = crosscheck.CoverageID

// Measure returns an analyzer that measures the coverage of an object, and lists no more gaps than most. If the name of
// an input matches a pattern in allowed, the functions of this input do not count.
func Measure(most int, allowed []string) *analysis.Analyzer { return crosscheck.Measure(most, allowed) }

// Asked is the analyzer that runs, on an object, the rules that check what consumers require.
var Asked = crosscheck.Asked(Rules)

// Settings are what some rules depend on in addition to the input.
type Settings struct {
	// Consumers are the rules of family SF8, which [Consumers] returns. If it is empty, these rules report nothing.
	Consumers []*rules.Rule
	// MinCoverage is the share of the code that [CoverageRule] requires, in percent; 0 means all of it.
	MinCoverage float64
	// AllowGaps are patterns for names of libraries and inputs that may have no SFrame data. SF6021 does not report
	// them.
	AllowGaps []string
	// AllowSections are patterns for names of sections that may contain functions without being executable. SF2014
	// does not report these.
	AllowSections []string
	// Measure measures the coverage for [CoverageRule]. nil means Measure(0, AllowGaps).
	Measure *analysis.Analyzer
	// Kernel says that all relocatable files are part of a kernel.
	Kernel bool
	// Merge returns the fix and help of SF1019: see lint.Options.
	Merge func(*reader.Object, *reader.SFrame) []rules.Option
}

// All returns all built-in rules, sorted by ID: those of [Rules] and those that depend on settings.
func All(s Settings) []*rules.Rule {
	if s.Measure == nil {
		s.Measure = crosscheck.Measure(0, s.AllowGaps)
	}
	if s.Consumers == nil {
		s.Consumers = crosscheck.Consumers(nil, Asked)
	}
	all := slices.Concat(Rules(), s.Consumers, []*rules.Rule{
		crosscheck.Covered(coverage.Percent(cmp.Or(s.MinCoverage, 100)), s.Measure),
	})
	set := func(rule *rules.Rule) {
		all[slices.IndexFunc(all, func(r *rules.Rule) bool { return r.ID == rule.ID })] = rule
	}
	if s.Kernel {
		set(kernelRule)
		set(crosscheck.Uncovered(s.AllowGaps, true))
	}
	if s.Merge != nil {
		set(header.Unmerged(s.Merge))
	}
	if len(s.AllowSections) > 0 {
		set(fde.NotCode(s.AllowSections))
	}
	if len(s.AllowGaps) > 0 {
		set(crosscheck.Uncovered(s.AllowGaps, s.Kernel))
		set(crosscheck.Missing(s.AllowGaps))
	}
	slices.SortFunc(all, func(a, b *rules.Rule) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// kernelRule checks all relocatable files as parts of a kernel.
var kernelRule = crosscheck.KernelLost(true)

// Consumers returns the rules of family SF8 for the named consumers, sorted by ID. docs/consumers.md lists the names.
// It returns nil if names is empty.
func Consumers(names ...string) ([]*rules.Rule, error) {
	selected, err := consumers.Select(strings.Join(names, ","))
	if len(selected) == 0 {
		return nil, err
	}
	return crosscheck.Consumers(selected, Asked), nil
}
