package fde

import (
	"cmp"
	"debug/elf"
	"slices"
	"sort"

	"github.com/sframe-lint/sframe-lint/reader"
)

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
