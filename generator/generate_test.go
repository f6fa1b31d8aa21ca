package generator_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

func TestSameKnobsSameSection(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		c := generator.SwarmWide(rnd)
		a, err := generator.Generate(c)
		require.NoError(t, err)
		b, err := generator.Generate(c)
		require.NoError(t, err)
		assert.Equal(t, a, b)
	}
}

// TestUnsortedIsUnsorted: where there is an order to break.
func TestUnsortedIsUnsorted(t *testing.T) {
	c := generator.Default()
	c.Sorted, c.Funcs = false, 2
	for c.Seed = range int64(20) {
		p, err := generator.Generate(c)
		require.NoError(t, err)
		assert.Greater(t, p.Funcs[0].Start, p.Funcs[1].Start)
		assert.Zero(t, p.Flags&model.SFRAME_F_FDE_SORTED)
	}
	c.Funcs = 1
	p, err := generator.Generate(c)
	require.NoError(t, err)
	assert.NotZero(t, p.Flags&model.SFRAME_F_FDE_SORTED, "one function is always in order")
}

// TestStyle sees each way of writing in the bytes.
func TestStyle(t *testing.T) {
	c := generator.Default()
	c.FREType, c.WordSize, c.FDEGap, c.FREGap, c.Trailing, c.Reverse = 1, 2, 3, 5, 7, true
	p, err := generator.Generate(c)
	require.NoError(t, err)
	_, s, wrong := encoded(p)
	require.Empty(t, wrong)
	h := s.Header()
	assert.EqualValues(t, 3, h.FDEOff)
	assert.EqualValues(t, 3+16*h.NumFDEs+5, h.FREOff)
	assert.Equal(t, s.FRESubsection().End()+7, s.Size())
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		assert.NotEqual(t, model.SFRAME_FRE_TYPE_ADDR1, f.FREType())
		if i > 0 {
			assert.Equal(t, s.FDE(i-1).StartFREOff(), f.StartFREOff()+uint32(f.DataSpan().Len))
		}
		for r := range f.FREs() {
			assert.Equal(t, model.SFRAME_FRE_DATAWORD_4B, r.WordSize())
		}
	}
}

// TestNoRoom has functions that find no place.
func TestNoRoom(t *testing.T) {
	c := generator.Default()
	c.Addr, c.Distance = 0x1000, -0x10000
	_, err := generator.Generate(c)
	assert.ErrorContains(t, err, "no room")
	c = generator.Default()
	c.Version, c.Distance = 2, 1<<31
	_, err = generator.Generate(c)
	assert.ErrorContains(t, err, "out of the reach")
}
