package compare_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/tool/compare"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

func unitOf(t *testing.T, p *generator.Plan) *compare.Unit {
	t.Helper()
	f, err := generator.WrapExec(p)
	require.NoError(t, err)
	var u *compare.Unit
	require.NoError(t, reader.ScanReader("x", bytes.NewReader(f.Bytes), int64(len(f.Bytes)), reader.Options{}, func(o *reader.Object) error {
		u, err = loader.UnitOf(o)
		return err
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
		require.Equal(t, 5, a.NumFunctions())
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

// FDEs that claim very many stubs each must not take memory for all of them.
func TestStubsAreBounded(t *testing.T) {
	abi := model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	entry := model.Row{
		CFA: model.Recovery{Kind: model.InRegister, Reg: abi.SP, Offset: 8},
		RA:  model.Recovery{Kind: model.FromCFA, Deref: true, Offset: -8},
		FP:  model.Recovery{Kind: model.Unchanged},
	}
	pushed := entry
	pushed.CFA.Offset = 16
	p := &generator.Plan{
		Version: model.SFRAME_VERSION_3, ABI: abi.ID, FixedRA: abi.FixedRA, Addr: 0x1000,
		Flags: model.SFRAME_F_FDE_FUNC_START_PCREL | model.SFRAME_F_FDE_SORTED,
	}
	for i := range 200 {
		p.Funcs = append(p.Funcs, generator.Func{
			Start: 0x100000 + uint64(i)*0x40000, Size: 0x40000, PCType: model.SFRAME_FDE_PCTYPE_MASK, RepSize: 16,
			Rows: []generator.Row{{Rules: entry}, {Start: 6, Rules: pushed}},
		})
	}
	u := unitOf(t, p)
	require.Equal(t, 200, u.NumFunctions())
	assert.Less(t, testkit.Allocated(func() { assert.Empty(t, compare.Diff(u, u)) }), uint64(64<<10))
}
