package generator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// made generates sections of some knobs from several seeds.
func made(t *testing.T, knobs map[string]int64, each func(*generator.Plan)) {
	t.Helper()
	c := generator.Default()
	for name, v := range knobs {
		require.NoError(t, generator.LookupKnob(name).Put(&c, v), name)
	}
	for c.Seed = range int64(30) {
		p, err := generator.Generate(c)
		require.NoError(t, err)
		require.NoError(t, generator.Valid(p))
		_, err = generator.Encode(p)
		require.NoError(t, err)
		each(p)
	}
}

func TestHighAddresses(t *testing.T) {
	made(t, map[string]int64{"high": 1}, func(p *generator.Plan) {
		assert.Equal(t, uint64(0xffff_ffff_8040_0000), p.Addr)
		assert.Greater(t, p.Funcs[0].Start, p.Addr)
	})
	made(t, map[string]int64{"high": 1, "addr": 1 << 62}, func(p *generator.Plan) {
		assert.Equal(t, uint64(3)<<62, p.Addr)
	})
}

// TestAround: some functions lie below the section and some above it, in the
// order of their addresses and each as far away as the knob says.
func TestAround(t *testing.T) {
	for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
		for _, distance := range []int64{0x20000, -0x20000} {
			made(t, map[string]int64{"version": int64(v), "around": 25, "distance": distance, "stubs": 0}, func(p *generator.Plan) {
				below := 0
				for i := range p.Funcs {
					f := &p.Funcs[i]
					if f.Start < p.Addr {
						below++
						assert.LessOrEqual(t, f.Start+uint64(f.Size), p.Addr-0x20000)
					} else {
						assert.GreaterOrEqual(t, f.Start, p.Addr+0x20000)
					}
				}
				want := 2
				if distance < 0 {
					want = 6
				}
				assert.Equal(t, want, below)
				assert.NotZero(t, p.Flags&model.SFRAME_F_FDE_SORTED)
			})
		}
	}
	// Without room below, all stay above.
	made(t, map[string]int64{"addr": 0, "around": 50}, func(p *generator.Plan) {
		assert.Greater(t, p.Funcs[0].Start, p.Addr)
	})
}

// TestLong reaches the most rows that sfda_func_num_fres can count.
func TestLong(t *testing.T) {
	c := generator.Default()
	c.Funcs, c.Rows, c.FuncSize, c.Long, c.Stubs, c.Flexible = 3, 65535, 1<<31, 100, 0, 0
	most := 0
	for c.Seed = range int64(12) {
		p, err := generator.Generate(c)
		require.NoError(t, err)
		for i := range p.Funcs {
			most = max(most, len(p.Funcs[i].Rows))
		}
	}
	assert.Greater(t, most, 65530)
}

func TestRareShapes(t *testing.T) {
	seen := map[string]bool{}
	note := func(p *generator.Plan) {
		abi := p.ABIInfo().Name
		for i := range p.Funcs {
			f := &p.Funcs[i]
			if n := len(f.Rows); n > 1 && f.Rows[n-1].Rules.RA.Kind == model.Undefined {
				seen["outermost at the end"] = true
			}
			if f.PCType == model.SFRAME_FDE_PCTYPE_MASK && len(f.Rows) > 2 {
				seen["stub with rows"] = true
			}
			for _, r := range f.Rows {
				ra, fp, cfa := r.Rules.RA, r.Rules.FP, r.Rules.CFA
				seen[abi+" RA from a register"] = seen[abi+" RA from a register"] || ra.Kind == model.InRegister && ra.Deref
				seen[abi+" CFA in memory"] = seen[abi+" CFA in memory"] || cfa.Deref
				seen[abi+" FP alone in a register"] = seen[abi+" FP alone in a register"] ||
					fp.Kind == model.InRegister && !fp.Deref && ra.Kind == model.Unchanged
			}
		}
		seen["FRAME_POINTER"] = seen["FRAME_POINTER"] || p.Flags&model.SFRAME_F_FRAME_POINTER != 0
	}
	for _, abi := range model.ABIs() {
		made(t, map[string]int64{"abi": int64(abi.ID), "rare": 100, "flexible": 100, "registers": 100,
			"late-outermost": 30, "stub-rows": 9, "stubs": 30}, note)
		made(t, map[string]int64{"version": 2, "abi": int64(abi.ID), "rare": 100, "registers": 100, "frame-pointer": 1}, note)
	}
	for _, want := range []string{
		"outermost at the end", "stub with rows", "FRAME_POINTER", "AMD64 RA from a register", "AMD64 CFA in memory",
		"AArch64 RA from a register", "AArch64 CFA in memory", "s390x FP alone in a register",
	} {
		assert.True(t, seen[want], want)
	}
}

// TestUnsortedReach: the start fields hold the starts in the order in which
// the functions are written, or it is an error.
func TestUnsortedReach(t *testing.T) {
	c := generator.Default()
	c.Version, c.Sorted, c.Funcs, c.FuncSize, c.Gap, c.Rows, c.Stubs = 2, false, 2000, 4, 0, 1, 0
	c.Addr, c.Distance = 1<<33, 1<<31-50_750
	refused := 0
	for c.Seed = range int64(20) {
		p, err := generator.Generate(c)
		if err != nil {
			refused++
			continue
		}
		_, err = generator.Encode(p)
		require.NoError(t, err)
	}
	assert.NotZero(t, refused)
}
