package prereq

import (
	"cmp"
	"math/bits"
	"slices"
)

const digitBits = 11

// few is the number of items below which a sort by comparison is faster.
const few = 256

// sortByKey sorts the items by their keys, which are cheap to compute. Items of one key
// keep their order. It takes a few passes over the items, where a sort by comparison takes
// one for each doubling of their number.
func sortByKey[T any](items []T, key func(T) uint64) {
	byKey := func(a, b T) int { return cmp.Compare(key(a), key(b)) }
	switch {
	case slices.IsSortedFunc(items, byKey):
		return
	case len(items) < few:
		slices.SortStableFunc(items, byKey)
		return
	}
	differ := uint64(0) // bits that are not the same in all keys
	for i := range items {
		differ |= key(items[i]) ^ key(items[0])
	}
	from, to := items, make([]T, len(items))
	for shift := bits.TrailingZeros64(differ); shift < 64; shift += digitBits {
		if differ>>shift&(1<<digitBits-1) == 0 {
			continue
		}
		var next [1 << digitBits]int // where the next item with a digit goes
		for i := range from {
			next[key(from[i])>>shift&(1<<digitBits-1)]++
		}
		sum := 0
		for d, n := range next {
			next[d], sum = sum, sum+n
		}
		for i := range from {
			d := key(from[i]) >> shift & (1<<digitBits - 1)
			to[next[d]] = from[i]
			next[d]++
		}
		from, to = to, from
	}
	if &from[0] != &items[0] {
		copy(items, from)
	}
}
