package consumers_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// TestRulesOfDemands: where a demand that names a rule and has a predicate of its own is not met, the rule reports it, or another finding holds it back.
// Files of the corpus and the edited ones of the tests of demands show each.
func TestRulesOfDemands(t *testing.T) {
	named, checks := map[consumers.Demand]string{}, map[string]*consumers.Profile{}
	for _, p := range consumers.All() {
		for _, c := range p.Checks {
			if c.Rule != "" && !c.Asked() {
				named[c.Demand] = c.Rule
				checks[fmt.Sprint(c.Demand, c.Versions, c.Order)] = &consumers.Profile{Role: consumers.Tool, Checks: []consumers.Check{c}}
			}
		}
	}
	assert.Len(t, named, 17)
	driver, seen := &rules.Driver{Rules: catalogue.Rules()}, map[consumers.Demand]bool{}
	check := func(o *reader.Object, name string) {
		var res *rules.Result
		for _, p := range checks {
			v := p.Judge(o, o.SFrames[0], nil)[0]
			if v.Check == "" || !appliesTo(driver, v.Rule, o.SFrames[0].Section) {
				continue
			}
			if res == nil {
				res = driver.Run(o)
			}
			reported := slices.ContainsFunc(res.Findings, func(f rules.Finding) bool { return f.Rule.ID == v.Rule })
			assert.True(t, reported || slices.ContainsFunc(res.HeldBack, func(h rules.HeldBack) bool { return h.Rule == v.Rule }), "%s: %s without %s", name, v.Check, v.Rule)
			seen[v.Check] = seen[v.Check] || reported
		}
	}
	for _, e := range corpus(t) {
		info, err := os.Stat(e.path())
		require.NoError(t, err)
		opts := reader.Options{Raw: e.Kind == "raw"}
		if opts.Raw {
			opts.RawAddress = e.address(t)
		}
		if info.Size() > 1<<20 {
			continue // others have the same faults
		}
		require.NoError(t, reader.Scan(e.path(), opts, func(o *reader.Object) error {
			if len(o.SFrames) == 1 {
				check(o, e.File)
			}
			return nil
		}))
	}
	for _, u := range unmets {
		if named[u.demand] != "" {
			o, _ := handMade(t, u.file, u.edit)
			check(o, u.file+u.edit)
		}
	}
	for d, rule := range named {
		assert.True(t, seen[d], "no file shows %s with %s", d, rule)
	}
}

// appliesTo reports whether a rule is for the version of a section.
func appliesTo(d *rules.Driver, id string, s *model.Section) bool {
	i := slices.IndexFunc(d.Rules, func(r *rules.Rule) bool { return r.ID == id })
	return s == nil || len(d.Rules[i].Versions) == 0 || slices.Contains(d.Rules[i].Versions, s.Version())
}
