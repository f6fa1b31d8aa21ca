package reader

import (
	"cmp"
	"slices"
	"sort"
)

// interval is a range of addresses of one space that belongs to something.
type interval struct {
	space       uint32 // ranges of different spaces don't compare
	id          int32
	first, last uint64
	reach       uint64 // the largest last up to here, in the space
}

// intervals finds what covers an address. Ranges may overlap.
type intervals struct{ list []interval }

// maxSteps is how many ranges that start at or before an address are looked
// at in search of one that covers it. Nesting is never that deep but in a
// table that is made to slow down its readers.
const maxSteps = 64

func (t *intervals) add(space uint32, first, last uint64, id int32) {
	t.list = append(t.list, interval{space: space, id: id, first: first, last: last})
}

// sort makes the table ready. Of ranges that start together, the one that
// better puts last is found first.
func (t *intervals) sort(better func(a, b int32) int) {
	slices.SortFunc(t.list, func(a, b interval) int {
		if c := cmp.Or(cmp.Compare(a.space, b.space), cmp.Compare(a.first, b.first)); c != 0 {
			return c
		}
		if better != nil {
			if c := better(a.id, b.id); c != 0 {
				return c
			}
		}
		return cmp.Compare(b.id, a.id) // the earlier one wins
	})
	for i := range t.list {
		x := &t.list[i]
		x.reach = x.last
		if i > 0 && t.list[i-1].space == x.space {
			x.reach = max(x.reach, t.list[i-1].reach)
		}
	}
}

// upTo returns how many ranges start at addr or before it, with those of the
// previous spaces.
func (t *intervals) upTo(space uint32, addr uint64) int {
	return sort.Search(len(t.list), func(i int) bool {
		x := &t.list[i]
		return x.space > space || x.space == space && x.first > addr
	})
}

// covering returns the id of the range that starts last among those that
// contain the address.
func (t *intervals) covering(space uint32, addr uint64) (int32, bool) {
	return t.match(space, addr, func(int32) bool { return true })
}

// match is covering for ranges whose id ok takes.
func (t *intervals) match(space uint32, addr uint64, ok func(int32) bool) (int32, bool) {
	n := t.upTo(space, addr)
	for i := n - 1; i >= 0 && i >= n-maxSteps; i-- {
		x := &t.list[i]
		if x.space != space || x.reach < addr {
			break
		}
		if x.last >= addr && ok(x.id) {
			return x.id, true
		}
	}
	return 0, false
}
