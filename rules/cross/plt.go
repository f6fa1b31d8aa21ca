package cross

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// isPLT tells whether a section holds a linker's stubs.
func isPLT(s *reader.Section) bool {
	return isCode(s) && (s.Name == ".iplt" || s.Name == ".plt" || strings.HasPrefix(s.Name, ".plt."))
}

// plts lists the sections of a linked file that hold stubs.
func plts(c *rules.Context) []*reader.Section {
	var all []*reader.Section
	for i := range c.Object.ELF.Sections {
		if s := &c.Object.ELF.Sections[i]; isPLT(s) {
			all = append(all, s)
		}
	}
	return all
}

// pltAlone tells whether all functions of a linked file's section are stubs.
func pltAlone(c *rules.Context) bool {
	if !c.Linked() || c.Section.NumFDEs() == 0 {
		return false
	}
	var all intervals
	for _, s := range plts(c) {
		all.add(s.Addr, s.Size)
	}
	all.join()
	// A PLT has few FDEs, so the first that is not in it comes soon.
	for i := range c.Section.NumFDEs() {
		if !all.holds(c.Section.FDE(i).Start()) {
			return false
		}
	}
	return true
}

// covered is what the functions of a section cover.
func covered(s *model.Section) *intervals {
	var all intervals
	for i := range s.NumFDEs() {
		if f := s.FDE(i); f.Resolved() {
			all.add(f.Start(), uint64(f.Size()))
		}
	}
	all.join()
	return &all
}

// intervals is a set of addresses.
type intervals []interval

type interval struct{ first, last uint64 }

// add adds size bytes from an address on; what wraps around the address space
// counts up to its end.
func (v *intervals) add(start, size uint64) {
	if size > 0 {
		*v = append(*v, interval{start, start + min(size-1, math.MaxUint64-start)})
	}
}

// join sorts the intervals and makes them disjoint, for holds.
func (v *intervals) join() {
	slices.SortFunc(*v, func(a, b interval) int { return cmp.Compare(a.first, b.first) })
	kept := (*v)[:0]
	for _, x := range *v {
		if n := len(kept); n > 0 && x.first <= kept[n-1].last {
			kept[n-1].last = max(kept[n-1].last, x.last)
		} else {
			kept = append(kept, x)
		}
	}
	*v = kept
}

func (v *intervals) holds(addr uint64) bool {
	n := sort.Search(len(*v), func(i int) bool { return (*v)[i].first > addr })
	return n > 0 && addr <= (*v)[n-1].last
}
