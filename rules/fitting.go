package rules

import "github.com/sframe-lint/sframe-lint/model"

// kind is what decides which rules apply to a section of which all facts are known.
type kind struct {
	version model.Version
	abi     model.ABI
	elf     bool // in an ELF file
	linked  bool // not in a relocatable one
}

// fitting returns the rules to run on the section. Where all facts but limits are known, as of
// nearly all sections, these are the rules that apply, which need not ask for a fact again.
func (u *Runner) fitting() []step {
	for f := range numFacts {
		if !f.Limited() && u.facts.Missing(f) != nil {
			return u.sections
		}
	}
	s, e := u.sf.Section, u.obj.ELF
	k := kind{s.Version(), s.Header().ABI, e != nil, e != nil && !e.Relocatable()}
	list, ok := u.fits[k]
	if !ok {
		for _, x := range u.sections {
			if applies, _ := x.rule.gate(&u.facts); applies {
				list = append(list, x)
			}
		}
		u.fits[k] = list
	}
	u.facts.whole = true
	return list
}
