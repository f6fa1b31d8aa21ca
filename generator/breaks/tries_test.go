package breaks

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
)

// TestTriesOfLargeSection: a break without room at any place of a large section copied the section for each
// of them. What it copies is bounded, and all places of a small section are tried.
func TestTriesOfLargeSection(t *testing.T) {
	p, err := generator.Generate(generator.Default())
	require.NoError(t, err)
	s, err := New(p, Raw)
	require.NoError(t, err)
	const places = 1000
	tried := 0
	none := &Break{Name: "none", sites: func(x spot) []site {
		all := make([]site, places)
		for i := range all {
			all[i].do = func(x spot) anchor { tried++; return x.fail() }
		}
		return all
	}}
	_, _, err = none.Apply(s, 1)
	assert.ErrorContains(t, err, "no place")
	assert.Equal(t, places, tried)

	for _, size := range []int{1 << 20, 32 << 20} {
		tried = 0
		large := *s
		large.object = append(make([]byte, 0, size), s.object...)[:size]
		_, _, err = none.Apply(&large, 1)
		assert.ErrorContains(t, err, "no place")
		assert.Equal(t, max(mostCopied/size, 1), tried)
	}
}

// TestOrderOfFunctions: the functions of a subject were sorted for each of them, which took many minutes for 50,000. A draft
// may still move them.
func TestOrderOfFunctions(t *testing.T) {
	cfg := generator.Default()
	cfg.Funcs = 3
	p, err := generator.Generate(cfg)
	require.NoError(t, err)
	s, err := New(p, Raw)
	require.NoError(t, err)
	last, x := s.last(), s.spot()
	assert.Zero(t, testing.AllocsPerRun(10, func() { x.fde(s.last()).next() }))
	d := s.clone()
	x = d.spot()
	for i := range d.base.Funcs {
		d.base.Funcs[i].Start = uint64(0x1000 - i)
	}
	assert.Equal(t, 0, d.last())
	assert.Equal(t, []int{-1, 0, 1}, []int{x.fde(0).next(), x.fde(1).next(), x.fde(2).next()})
	assert.Equal(t, last, s.last())
}
