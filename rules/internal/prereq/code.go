package prereq

import (
	"cmp"
	"debug/elf"
	"slices"
	"sort"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Range is a run of executable addresses: a section or, in a file
// without section headers, a segment.
type Range struct {
	Start, Last uint64 // Last is the last byte: the end of the address space fits no 64 bits
}

// Code is the executable part of a linked file: ranges by start, of which
// none lies in another, so that the last bytes ascend too.
type Code []Range

// CodeRanges gives a rule the Code of its file.
var CodeRanges = Lazy("code", "the executable addresses of a linked file", func(pass *analysis.Pass) Code {
	o, _ := Input(pass)
	return codeOf(o.ELF)
})

// codeOf lists what is executable in a linked file; nil for other objects.
func codeOf(e *reader.ELF) Code {
	if e == nil || e.Relocatable() {
		return nil
	}
	var all Code
	for _, s := range e.Sections {
		if s.Flags&elf.SHF_EXECINSTR != 0 && s.Flags&elf.SHF_ALLOC != 0 {
			all = all.With(s.Addr, s.Size)
		}
	}
	if len(e.Sections) == 0 {
		for _, p := range e.Segments {
			if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 {
				all = all.With(p.Vaddr, p.Memsz)
			}
		}
	}
	return all.Normal()
}

// With adds a range of size bytes; none where it wraps around the address space
// or is empty.
func (all Code) With(start, size uint64) Code {
	if last := start + size - 1; size > 0 && last >= start {
		all = append(all, Range{start, last})
	}
	return all
}

// Normal sorts the ranges and leaves out those that lie in others, as [Code]
// has them.
func (all Code) Normal() Code {
	slices.SortFunc(all, func(a, b Range) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.Last, a.Last))
	})
	kept := all[:0]
	for _, r := range all {
		if len(kept) == 0 || r.Last > kept[len(kept)-1].Last {
			kept = append(kept, r)
		}
	}
	return kept
}

// At returns the last range that starts at or before an address. As the
// last bytes ascend, no other one holds the address where that one does not.
func (all Code) At(addr uint64) (Range, bool) {
	n := sort.Search(len(all), func(i int) bool { return all[i].Start > addr })
	if n == 0 || addr > all[n-1].Last {
		return Range{}, false
	}
	return all[n-1], true
}

// Holds tells whether a function lies in one range. An empty one may stand at
// the end of a range.
func (all Code) Holds(start uint64, size uint32) bool {
	r, ok := all.At(start)
	if !ok && size == 0 && start > 0 {
		_, ok = all.At(start - 1)
		return ok
	}
	return ok && (size == 0 || uint64(size)-1 <= r.Last-start)
}

// Suspects yields the functions that may leave the code: those that start
// between two ranges, and the last one before a range's end. The
// section's functions are disjoint and in order.
func (all Code) Suspects(s *model.Section, yield func(model.FDE)) {
	// after returns the first FDE whose function starts after an address.
	after := func(addr uint64) int {
		return sort.Search(s.NumFDEs(), func(i int) bool { return s.FDE(i).Start() > addr })
	}
	i := 0
	for _, r := range all {
		for ; i < s.NumFDEs() && s.FDE(i).Start() < r.Start; i++ {
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
