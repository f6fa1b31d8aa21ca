package fde

import (
	"cmp"
	"debug/elf"
	"slices"
	"sort"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// codeRange is a run of executable addresses: a section or, in a file
// without section headers, a segment.
type codeRange struct {
	start, end uint64
}

// code is the executable part of a linked file: ranges by start, of which
// none lies in another, so that the ends ascend too.
type code []codeRange

// codeOf lists what is executable in a linked file; nil for other objects.
func codeOf(c *rules.Context) code {
	if !c.Linked() {
		return nil
	}
	var all code
	for _, s := range c.Object.ELF.Sections {
		if s.Flags&elf.SHF_EXECINSTR != 0 && s.Flags&elf.SHF_ALLOC != 0 {
			all = append(all, codeRange{s.Addr, s.Addr + s.Size})
		}
	}
	if len(c.Object.ELF.Sections) == 0 {
		for _, p := range c.Object.ELF.Segments {
			if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 {
				all = append(all, codeRange{p.Vaddr, p.Vaddr + p.Memsz})
			}
		}
	}
	return all.normal()
}

func (all code) normal() code {
	all = slices.DeleteFunc(all, func(r codeRange) bool { return r.end <= r.start })
	slices.SortFunc(all, func(a, b codeRange) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	kept := all[:0]
	for _, r := range all {
		if len(kept) == 0 || r.end > kept[len(kept)-1].end {
			kept = append(kept, r)
		}
	}
	return kept
}

// at returns the last range that starts at or before an address. As the
// ends ascend, no other one holds the address where that one does not.
func (all code) at(addr uint64) (codeRange, bool) {
	n := sort.Search(len(all), func(i int) bool { return all[i].start > addr })
	if n == 0 || addr >= all[n-1].end {
		return codeRange{}, false
	}
	return all[n-1], true
}

// holds tells whether a function lies in one range. An empty one may stand at
// the end of a range.
func (all code) holds(start uint64, size uint32) bool {
	r, ok := all.at(start)
	if !ok && size == 0 && start > 0 {
		_, ok = all.at(start - 1)
		return ok
	}
	return ok && uint64(size) <= r.end-start
}

// layout is what lies where in a linked file, for messages: sections by
// address.
type layout []reader.Section

func layoutOf(e *reader.ELF) layout {
	var l layout
	for _, s := range e.Sections {
		if s.Flags&elf.SHF_ALLOC != 0 && s.Name != "" {
			l = append(l, s)
		}
	}
	slices.SortStableFunc(l, func(a, b reader.Section) int { return cmp.Compare(a.Addr, b.Addr) })
	return l
}

// at says where an address lies.
func (l layout) at(addr uint64) string {
	n := sort.Search(len(l), func(i int) bool { return l[i].Addr > addr })
	if n == 0 || addr-l[n-1].Addr >= l[n-1].Size {
		return "in no section"
	}
	return "in " + l[n-1].Name
}
