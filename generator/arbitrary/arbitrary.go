// Package arbitrary has gopter generators of sections and configurations,
// whose counterexamples shrink to sections of few rows that are still valid.
package arbitrary

import (
	"math/rand/v2"
	"reflect"

	"github.com/leanovate/gopter"

	"github.com/sframe-lint/sframe-lint/generator"
)

// Plans generates plans of valid sections, each from a configuration of its
// own, as a *generator.Plan. Each of the turns may change the configuration
// that was drawn.
func Plans(turns ...func(*generator.Config)) gopter.Gen {
	return func(params *gopter.GenParameters) *gopter.GenResult {
		c := generator.Swarm(random(params))
		for _, turn := range turns {
			turn(&c)
		}
		return planResult(c)
	}
}

// PlansOf generates plans from one configuration, whose seed is drawn.
func PlansOf(c generator.Config) gopter.Gen {
	return func(params *gopter.GenParameters) *gopter.GenResult {
		c := c
		c.Seed = int64(params.NextUint64())
		return planResult(c)
	}
}

func planResult(c generator.Config) *gopter.GenResult {
	p, err := generator.Generate(c)
	if err != nil {
		return gopter.NewEmptyResult(reflect.TypeFor[*generator.Plan]())
	}
	return gopter.NewGenResult(p, ShrinkPlan)
}

// ShrinkPlan is the shrinker of plans.
func ShrinkPlan(v any) gopter.Shrink {
	next := generator.Shrinks(v.(*generator.Plan))
	return func() (any, bool) {
		p := next()
		return p, p != nil
	}
}

// Configs generates configurations, as a generator.Config.
func Configs() gopter.Gen {
	return func(params *gopter.GenParameters) *gopter.GenResult {
		return gopter.NewGenResult(generator.Swarm(random(params)), ShrinkConfig)
	}
}

// ShrinkConfig brings one knob after the other to its default, or half the
// way there.
func ShrinkConfig(v any) gopter.Shrink {
	c, knobs, half := v.(generator.Config), generator.Knobs(), false
	return func() (any, bool) {
		for len(knobs) > 0 {
			k, was := knobs[0], knobs[0].Get(&c)
			to := k.Default
			if half {
				to = was + (k.Default-was)/2
				knobs = knobs[1:]
			}
			half = !half
			q := c
			if to != was && k.Put(&q, to) == nil && q.Check() == nil {
				return q, true
			}
		}
		return nil, false
	}
}

func random(params *gopter.GenParameters) *rand.Rand {
	return rand.New(rand.NewPCG(params.NextUint64(), params.NextUint64()))
}
