package reader

import (
	"cmp"
	"debug/elf"
	"math/bits"
	"slices"
	"sort"

	"github.com/sframe-lint/sframe-lint/model"
)

// AddrRange is a range of virtual addresses. It includes Last, since the end of the address space does not fit 64
// bits.
type AddrRange struct{ First, Last uint64 }

// addrRange returns the addresses of size bytes, 1 or more; it ends with the
// address space.
func addrRange(first, size uint64) AddrRange {
	return AddrRange{first, first + min(size-1, ^first)}
}

// Contains reports whether the range contains size bytes at addr. If size is 0,
// the range must contain addr.
func (a AddrRange) Contains(addr, size uint64) bool {
	return addr >= a.First && addr <= a.Last && (size == 0 || size-1 <= a.Last-addr)
}

// AddrRanges are ranges sorted by address. After Normal, no range contains another.
type AddrRanges []AddrRange

// With adds the range of size bytes that begins at the address first. If size is 0, it adds nothing.
func (all AddrRanges) With(first, size uint64) AddrRanges {
	if size == 0 {
		return all
	}
	return append(all, addrRange(first, size))
}

// Normal sorts the ranges in place and removes each range that lies in another.
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

// At returns the last range that starts at or before an address, and reports whether it contains the address. If not,
// no range does. The ranges must be normal.
func (all AddrRanges) At(addr uint64) (AddrRange, bool) {
	n := sort.Search(len(all), func(i int) bool { return all[i].First > addr })
	if n == 0 || addr > all[n-1].Last {
		return AddrRange{}, false
	}
	return all[n-1], true
}

// Holds reports whether one range contains the whole function. An empty function may start at the end of a range.
func (all AddrRanges) Holds(start uint64, size uint32) bool {
	r, ok := all.At(start)
	if !ok && size == 0 && start > 0 {
		_, ok = all.At(start - 1)
		return ok
	}
	return ok && r.Contains(start, uint64(size))
}

// ExecRanges returns the addresses of a linked file's executable sections or, without section headers, of its
// executable segments.
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

// interval is a range of addresses that belongs to something.
type interval struct {
	id          int32
	first, last uint64
	reach       uint64 // the largest last up to here
}

// intervals finds what covers an address. Ranges may overlap.
type intervals struct{ list []interval }

// maxSteps is the number of ranges that start at or before an address and are looked
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

// orderRuns returns the runs of bytes that the FDEs claim in a sub-section of some bytes,
// by their offsets, and reports whether two of them share a byte. Adjacent runs of an
// unsorted section are joined.
func orderRuns(runs []model.Span, size int) (ordered []model.Span, shared bool) {
	if slices.IsSortedFunc(runs, func(a, b model.Span) int { return int(a.Off - b.Off) }) {
		end := int64(0)
		for _, r := range runs {
			shared = shared || r.Off < end
			end = max(end, r.End())
		}
		return runs, shared
	}
	// A bit for each byte: to sort the runs would take several times as long.
	claimed := make(bitmap, (size+63)/64)
	for _, r := range runs {
		if claimed.set(int(r.Off), int(r.End())) {
			shared = true
		}
	}
	return claimed.runs(runs[:0], size), shared
}

type bitmap []uint64

// set sets the bits of a range, and reports whether one was set before.
func (b bitmap) set(from, to int) (again bool) {
	for from < to {
		n := min(64-from%64, to-from)
		mask := ^uint64(0) >> (64 - n) << (from % 64)
		word := &b[from/64]
		again = again || *word&mask != 0
		*word |= mask
		from += n
	}
	return again
}

// runs appends the runs of bits that are set below size.
func (b bitmap) runs(out []model.Span, size int) []model.Span {
	for at := 0; ; {
		from := b.next(at, size, 0)
		if from == size {
			return out
		}
		at = b.next(from, size, ^uint64(0))
		out = append(out, model.Span{Off: int64(from), Len: int64(at - from)})
	}
}

// next returns the first bit from a place on that is set, or clear if flip has all bits;
// size if there is none before it.
func (b bitmap) next(at, size int, flip uint64) int {
	for at < size {
		if word := (b[at/64] ^ flip) >> (at % 64); word != 0 {
			return min(at+bits.TrailingZeros64(word), size)
		}
		at += 64 - at%64
	}
	return size
}
