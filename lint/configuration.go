package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/config"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Configuration describes which configuration file a run used and what it turns
// off: the file may come from the tree that is checked.
type Configuration struct {
	Path string
	// Off are the IDs of the rules that the file turns off, Lowered those of the
	// rules whose severity it lowers, both sorted.
	Off, Lowered []string
	// Settings are the other settings of the file that may omit findings or
	// change the exit status, each with its key: "fail-on: never".
	Settings []string
}

// Weakens reports whether the file turns anything off.
func (c *Configuration) Weakens() bool { return len(c.Off)+len(c.Lowered)+len(c.Settings) > 0 }

// Effect returns what a configuration file turns off: with are the options that
// include it, without the same options without it. FailOn and Baseline of c are nil
// and "" if the caller does not use them. Errors: [*OptionError].
func Effect(c *config.Config, with, without Options) (*Configuration, error) {
	without.Consumers = with.Consumers // they add rules, and --select may name these
	after, err := with.driver()
	if err != nil {
		return nil, err
	}
	before, err := without.driver()
	if err != nil {
		return nil, err
	}
	out := &Configuration{Path: c.Path}
	now := active(after)
	for _, r := range before.Rules {
		was, is := before.SeverityOf(r), now[r.ID]
		switch {
		case was == rules.Off || is >= was:
		case is == rules.Off:
			out.Off = append(out.Off, r.ID)
		default:
			out.Lowered = append(out.Lowered, r.ID)
		}
	}
	out.Settings = slices.Concat(settings(c, &with, &without), tightened(with.limits(), without.limits()))
	return out, nil
}

// active returns the severities of the rules that are run.
func active(d *rules.Driver) map[string]rules.Severity {
	m := map[string]rules.Severity{}
	for _, r := range d.Rules {
		if s := d.SeverityOf(r); s != rules.Off {
			m[r.ID] = s
		}
	}
	return m
}

func settings(c *config.Config, with, without *Options) []string {
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
		allowed = config.DefaultAllowSections()
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
func notesQuirks(o *Options) bool {
	p, err := config.FindProfile(o.Profile)
	return err == nil && p.NoteQuirks
}

// tightened returns the limits that are lower than without the file.
func tightened(with, without *budget.Limits) []string {
	var out []string
	for _, b := range budget.Table() {
		// Below 0 is no limit: the largest number without a sign.
		if n := with.Of(b.Kind); uint64(n) < uint64(without.Of(b.Kind)) {
			out = append(out, fmt.Sprintf("limits.%s: %s", b.Flag, b.Format(n)))
		}
	}
	return out
}
