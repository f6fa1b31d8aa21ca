package prereq

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

type item struct {
	key uint64
	at  int
}

// TestSortByKey compares with the stable sort of the standard library.
func TestSortByKey(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, mask := range []uint64{0, 1, 0xff, 0xfff000, 1<<40 - 1, 1 << 63, ^uint64(0)} {
		for _, n := range []int{0, 1, 2, 255, 256, 257, 5000} {
			items := make([]item, n)
			for i := range items {
				items[i] = item{random.Uint64()&mask | 7<<33, i}
			}
			want := slices.Clone(items)
			slices.SortStableFunc(want, func(a, b item) int { return cmp.Compare(a.key, b.key) })
			sortByKey(items, func(x item) uint64 { return x.key })
			require.Equal(t, want, items, "%x, %d items", mask, n)
		}
	}
}
