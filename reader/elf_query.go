package reader

import (
	"debug/elf"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// BigEndian tells the file's byte order.
func (e *ELF) BigEndian() bool { return e.Order != nil && e.Order.Uint16([]byte{0, 1}) == 1 }

// ABI returns the SFrame ABI of the file's machine and byte order; where the
// format has none, blank facts whose Known method reports false.
func (e *ELF) ABI() model.ABIInfo { return model.LookupMachine(e.Machine, e.BigEndian()) }

// Relocatable reports whether the file is ET_REL: no section has an address
// yet, and symbols and functions count from the start of theirs.
func (e *ELF) Relocatable() bool { return e.Type == elf.ET_REL }

// SectionOf returns the header of the section that f was read from. There is
// none where the file has no section headers.
func (e *ELF) SectionOf(f *SFrame) (*Section, bool) {
	if f.Index <= 0 || f.Index >= len(e.Sections) {
		return nil, false
	}
	return &e.Sections[f.Index], true
}

// SFrameSegments returns the indices of the PT_GNU_SFRAME segments.
func (e *ELF) SFrameSegments() []int {
	var out []int
	for i := range e.Segments {
		if e.Segments[i].Type == PT_GNU_SFRAME {
			out = append(out, i)
		}
	}
	return out
}

// AddrRange is a range of virtual addresses. Last is the last one inside, as
// the end of the address space does not fit 64 bits.
type AddrRange struct{ First, Last uint64 }

// Contains reports whether the range contains size bytes at addr. An empty run is in
// every range that contains its address.
func (a AddrRange) Contains(addr, size uint64) bool {
	return addr >= a.First && addr <= a.Last && (size == 0 || size-1 <= a.Last-addr)
}

// occupies returns the addresses of a linked file's section in memory.
// Thread-local sections without bytes have an address but take no memory.
func (s *Section) occupies() (AddrRange, bool) {
	tbss := s.Type == elf.SHT_NOBITS && s.Flags&elf.SHF_TLS != 0
	if s.Flags&elf.SHF_ALLOC == 0 || s.Size == 0 || tbss {
		return AddrRange{}, false
	}
	last := s.Addr + (s.Size - 1)
	if last < s.Addr {
		last = ^uint64(0)
	}
	return AddrRange{s.Addr, last}, true
}

// SectionAt returns the index of the section that contains the address in a
// linked file. Of sections that overlap, the one that starts last is taken.
func (e *ELF) SectionAt(addr uint64) (int, bool) {
	if e.Relocatable() {
		return 0, false
	}
	e.atOnce.Do(func() {
		for i := range e.Sections {
			if r, ok := e.Sections[i].occupies(); ok {
				e.at.add(0, r.First, r.Last, int32(i))
			}
		}
		e.at.sort(nil)
	})
	id, ok := e.at.covering(0, addr)
	return int(id), ok
}

// ExecRanges returns the addresses of a linked file's executable sections,
// ascending, with those that touch or overlap joined. A file without section
// headers has its executable segments instead.
func (e *ELF) ExecRanges() []AddrRange {
	if e.Relocatable() {
		return nil
	}
	var out []AddrRange
	for i := range e.Sections {
		if r, ok := e.Sections[i].occupies(); ok && e.Sections[i].Flags&elf.SHF_EXECINSTR != 0 {
			out = append(out, r)
		}
	}
	if len(e.Sections) == 0 {
		out = e.execSegments()
	}
	return joinRanges(out)
}

func (e *ELF) execSegments() []AddrRange {
	var out []AddrRange
	for _, p := range e.Segments {
		if p.Type != elf.PT_LOAD || p.Flags&elf.PF_X == 0 || p.Memsz == 0 {
			continue
		}
		last := p.Vaddr + (p.Memsz - 1)
		if last < p.Vaddr {
			last = ^uint64(0)
		}
		out = append(out, AddrRange{p.Vaddr, last})
	}
	return out
}

func joinRanges(in []AddrRange) []AddrRange {
	slices.SortFunc(in, func(a, b AddrRange) int {
		if a.First < b.First {
			return -1
		}
		if a.First > b.First {
			return 1
		}
		return 0
	})
	out := in[:0]
	for _, r := range in {
		if n := len(out); n > 0 && (out[n-1].Last == ^uint64(0) || r.First <= out[n-1].Last+1) {
			out[n-1].Last = max(out[n-1].Last, r.Last)
			continue
		}
		out = append(out, r)
	}
	return out
}

// SectionData reads a section's bytes, at most limit of them. It has to be
// called while the object is visited. Errors: I/O, and a section that has no
// such bytes in the file.
func (e *ELF) SectionData(i int, limit int64) ([]byte, error) {
	if i < 0 || i >= len(e.Sections) || e.src.r == nil {
		return nil, fmt.Errorf("section %d: not in the file", i)
	}
	s := &e.Sections[i]
	sp, whole := e.src.clip(s.Offset, s.Size)
	if !whole || s.Type == elf.SHT_NOBITS || s.Flags&elf.SHF_COMPRESSED != 0 || sp.Len > limit {
		return nil, fmt.Errorf("section %d: no plain bytes in the file, or more than %d", i, limit)
	}
	return e.src.read(sp)
}
