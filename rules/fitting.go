package rules

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
)

// traits is what decides which rules apply to a section of which all facts are known.
type traits struct {
	version model.Version
	abi     model.ABI
	elf     bool // in an ELF file
	linked  bool // not in a relocatable one
}

// fitting are rules with all of their prerequisites.
type fitting struct {
	rules    []*Rule
	requires []*analysis.Analyzer
}

// runFitting runs the rules on the section that refute nothing. Where all facts but limits are known, as of
// nearly all sections, these are the rules that apply, which need not ask for a fact again: what they require runs
// before them.
func (u *Runner) runFitting() {
	if u.facts.Missing(1<<numFacts-1&^limited) != nil {
		u.runAll(u.sections)
		return
	}
	s, e := u.sf.Section, u.obj.ELF
	k := traits{s.Version(), s.Header().ABI, e != nil, e != nil && !e.Relocatable()}
	fit, ok := u.fits[k]
	if !ok {
		for _, x := range u.sections {
			if applies, _ := x.appliesTo(&u.facts); applies {
				fit.rules = append(fit.rules, x)
				fit.requires = append(fit.requires, x.Requires...)
			}
		}
		slices.SortFunc(fit.requires, func(a, b *analysis.Analyzer) int { return cmp.Compare(a.Name, b.Name) })
		fit.requires = slices.Compact(fit.requires)
		u.fits[k] = fit
	}
	u.facts.whole = true
	u.prepared = u.prepare(fit.requires)
	u.runAll(fit.rules)
}

// prepare runs prerequisites of rules, and reports whether none has failed. Otherwise those of each rule run before
// it, so that the rules without them go on.
func (u *Runner) prepare(all []*analysis.Analyzer) bool {
	defer func() { _ = recover() }() // it panics again for the rule that requires it
	return u.requireAll(all) == nil
}
