package reader

import (
	"cmp"
	"slices"
	"sort"
)

// interval is a range of addresses that belongs to something.
type interval struct {
	id          int32
	first, last uint64
	reach       uint64 // the largest last up to here
}

// intervals finds what covers an address. Ranges may overlap.
type intervals struct{ list []interval }

// maxSteps is how many ranges that start at or before an address are looked
// at in search of one that covers it. Nesting is never that deep but in a
// table that is made to slow down its readers.
const maxSteps = 64

func (t *intervals) add(first, last uint64, id int32) {
	t.list = append(t.list, interval{id: id, first: first, last: last})
}

// sort makes the table ready. Of ranges that start together, the one that was
// added first is found first.
func (t *intervals) sort() {
	slices.SortFunc(t.list, func(a, b interval) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(b.id, a.id))
	})
	for i := range t.list {
		x := &t.list[i]
		x.reach = x.last
		if i > 0 {
			x.reach = max(x.reach, t.list[i-1].reach)
		}
	}
}

// covering returns the id of the range that starts last among those that
// contain the address.
func (t *intervals) covering(addr uint64) (int32, bool) {
	n := sort.Search(len(t.list), func(i int) bool { return t.list[i].first > addr })
	for i := n - 1; i >= 0 && i >= n-maxSteps; i-- {
		x := &t.list[i]
		if x.reach < addr {
			break
		}
		if x.last >= addr {
			return x.id, true
		}
	}
	return 0, false
}
