package prereq

import (
	"sort"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Code is the executable part of a linked file: a range for each section or,
// in a file without section headers, for each segment.
type Code struct{ reader.AddrRanges }

// CodeRanges gives a rule the Code of its file; other objects have none.
var CodeRanges = OfObject("code", "the executable addresses of a linked file", func(pass *analysis.Pass) Code {
	if o, _ := Input(pass); o.ELF != nil {
		return Code{o.ELF.ExecRanges()}
	}
	return Code{}
})

// Suspects yields the functions that may leave the code: those that start
// between two ranges, and the last one before the end of a range. The
// section's functions are disjoint and in order.
func (c Code) Suspects(s *model.Section, yield func(model.FDE)) {
	// after returns the first FDE whose function starts after an address.
	after := func(addr uint64) int {
		return sort.Search(s.NumFDEs(), func(i int) bool { return s.FDE(i).Start() > addr })
	}
	i := 0
	for _, r := range c.AddrRanges {
		for ; i < s.NumFDEs() && s.FDE(i).Start() < r.First; i++ {
			yield(s.FDE(i))
		}
		if n := after(r.Last); n > i {
			yield(s.FDE(n - 1))
			i = n
		}
	}
	for ; i < s.NumFDEs(); i++ {
		yield(s.FDE(i))
	}
}
