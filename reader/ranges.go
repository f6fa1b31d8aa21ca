package reader

import (
	"cmp"
	"debug/elf"
	"slices"
	"sort"
)

// AddrRange is a range of virtual addresses. Last is the last one inside, as
// the end of the address space does not fit 64 bits.
type AddrRange struct{ First, Last uint64 }

// addrRange returns the addresses of size bytes, 1 or more; it ends with the
// address space.
func addrRange(first, size uint64) AddrRange {
	return AddrRange{first, first + min(size-1, ^first)}
}

// Contains reports whether the range contains size bytes at addr. An empty
// run is in every range that contains its address.
func (a AddrRange) Contains(addr, size uint64) bool {
	return addr >= a.First && addr <= a.Last && (size == 0 || size-1 <= a.Last-addr)
}

// AddrRanges are ranges by address. After Normal none lies in another, so
// that the last addresses ascend too.
type AddrRanges []AddrRange

// With adds the range of size bytes at first; none where size is 0.
func (all AddrRanges) With(first, size uint64) AddrRanges {
	if size == 0 {
		return all
	}
	return append(all, addrRange(first, size))
}

// Normal sorts the ranges, in place, and leaves out those that lie in others.
func (all AddrRanges) Normal() AddrRanges {
	slices.SortFunc(all, func(a, b AddrRange) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(b.Last, a.Last))
	})
	kept := all[:0]
	for _, r := range all {
		if len(kept) == 0 || r.Last > kept[len(kept)-1].Last {
			kept = append(kept, r)
		}
	}
	return kept
}

// At returns the last range that starts at or before an address, if it
// contains the address; if it does not, no other range does.
func (all AddrRanges) At(addr uint64) (AddrRange, bool) {
	n := sort.Search(len(all), func(i int) bool { return all[i].First > addr })
	if n == 0 || addr > all[n-1].Last {
		return AddrRange{}, false
	}
	return all[n-1], true
}

// Holds reports whether a function lies in one range. An empty one may start
// at the end of a range.
func (all AddrRanges) Holds(start uint64, size uint32) bool {
	r, ok := all.At(start)
	if !ok && size == 0 && start > 0 {
		_, ok = all.At(start - 1)
		return ok
	}
	return ok && r.Contains(start, uint64(size))
}

// ExecRanges returns the addresses of a linked file's executable sections. A
// file without section headers has its executable segments instead.
func (e *ELF) ExecRanges() AddrRanges {
	if e.Relocatable() {
		return nil
	}
	var all AddrRanges
	for i := range e.Sections {
		if r, ok := e.Sections[i].occupies(); ok && e.Sections[i].Flags&elf.SHF_EXECINSTR != 0 {
			all = append(all, r)
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
