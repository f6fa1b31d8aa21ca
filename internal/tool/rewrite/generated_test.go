package rewrite_test

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/plain"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/model"
)

// plans draws plans of valid linked sections without an auxiliary header.
func plans(t *testing.T, n int, use func(rng *rand.Rand, p *generator.Plan)) {
	t.Helper()
	for seed := range uint64(n) {
		rng := rand.New(rand.NewPCG(seed, 15))
		p, err := generator.Generate(generator.Swarm(rng))
		if err != nil || len(p.Funcs) == 0 {
			continue
		}
		p.Aux, p.Relocatable = nil, false
		use(rng, p)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// joined writes the functions of a plan as several sections, one after the other.
func joined(t *testing.T, rng *rand.Rand, p *generator.Plan) (data []byte, n int) {
	t.Helper()
	n = 1 + rng.IntN(4)
	parts := make([][]generator.Func, n)
	for _, f := range p.Funcs {
		k := rng.IntN(n)
		parts[k] = append(parts[k], f)
	}
	for _, funcs := range parts {
		q := p.Clone()
		q.Layout, q.Funcs, q.Addr = nil, funcs, p.Addr+uint64(len(data))
		q.Style = generator.Style{FDEGap: uint32(rng.IntN(2) * 8), FREGap: uint32(rng.IntN(2) * 4), MinFRE: model.FREType(rng.IntN(3)), MinWord: model.WordSize(rng.IntN(2))}
		b, err := generator.Encode(q)
		if err != nil { // a word has no room for MinWord
			q.Style = generator.Style{}
			b, err = generator.Encode(q)
		}
		require.NoError(t, err)
		data = append(data, b...)
		data = append(data, make([]byte, -len(data)&7)...)
	}
	return data, n
}

// meaning returns what functions say, sorted, without rows that repeat the previous one.
func meaning(funcs []generator.Func) []generator.Func {
	all := slices.Clone(funcs)
	for i := range all {
		f := &all[i]
		f.Name, f.FDEType, f.Place = "", 0, 0
		var rows []generator.Row
		for _, r := range f.Rows {
			r.Words, r.Base = nil, 0
			if n := len(rows); n == 0 || rows[n-1].Rules != r.Rules || rows[n-1].Mangled != r.Mangled {
				rows = append(rows, r)
			}
		}
		f.Rows = rows
	}
	slices.SortStableFunc(all, func(a, b generator.Func) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Size, b.Size), cmp.Compare(len(a.Rows), len(b.Rows)))
	})
	return all
}

func build(t *testing.T, data []byte, addr uint64, opts rewrite.Changes) (*rewrite.Result, error) {
	t.Helper()
	pieces := must.Get(rewrite.Split(data, addr, false))(t)
	return rewrite.Build(pieces, opts)
}

func planOf(t *testing.T, r *rewrite.Result) *generator.Plan {
	t.Helper()
	p := must.Get(generator.FromModel(r.Section))(t)
	require.False(t, p.Relocatable)
	return p
}

// Sections that are split and merged again say the same, as does what is written in as
// few bytes as possible, and that does not change any more.
func TestMergedSaysTheSame(t *testing.T) {
	several, oracle, shared := 0, 0, 0
	plans(t, 400, func(rng *rand.Rand, p *generator.Plan) {
		data, n := joined(t, rng, p)
		r := must.Get(build(t, data, p.Addr, rewrite.Changes{}))(t)
		assert.Equal(t, n, r.Sections)
		assert.LessOrEqual(t, len(r.Data), len(data))
		q := planOf(t, r)
		assert.NotZero(t, q.Flags&model.SFRAME_F_FDE_SORTED)
		if r.Repeated == 0 {
			assert.Equal(t, meaning(p.Funcs), meaning(q.Funcs))
		}
		if n > 1 {
			several++
		}

		narrow := must.Get(build(t, r.Data, p.Addr, rewrite.Changes{Narrow: true}))(t)
		assert.LessOrEqual(t, len(narrow.Data), len(r.Data))
		if narrow.Joined == 0 && narrow.Repeated == 0 {
			assert.Equal(t, meaning(q.Funcs), meaning(planOf(t, narrow).Funcs))
			assert.Equal(t, answers(t, r, r), answers(t, narrow, r))
		}
		shared += narrow.Shared
		again := must.Get(build(t, narrow.Data, p.Addr, rewrite.Changes{Narrow: true}))(t)
		assert.Equal(t, narrow.Data, again.Data, "%+v %+v", narrow, again)

		if want, ok := canonical(q); ok && narrow.Joined+narrow.Repeated+narrow.FREs+narrow.Shared == 0 {
			assert.Equal(t, want, narrow.Data, "not as the generator writes it")
			oracle++
		}
	})
	assert.Greater(t, several, 100)
	assert.Greater(t, oracle, 100)
	assert.Greater(t, shared, 100)
}

// answers returns what the plain decoder, which shares no code with this one, finds in a section
// at the start of each row of another one, and before it.
func answers(t *testing.T, r, points *rewrite.Result) (all []plain.Found) {
	s, err := plain.Decode(r.Data, r.Section.Addr())
	if errors.Is(err, plain.ErrMeaning) {
		return nil
	}
	require.NoError(t, err)
	for f := range points.Section.FDEs() {
		for row := range f.FREs() {
			for _, pc := range []uint64{f.Start() + uint64(row.Start()), f.Start() + uint64(row.Start()) - 1} {
				found := s.Lookup(pc)
				if found.Row != nil {
					found.Row.Start = 0 // of two rows that say the same, one is enough
				}
				all = append(all, found)
			}
		}
	}
	return all
}

// canonical returns what the generator writes for a plan of default FDEs.
func canonical(p *generator.Plan) ([]byte, bool) {
	q := p.Clone()
	q.Layout = nil
	for i := range q.Funcs {
		for k := range q.Funcs[i].Rows {
			r := &q.Funcs[i].Rows[k]
			if !r.Rules.Valid() {
				return nil, false
			}
		}
		q.FitType(&q.Funcs[i])
		if q.Funcs[i].FDEType != p.Funcs[i].FDEType {
			return nil, false
		}
	}
	b, err := generator.Encode(q)
	return b, err == nil
}

// A section is converted if the generator can convert it, and then says the same.
func TestConvertedSaysTheSame(t *testing.T) {
	done, failed := 0, 0
	plans(t, 400, func(rng *rand.Rand, p *generator.Plan) {
		data, _ := joined(t, rng, p)
		for _, v := range []model.Version{model.SFRAME_VERSION_2, model.SFRAME_VERSION_3} {
			_, werr := generator.Convert(p, v)
			r, err := build(t, data, p.Addr, rewrite.Changes{Version: v})
			if werr != nil && v != p.Version {
				if !strings.Contains(werr.Error(), "bytes away") { // it may be nearer here
					assert.Error(t, err, "%v", werr)
				}
				failed++
				continue
			}
			if !assert.NoError(t, err) {
				return
			}
			q := planOf(t, r)
			assert.Equal(t, v, q.Version)
			if r.Repeated == 0 {
				assert.Equal(t, meaning(p.Funcs), meaning(q.Funcs))
			}
			done++
		}
	})
	assert.Greater(t, done, 200)
	assert.Greater(t, failed, 20)
}
