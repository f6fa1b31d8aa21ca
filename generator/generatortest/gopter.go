// Package generatortest has gopter generators of sections and configurations,
// whose counterexamples shrink to sections of few rows that are still valid.
package generatortest

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
	c := v.(generator.Config)
	var all []generator.Config
	for _, k := range generator.Knobs() {
		for _, to := range k.Closer(k.Get(&c)) {
			q := c
			if k.Put(&q, to) == nil && q.Check() == nil {
				all = append(all, q)
			}
		}
	}
	return func() (any, bool) {
		if len(all) == 0 {
			return nil, false
		}
		q := all[0]
		all = all[1:]
		return q, true
	}
}

func random(params *gopter.GenParameters) *rand.Rand {
	return rand.New(rand.NewPCG(params.NextUint64(), params.NextUint64()))
}
