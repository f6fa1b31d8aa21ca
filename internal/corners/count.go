package corners

import (
	"fmt"
	"math/rand/v2"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Sections is the number of sections after which no class is expected to be empty. One
// in largeEvery is a large one.
const Sections, largeEvery = 20_000, 200

// Count counts the values of n drawn sections.
func Count(seed uint64, n int) (*Table, error) {
	t, rnd := New(), rand.New(rand.NewPCG(seed, 0x636f_726e))
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

// AddPlan counts the values of a plan's section.
func (t *Table) AddPlan(p *generator.Plan) error {
	b, err := generator.Encode(p)
	if err != nil {
		return err
	}
	s, faults := reader.DecodeSection(b, reader.SectionOptions{Addr: p.Addr})
	if s == nil || len(faults) > 0 {
		return fmt.Errorf("not read: %v", faults)
	}
	t.Add(s)
	return nil
}
