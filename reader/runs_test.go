package reader

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

func TestOrderRuns(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	seen := map[bool]int{}
	for range 2000 {
		size := 1 + rnd.IntN(400)
		var runs []model.Span
		for range rnd.IntN(8) {
			off := rnd.IntN(size)
			runs = append(runs, model.Span{Off: int64(off), Len: int64(1 + rnd.IntN(min(size-off, 90)))})
		}
		claims := make([]int, size)
		for _, r := range runs {
			for i := r.Off; i < r.End(); i++ {
				claims[i]++
			}
		}
		got, shared := orderRuns(slices.Clone(runs), size)
		require.Equal(t, slices.Max(claims) > 1, shared, "%v", runs)
		require.True(t, slices.IsSortedFunc(got, func(a, b model.Span) int { return cmp.Compare(a.Off, b.Off) }))
		covered := make([]bool, size)
		for _, r := range got {
			for i := r.Off; i < r.End(); i++ {
				covered[i] = true
			}
		}
		for i, n := range claims {
			require.Equal(t, n > 0, covered[i], "%v: byte %d", runs, i)
		}
		seen[shared]++
	}
	require.Greater(t, min(seen[false], seen[true]), 200)
}
