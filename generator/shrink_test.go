package generator_test

import (
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/gen"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// counterexample tries a property that does not hold until it fails, and
// returns what gopter has shrunk the plan to, with the plan that failed
// first.
func counterexample(t *testing.T, gen gopter.Gen, property func(*generator.Plan) bool) (small, first *generator.Plan) {
	t.Helper()
	params := gopter.DefaultTestParametersWithSeed(1)
	params.MinSuccessfulTests, params.MaxShrinkCount = 20000, 100000
	r := prop.ForAll(property, gen).Check(params)
	require.Equal(t, gopter.TestFailed, r.Status)
	return r.Args[0].Arg.(*generator.Plan), r.Args[0].OrigArg.(*generator.Plan)
}

// size returns the number of bytes of a plan's section.
func size(t *testing.T, p *generator.Plan) int {
	t.Helper()
	b, err := generator.Encode(p)
	require.NoError(t, err)
	return len(b)
}

// TestShrink plants a bug in a property: what is left must be the one row
// that matters and what a valid section needs around it.
func TestShrink(t *testing.T) {
	fpBase48 := func(p *generator.Plan) bool {
		for i := range p.Funcs {
			for _, r := range p.Funcs[i].Rows {
				if cfa := r.Rules.CFA; cfa.Kind == model.InRegister && cfa.Reg == p.ABIInfo().FP && !cfa.Deref && cfa.Offset == 48 {
					return false
				}
			}
		}
		return true
	}
	c := generator.Default()
	c.ABI, c.Funcs, c.Rows, c.FDEGap, c.Aux = model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, 20, 40, 8, 3
	p, first := counterexample(t, gen.PlansOf(c), fpBase48)
	assert.Greater(t, len(first.Funcs), 1)
	require.Len(t, p.Funcs, 1)
	assert.Len(t, p.Funcs[0].Rows, 1)
	assert.NoError(t, generator.Valid(p))
	assert.Empty(t, p.Aux)
	assert.EqualValues(t, 4, p.Funcs[0].Size, "no code that no row needs")
	assert.LessOrEqual(t, size(t, p), 64)
}

// TestShrinkThroughBytes plants a bug in what is written: the counterexample
// is read back after each step.
func TestShrinkThroughBytes(t *testing.T) {
	p, _ := counterexample(t, gen.Plans(), func(p *generator.Plan) bool {
		b, err := generator.Encode(p)
		if err != nil {
			return false
		}
		s, _ := reader.DecodeSection(b, reader.SectionOptions{Addr: p.Addr})
		wide := 0
		for i := range s.NumFDEs() {
			for r := range s.FDE(i).FREs() {
				if r.WordSize() == model.SFRAME_FRE_DATAWORD_4B && s.Version() == model.SFRAME_VERSION_3 {
					wide++
				}
			}
		}
		return wide < 2
	})
	assert.Equal(t, model.SFRAME_VERSION_3, p.Version)
	assert.NoError(t, generator.Valid(p))
	assert.LessOrEqual(t, p.NumFREs(), 4)
	assert.Less(t, len(p.String()), 600)
	assert.LessOrEqual(t, size(t, p), 100, p.String())
}

// TestShrinkConfig brings all knobs but those that matter to their defaults.
func TestShrinkConfig(t *testing.T) {
	params := gopter.DefaultTestParametersWithSeed(2)
	params.MaxShrinkCount = 10000
	r := prop.ForAll(func(c generator.Config) bool { return c.Aux < 40 || c.Version != 2 }, gen.Configs()).Check(params)
	require.Equal(t, gopter.TestFailed, r.Status)
	want := generator.Default()
	want.Version, want.Aux = 2, 40
	got := r.Args[0].Arg.(generator.Config)
	assert.LessOrEqual(t, got.Aux, int64(80))
	want.Aux = got.Aux
	assert.Equal(t, want, got)
}
