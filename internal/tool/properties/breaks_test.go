package properties

import (
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/testkit/breaktest"
	"github.com/sframe-lint/sframe-lint/rules"
)

// breaks makes known faults in the section, in a drawn container, and checks that
// the rules find each of them at its place, and nothing else.
func (r *run) breaks() {
	kinds := breaks.Containers()
	r.recipe.Container = kinds[r.m.Rand.IntN(len(kinds))]
	p := r.p
	if c := r.conf.Narrow(); c != r.conf {
		// What no tool writes has findings of its own, which could hide that of a break.
		q, err := generator.Generate(c)
		if err != nil {
			return
		}
		p, r.recipe.Config = q, c
	}
	s, err := breaks.New(p, r.recipe.Container)
	if err != nil {
		r.fail("%v", err)
		return
	}
	broken, steps := breaks.Compose(s, 1+r.m.Rand.IntN(3), r.m.Rand)
	r.recipe.Breaks = steps
	r.stats.Breaks += int64(len(steps))
	r.compare(s, broken)
}

// compare checks that the rules find what was broken, at its place.
func (r *run) compare(s, broken *breaks.Subject) {
	before := r.lintSubject(s)
	if wrong := breaktest.Unmet(before, r.lintSubject(broken), broken); wrong != "" {
		r.fail("%v in %s:%s", broken.Breaks(), s.Kind(), wrong)
	}
}

func (r *run) lintSubject(s *breaks.Subject) []rules.Finding {
	return r.lintWith(s.File(), breaktest.Reading(s))
}
