package rewrite_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Every byte of a valid section has a part, and what is saved has a cause.
func TestMeasure(t *testing.T) {
	measured, shared, repeated := 0, int64(0), int64(0)
	plans(t, 300, func(rng *rand.Rand, p *generator.Plan) {
		data, n := joined(t, rng, p)
		o := &reader.Object{SFrames: []*reader.SFrame{reader.DecodeSFrame(data, reader.SectionOptions{Addr: p.Addr})}}
		z := must.Get(rewrite.Measure(o, o.SFrames[0], 3))(t)
		assert.EqualValues(t, len(data), z.Bytes)
		assert.EqualValues(t, n*28, z.Parts.Header)
		assert.GreaterOrEqual(t, z.Parts.Other, int64(0))
		c := z.Costs
		assert.Equal(t, z.Bytes-z.Least, c.Repeated+c.Starts+c.Words+c.Shared+c.Rest)
		if z.Reason != "" {
			return
		}
		measured++
		shared, repeated = shared+c.Shared, repeated+c.Repeated
		r := must.Get(build(t, data, p.Addr, rewrite.Changes{Narrow: true}))(t)
		assert.EqualValues(t, len(r.Data), z.Least)
		if n == 1 && r.Joined+r.Repeated == 0 {
			q := reader.DecodeSFrame(r.Data, reader.SectionOptions{Addr: p.Addr})
			least := must.Get(rewrite.Measure(&reader.Object{SFrames: []*reader.SFrame{q}}, q, 0))(t)
			assert.Zero(t, least.Costs, "what was written has no costs")
			assert.GreaterOrEqual(t, c.Rest, int64(0))
		}
	})
	assert.Greater(t, measured, 100)
	assert.Positive(t, shared)
	assert.Positive(t, repeated)
}
