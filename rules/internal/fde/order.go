package fde

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/rules"
)

// function is the part of an FDE that comparisons need.
type function struct {
	start uint64
	size  uint32
	place int32
	fde   int32
}

func compare(f, g function) int {
	return cmp.Or(cmp.Compare(f.place, g.place), cmp.Compare(f.start, g.start), cmp.Compare(f.fde, g.fde))
}

// byStart returns the functions whose start is known, by place and start.
func byStart(c *rules.Context) []function {
	s := c.Section
	all := make([]function, 0, s.NumFDEs())
	for i := range s.NumFDEs() {
		if f := s.FDE(i); f.Resolved() {
			all = append(all, function{f.Start(), f.Size(), int32(f.Place()), int32(i)})
		}
	}
	if !s.StartsAscend() {
		slices.SortFunc(all, compare)
	}
	return all
}
