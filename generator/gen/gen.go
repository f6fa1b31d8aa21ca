// Package gen generates valid sections for property tests. With gopter, counterexamples shrink to valid sections with
// few rows. With [Source], [Plan] uses the random numbers of any other framework.
package gen

import (
	"math/rand/v2"
	"reflect"

	"github.com/leanovate/gopter"

	"github.com/sframe-lint/sframe-lint/generator"
)

// Plan returns the plan of a random valid section, from a configuration of [generator.SwarmWide]. [generator.Shrinks]
// has smaller ones.
func Plan(r *rand.Rand) *generator.Plan {
	for {
		if p, err := generator.Generate(generator.SwarmWide(r)); err == nil {
			return p
		}
	}
}

// Source is a random source for math/rand/v2 that calls a function. For testing/quick, use
// rand.New(gen.Source(r.Uint64)). With a function that calls rapid.Uint64().Draw, rapid can shrink the section.
type Source func() uint64

// Uint64 implements [rand.Source].
func (s Source) Uint64() uint64 { return s() }

// Plans generates *generator.Plan values of valid sections. Each plan comes from a configuration of
// [generator.SwarmWide], which the functions may change.
func Plans(change ...func(*generator.Config)) gopter.Gen {
	return func(params *gopter.GenParameters) *gopter.GenResult {
		c := generator.SwarmWide(random(params))
		for _, f := range change {
			f(&c)
		}
		return planResult(c)
	}
}

// PlansOf generates plans from one configuration with random seeds.
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

// ShrinkPlan shrinks plans.
func ShrinkPlan(v any) gopter.Shrink {
	next := generator.Shrinks(v.(*generator.Plan))
	return func() (any, bool) {
		p := next()
		return p, p != nil
	}
}

// Configs generates generator.Config values.
func Configs() gopter.Gen {
	return func(params *gopter.GenParameters) *gopter.GenResult {
		return gopter.NewGenResult(generator.SwarmWide(random(params)), ShrinkConfig)
	}
}

// ShrinkConfig shrinks configurations: it brings one knob at a time to its default or closer to it.
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
