package compare_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/compare"
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

func unitOf(t *testing.T, p *generator.Plan) *compare.Unit {
	t.Helper()
	f, err := generator.WrapExec(p)
	require.NoError(t, err)
	var u *compare.Unit
	require.NoError(t, reader.ScanReader("x", bytes.NewReader(f.Bytes), int64(len(f.Bytes)), reader.Options{}, func(o *reader.Object) error {
		u = compare.UnitOf(o)
		return nil
	}))
	return u
}

// A version says the same as another one that a plan is converted to, until
// one row of one function says something else.
func TestConvertedIsEqual(t *testing.T) {
	compared := 0
	for seed := range int64(40) {
		c := generator.Default()
		c.Seed, c.Version, c.ABI = seed, 3, 3
		c.Flexible, c.Empty, c.Signal, c.Funcs = 0, 0, 0, 5
		p, err := generator.Generate(c)
		require.NoError(t, err)
		q, err := generator.Convert(p, model.SFRAME_VERSION_2)
		if err != nil {
			continue // version 2 has no words for it
		}
		a := unitOf(t, p)
		require.Empty(t, compare.Diff(a, unitOf(t, q)), "seed %d", seed)
		require.Equal(t, 5, len(a.Functions))
		compared++

		f := int(seed) % len(q.Funcs)
		if len(q.Funcs[f].Rows) == 0 {
			continue
		}
		row := &q.Funcs[f].Rows[int(seed)%len(q.Funcs[f].Rows)]
		row.Rules.CFA.Offset += 8
		row.Words = nil
		changed := compare.Diff(a, unitOf(t, q))
		if row.Rules.Outermost() {
			continue
		}
		require.NotEmpty(t, changed, "seed %d", seed)
		for _, d := range changed {
			assert.Equal(t, compare.Rules, d.Kind)
			assert.Equal(t, changed[0].Function, d.Function, "one function alone")
		}
	}
	assert.Greater(t, compared, 10)
}
