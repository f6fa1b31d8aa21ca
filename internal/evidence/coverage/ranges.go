package coverage

import (
	"cmp"
	"slices"
	"sort"
)

// span is a range of one section: addresses, or offsets in a relocatable file.
type span struct {
	section    int
	start, end uint64
}

func (s span) size() uint64 { return s.end - s.start }

// compare orders ranges by their starts; of two with one start, the longer one is first.
func (s span) compare(t span) int {
	return cmp.Or(cmp.Compare(s.section, t.section), cmp.Compare(s.start, t.start), cmp.Compare(t.end, s.end))
}

// spans are ranges by place.
type spans []span

// union sorts the ranges and joins those that overlap or touch.
func (s spans) union() spans {
	slices.SortFunc(s, span.compare)
	out := s[:0]
	for _, x := range s {
		if n := len(out); n > 0 && out[n-1].section == x.section && x.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, x.end)
			continue
		}
		out = append(out, x)
	}
	return out
}

// from returns the index of the first range of a union that ends after the start of x.
func (s spans) from(x span) int {
	return sort.Search(len(s), func(i int) bool {
		return s[i].section > x.section || s[i].section == x.section && s[i].end > x.start
	})
}

// within returns how many bytes of x a union has.
func (s spans) within(x span) (n uint64) {
	for i := s.from(x); i < len(s) && s[i].section == x.section && s[i].start < x.end; i++ {
		n += min(s[i].end, x.end) - max(s[i].start, x.start)
	}
	return n
}

// total returns the bytes of a union.
func (s spans) total() (n uint64) {
	for _, x := range s {
		n += x.size()
	}
	return n
}
