package generator_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// TestDefaultIsPlausible draws many sections by default knobs, for every
// version and ABI: there is nothing to remark about any of them.
func TestDefaultIsPlausible(t *testing.T) {
	for _, abi := range model.ABIs() {
		for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
			if !abi.InVersion(v) {
				continue
			}
			c := generator.Default()
			c.Version, c.ABI = int64(v), int64(abi.ID)
			for c.Seed = range int64(500) {
				p, err := generator.Generate(c)
				require.NoError(t, err)
				require.NoError(t, generator.Valid(p), "%s %v seed %d", abi.Name, v, c.Seed)
				require.NoError(t, generator.Plausible(p), "%s %v seed %d", abi.Name, v, c.Seed)
			}
		}
	}
}

// TestSwarmIsValid draws sections of every kind: they may be odd, but not
// wrong.
func TestSwarmIsValid(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		c := generator.Swarm(rnd)
		p, err := generator.Generate(c)
		require.NoError(t, err, "%+v", c)
		require.NoError(t, generator.Valid(p), "%+v", c)
	}
}

func TestSameKnobsSameSection(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		c := generator.Swarm(rnd)
		a, err := generator.Generate(c)
		require.NoError(t, err)
		b, err := generator.Generate(c)
		require.NoError(t, err)
		assert.Equal(t, a, b)
	}
}
