package conformance_test

import (
	"math/rand/v2"

	"github.com/sframe-lint/sframe-lint/generator"
)

// Holes lists the classes that have no value and no reason for that.
func (t *cornerTable) Holes() (all []string) {
	for _, f := range t.fields {
		for k := range f.Classes {
			if c := &f.Classes[k]; c.Count == 0 && c.Never == "" {
				all = append(all, f.Name+" = "+c.Name())
			}
		}
	}
	return all
}

// cornerSections is the number of sections after which no class is expected to be empty. One
// in largeEvery is a large one.
const cornerSections, largeEvery = 20_000, 200

// countCorners counts the values of n drawn sections.
func countCorners(seed uint64, n int) (*cornerTable, error) {
	t, rnd := newCorners(), rand.New(rand.NewPCG(seed, 0x636f_726e))
	for i := range n {
		draw := generator.SwarmWide
		if i%largeEvery == largeEvery-1 {
			draw = generator.SwarmLarge
		}
		p, err := generator.Generate(draw(rnd))
		if err != nil {
			return nil, err
		}
		if err := t.AddPlan(p); err != nil {
			return nil, err
		}
	}
	return t, nil
}
