package cfi

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/reader"
)

// TestSweep compares the pieces of random intervals with a look at each PC.
func TestSweep(t *testing.T) {
	type at struct {
		place uint32
		pc    uint64
	}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		random := func() []interval {
			var out []interval
			for i := range r.IntN(8) {
				start := r.Uint64N(40)
				out = append(out, interval{start, start + r.Uint64N(12), uint32(r.IntN(3)), 0, int32(i)})
			}
			return out
		}
		// owners finds the interval of each PC as consumers do.
		owners := func(in []interval) map[at]int64 {
			slices.SortStableFunc(in, func(a, b interval) int { return int(a.start) - int(b.start) })
			m := map[at]int64{}
			for place := range uint32(3) {
				for pc := range uint64(60) {
					last := -1
					for i, v := range in {
						if v.place == place && v.start <= pc {
							last = i
						}
					}
					if last >= 0 && in[last].end > pc {
						m[at{place, pc}] = int64(in[last].id)
					}
				}
			}
			return m
		}
		as, bs := random(), random()
		wantA, wantB := owners(slices.Clone(as)), owners(slices.Clone(bs))
		gotA, gotB := map[at]int64{}, map[at]int64{}
		last := at{}
		sweep(disjoint(as), disjoint(bs), func(a, b *interval, start, end uint64) {
			require.Less(t, start, end, "seed %d", seed)
			for pc := start; pc < end; pc++ {
				if a != nil {
					last = at{a.place, pc}
					gotA[last] = int64(a.id)
				}
				if b != nil {
					last = at{b.place, pc}
					gotB[last] = int64(b.id)
				}
			}
		})
		require.Equal(t, wantA, gotA, "seed %d", seed)
		require.Equal(t, wantB, gotB, "seed %d", seed)
	}
}

// TestKnownRows keeps the rules of FREs apart whose bytes differ.
func TestKnownRows(t *testing.T) {
	files, err := filepath.Glob("../../../corpus/files/*/*/*")
	require.NoError(t, err)
	rows := 0
	for _, file := range files {
		if fi, err := os.Stat(file); err != nil || !fi.Mode().IsRegular() {
			continue
		}
		err := reader.Scan(file, reader.Options{}, func(o *reader.Object) error {
			for _, f := range o.SFrames {
				if f.Section == nil {
					continue
				}
				var c freCursor
				for d := range f.Section.FDEs() {
					c.reset(d)
					for r := range d.FREs() {
						require.Equal(t, r.Row(), *c.rules(r), "%s, FDE %d, FRE %d", file, d.Index(), r.Index())
						rows++
					}
				}
			}
			return nil
		})
		require.NoError(t, err)
	}
	require.Greater(t, rows, 2000)
}
