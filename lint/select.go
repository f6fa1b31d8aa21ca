package lint

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// RequireRule is the rule that [Options.RequireSFrame] adds to a run.
const RequireRule = "SF5001"

// CoverageRule is the rule that [Options.MinCoverage] adds to a run.
const CoverageRule = catalogue.CoverageRule

// missing are the rules that report missing data: errors with [Options.RequireSFrame]. Those of rest report single functions and
// inputs, of which [Options.MinCoverage] allows some.
var (
	missing = []string{"SF1022", "SF5035", CoverageRule, "SF6024"}
	rest    = []string{"SF6014", "SF6021"}
)

// consumerFamily is the family of the rules that judge by consumers.
const consumerFamily = '8'

// Rules returns all rules that a run can select, by ID: the built-in ones, those on consumers, and extra ones.
func Rules(extra ...*rules.Rule) []*rules.Rule {
	return byID(append(catalogue.All(catalogue.Settings{}), extra...))
}

func byID(all []*rules.Rule) []*rules.Rule {
	slices.SortStableFunc(all, func(r, s *rules.Rule) int { return strings.Compare(r.ID, s.ID) })
	return all
}

// OptionError is the error for a wrong value of an option.
type OptionError struct {
	Option string // "rules", or the name of the flag: select, ignore, severity, consumer or producer
	Err    error
}

func (e *OptionError) Error() string { return e.Option + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *OptionError) Unwrap() error { return e.Err }

// driver returns the driver for the rules that the options choose. Errors:
// [*OptionError].
func (o *Options) driver() (*rules.Driver, error) {
	if err := distinct(o.Extra); err != nil {
		return nil, &OptionError{"rules", err}
	}
	all := Rules(o.Extra...)
	selected, err := patterns("select", o.Select, all)
	if err != nil {
		return nil, err
	}
	ignored, err := patterns("ignore", o.Ignore, all)
	if err != nil {
		return nil, err
	}
	onConsumers, err := catalogue.Consumers(o.Consumers...)
	if err != nil {
		return nil, &OptionError{"consumer", err}
	}
	for _, p := range selected {
		if strings.HasPrefix(p, "SF"+string(consumerFamily)) && len(onConsumers) == 0 {
			return nil, &OptionError{"select", fmt.Errorf("rule %s is about consumers: name them with --consumer", p)}
		}
	}
	o.measured = catalogue.Measure(o.Coverage, o.AllowGaps)
	all = byID(append(catalogue.All(catalogue.Settings{
		Consumers: onConsumers, MinCoverage: o.MinCoverage, AllowGaps: o.AllowGaps, AllowSections: o.AllowSections, Measure: o.measured, Kernel: o.kernel, Merge: o.Merge,
	}), o.Extra...))
	d := &rules.Driver{}
	if o.Coverage > 0 {
		d.Wanted = append(d.Wanted, o.measured)
	}
	apply(o.limits(), d, o.filtered())
	for _, r := range all {
		required := o.RequireSFrame && r.ID == RequireRule || o.MinCoverage > 0 && r.ID == CoverageRule
		asked := chooses(selected, r)
		if r.Family() == consumerFamily {
			asked = len(onConsumers) > 0
		}
		if required || asked && !matches(ignored, r.ID) {
			d.Rules = append(d.Rules, r)
		}
	}
	d.Severity, err = o.severities(all)
	return d, err
}

// distinct returns an error for the first rule that cannot be run, or that cannot
// be selected by its ID.
func distinct(extra []*rules.Rule) error {
	if len(extra) == 0 {
		return nil
	}
	ids := map[string]bool{}
	for _, r := range Rules() {
		ids[r.ID] = true
	}
	for _, r := range extra {
		switch {
		case r == nil:
			return errors.New("a rule is nil")
		case r.Analyzer == nil:
			return fmt.Errorf("rule %q has no analyzer: make it with rules.New", r.ID)
		case r.Severity == rules.Off:
			return fmt.Errorf("rule %q has no severity, so it would never run", r.ID)
		case r.ID == "" || r.ID != strings.ToUpper(r.ID) || strings.ContainsAny(r.ID, " ,"):
			return fmt.Errorf("rule identifier %q is empty, or has small letters, spaces or commas", r.ID)
		case ids[r.ID]:
			return fmt.Errorf("two rules have the identifier %s", r.ID)
		}
		ids[r.ID] = true
	}
	return nil
}

