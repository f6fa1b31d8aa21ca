package build

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
)

// TestNoHoles draws sections until every class of every field was seen.
func TestNoHoles(t *testing.T) {
	if testing.Short() {
		t.Skip("draws sections until each class was seen: run without -short")
	}
	table, err := countCorners(3, cornerSections)
	require.NoError(t, err)
	require.Empty(t, table.Holes())
	for _, f := range table.fields {
		for _, c := range f.Classes {
			assert.False(t, c.Never != "" && c.Count > 0, "%s has %s", f.Name, c.Name())
		}
	}
}

// TestHoles sees those of a table without values.
func TestHoles(t *testing.T) {
	table := newCorners()
	assert.Contains(t, table.Holes(), "FRE start, 4 bytes = 2^32-1")
	assert.Contains(t, table.Holes(), "start, 8 bytes = -2^63")
	assert.NotContains(t, table.Holes(), "start, 8 bytes = 0", "there is no code")
}

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

// After cornerSections sections, every class must have one. One in largeEvery is a large one.
const cornerSections, largeEvery = 20_000, 200

// countCorners counts the values of drawn sections, until no class is empty, but of at most n.
func countCorners(seed uint64, n int) (*cornerTable, error) {
	t, rnd := newCorners(), rand.New(rand.NewPCG(seed, 0x636f_726e))
	for i := range n {
		if i%largeEvery == 0 && len(t.Holes()) == 0 {
			break
		}
		draw := generator.SwarmWide
		if i%largeEvery == largeEvery-1 {
			draw = generator.SwarmLarge
		}
		s, err := encoded(draw(rnd))
		if err != nil {
			return nil, err
		}
		t.add(s)
	}
	return t, nil
}
