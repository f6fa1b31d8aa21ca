package lintcmd

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/rules"
)

// requireRule is the rule that --require-sframe adds to a run.
const requireRule = "SF5001"

// address is a flag's value: a number with the usual prefixes.
type address struct{ value uint64 }

func (a *address) String() string { return fmt.Sprintf("0x%x", a.value) }
func (a *address) Type() string   { return "ADDR" }

func (a *address) Set(s string) error {
	v, err := strconv.ParseUint(s, 0, 64)
	if err != nil {
		return errors.New("want a number of 64 bits like 0x401000")
	}
	a.value = v
	return nil
}

// check looks at what no other function takes care of.
func (f *lintFlags) check(paths []string) error {
	if f.jobs < 0 {
		return fmt.Errorf("--jobs: %d is below 0", f.jobs)
	}
	if err := f.limits.check(); err != nil {
		return err
	}
	if err := f.fixes.check(paths, f.formats); err != nil {
		return err
	}
	if f.known.strict && f.known.path == "" {
		return errors.New("--baseline-strict: there is no baseline")
	}
	return stdinOnce(paths)
}

// stdinOnce sees that standard input, which can be read once, is named once.
func stdinOnce(paths []string) error {
	stdin := 0
	for _, p := range paths {
		if p == "-" {
			stdin++
		}
	}
	if stdin > 1 {
		return errors.New("standard input is named twice")
	}
	return nil
}

func parseFailOn(s string) (rules.Severity, error) {
	if s == "never" {
		return rules.Off, nil
	}
	v, err := rules.ParseSeverity(s)
	if err != nil || v == rules.Off {
		return rules.Off, fmt.Errorf("--fail-on: unknown level %q: want error, warning, note or never", s)
	}
	return v, nil
}

// driver returns the driver for the rules that the flags ask for.
func (f *lintFlags) driver(all []*rules.Rule) (*rules.Driver, error) {
	selected, err := patterns("--select", f.selected, all)
	if err != nil {
		return nil, err
	}
	ignored, err := patterns("--ignore", f.ignored, all)
	if err != nil {
		return nil, err
	}
	profiles, err := selectConsumers(f.consumers)
	if err != nil {
		return nil, fmt.Errorf("--consumer: %w", err)
	}
	for _, p := range selected {
		if len(p) >= 3 && p[2] == consumerFamily && len(profiles) == 0 {
			return nil, fmt.Errorf("--select: rule %s is about consumers: name them with --consumer", p)
		}
	}
	all = bind(all, profiles)
	d := &rules.Driver{Severity: map[string]rules.Severity{}}
	f.limits.driver(d, f.filtered())
	for _, r := range all {
		required := f.requireSFrame && r.ID == requireRule
		asked := f.wants(r, selected) || r.Family() == consumerFamily
		if required || asked && !matches(r, ignored) {
			d.Rules = append(d.Rules, r)
		}
	}
	if err := quirks(d.Severity, f.producers, all); err != nil {
		return nil, err
	}
	for _, s := range f.severities {
		if err := override(d.Severity, s, all); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// filtered tells whether a baseline may drop findings after the rules have found
// them.
func (f *lintFlags) filtered() bool { return f.known.path != "" || f.known.write != "" }

// wants tells whether the rule is to be run, --ignore aside.
func (f *lintFlags) wants(r *rules.Rule, selected []string) bool {
	if r.OptIn {
		return slices.Contains(selected, r.ID)
	}
	return len(selected) == 0 || matches(r, selected)
}

// patterns checks IDs and beginnings of IDs: one that no rule answers to is
// most likely a slip, and would make a run weaker than it seems.
func patterns(flag string, list []string, all []*rules.Rule) ([]string, error) {
	var out []string
	for _, s := range list {
		p := strings.ToUpper(strings.TrimSpace(s))
		known := false
		for _, r := range all {
			known = known || strings.HasPrefix(r.ID, p)
		}
		if p == "" || !known {
			return nil, fmt.Errorf("%s: no rule is called %q, nor begins like it", flag, s)
		}
		out = append(out, p)
	}
	return out, nil
}

func matches(r *rules.Rule, patterns []string) bool {
	for _, p := range patterns {
		if strings.HasPrefix(r.ID, p) {
			return true
		}
	}
	return false
}

// override notes what --severity says; a later one wins.
func override(m map[string]rules.Severity, s string, all []*rules.Rule) error {
	id, level, ok := strings.Cut(s, "=")
	if !ok {
		return fmt.Errorf("--severity: %q is not of the form ID=LEVEL", s)
	}
	v, err := rules.ParseSeverity(level)
	if err != nil {
		return fmt.Errorf("--severity: %w", err)
	}
	p, err := patterns("--severity", []string{id}, all)
	if err != nil {
		return err
	}
	for _, r := range all {
		if matches(r, p) {
			m[r.ID] = v
		}
	}
	return nil
}