// chooses reports whether --select runs a rule.
func chooses(selected []string, r *rules.Rule) bool {
	if r.OnRequest() {
		return slices.ContainsFunc(selected, func(p string) bool {
			return p == r.ID || !r.OptIn && len(p) > len("SF") && strings.HasPrefix(r.ID, p)
		})
	}
	return len(selected) == 0 || matches(selected, r.ID)
}

// patterns checks IDs of rules and their prefixes. One that fits no rule is most
// likely a mistake, and the run would check less than was meant.
func patterns(option string, list []string, all []*rules.Rule) ([]string, error) {
	var out []string
	for _, s := range list {
		p := strings.ToUpper(strings.TrimSpace(s))
		if p == "" || !slices.ContainsFunc(all, func(r *rules.Rule) bool { return strings.HasPrefix(r.ID, p) }) {
			return nil, &OptionError{option, lookup.UnknownRule(s, ids(all), titles(all))}
		}
		out = append(out, p)
	}
	return out, nil
}

// titles returns a function that returns the title of a rule.
func titles(all []*rules.Rule) func(id string) string {
	return func(id string) string {
		i := slices.IndexFunc(all, func(r *rules.Rule) bool { return r.ID == id })
		return all[i].Title
	}
}

func ids(all []*rules.Rule) (out []string) {
	for _, r := range all {
		out = append(out, r.ID)
	}
	return out
}

// severities returns the severities that are not the rules' own. The quirks of
// producers are notes unless an override says otherwise.
func (o *Options) severities(all []*rules.Rule) (map[string]rules.Severity, error) {
	m := map[string]rules.Severity{}
	for _, name := range o.Producers {
		ids, err := producers.Quirks(name)
		if err != nil {
			return nil, &OptionError{"producer", err}
		}
		for _, r := range all {
			if matches(ids, r.ID) && r.Severity > rules.Note {
				m[r.ID] = rules.Note
			}
		}
	}
	if o.RequireSFrame {
		for _, id := range missing {
			m[id] = rules.Error
		}
		for _, id := range rest {
			if o.MinCoverage == 0 {
				m[id] = rules.Error
			}
		}
	}
	for _, s := range o.Severity {
		p, err := patterns("severity", []string{s.ID}, all)
		if err != nil {
			return nil, err
		}
		for _, r := range all {
			if matches(p, r.ID) {
				m[r.ID] = s.Level
			}
		}
	}
	return m, nil
}

// off returns the IDs of the rules that the options turn off by name: who does that accepts what the rules
// report.
func (o *Options) off() map[string]bool {
	all := map[string]bool{}
	levels, _ := o.severities(Rules(o.Extra...)) // the driver has been made with them
	for _, r := range Rules(o.Extra...) {
		level, ok := levels[r.ID]
		if slices.ContainsFunc(o.Ignore, func(p string) bool { return strings.HasPrefix(r.ID, strings.ToUpper(strings.TrimSpace(p))) }) || ok && level == rules.Off {
			all[r.ID] = true
		}
	}
	return all
}

// If a baseline or exceptions may cover some of the findings, the driver keeps room times the limit, or atLeast.
const (
	room    = 10
	atLeast = 100_000
)

// apply sets the limits of a driver. If filtered, the run may omit findings that do not count for the limit
// of findings, and applies that limit itself.
func apply(l *budget.Limits, d *rules.Driver, filtered bool) {
	d.Limits = rules.Limits{Findings: int(l.Of(budget.Findings)), Code: l.Of(budget.Code), Symbols: l.Of(budget.Symbols), CFI: l.Of(budget.CFI)}
	for k, f := range map[budget.Resource]rules.Fact{budget.Code: rules.CodeReadable, budget.Symbols: rules.SymbolsReadable, budget.CFI: rules.CFIReadable} {
		if l[k] != 0 {
			d.Limits.Chosen |= f
		}
	}
	if n := d.Limits.Findings; filtered && n >= 0 && n <= math.MaxInt/room {
		d.Limits.Findings = max(n*room, atLeast)
	}
}
