package properties

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// TestDrawnStacks checks that the drawn stacks are deep and end for every reason
// that a valid section can give.
func TestDrawnStacks(t *testing.T) {
	ends, deepest := map[unwind.Reason]int{}, map[string]int{}
	for seed := range int64(600) {
		conf := generator.Default()
		conf.Seed = seed
		conf.Version = model.Version(1 + seed%3)
		conf.ABI = model.ABI(1 + seed/3%4)
		conf.Signal, conf.Flexible, conf.OtherBase, conf.Empty = 30, 30, 30, 10
		p, err := generator.Generate(conf)
		if err != nil {
			continue // V1 has no s390x
		}
		b, err := generator.Encode(p)
		require.NoError(t, err)
		s, err := decode(p, b)
		require.NoError(t, err)
		for stack := range uint64(20) {
			d := &drawn{p: p, s: s, seed: stack << 20, bias: stack << 12}
			c := unwind.New(p.ABIInfo(), d, d, d, unwind.Options{MaxFrames: maxSteps})
			for c.Step() == nil {
			}
			ends[c.Step().Reason]++
			where := p.ABIInfo().Name + p.Version.String()
			deepest[where] = max(deepest[where], c.Frame().Index)
		}
	}
	for _, r := range []unwind.Reason{unwind.Outermost, unwind.ZeroPC, unwind.NoFDE,
		unwind.TopmostOnly, unwind.UnsavedRA, unwind.Unreadable, unwind.NotAdvancing} {
		assert.Positive(t, ends[r], r)
	}
	assert.Len(t, deepest, 8, "versions of ABIs")
	for where, depth := range deepest {
		assert.Greater(t, depth, 3, where)
	}
	t.Log(ends, deepest)
}
