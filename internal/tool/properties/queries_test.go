package properties

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/reader"
)

// mostQueried bounds the sections and symbols of a file whose look-ups are
// compared with a scan: with more, the reader need not find one that many others
// overlap.
const mostQueried = 60

// query compares look-ups of sections, code and symbols in an ELF file, which
// may be damaged, with a scan of its tables.
func (r *run) query(o *reader.Object) {
	if e := o.ELF; e != nil && len(e.Sections) <= mostQueried && e.Symbols.Len() <= mostQueried {
		for range 12 {
			r.queryAddress(e, r.drawAddress(e))
		}
	}
}

// drawAddress draws an address around the ends of a section, segment or
// symbol.
func (r *run) drawAddress(e *reader.ELF) uint64 {
	var addr, size uint64
	switch n := r.m.Rand.IntN(3); {
	case n == 0 && len(e.Sections) > 0:
		s := e.Sections[r.m.Rand.IntN(len(e.Sections))]
		addr, size = s.Addr, s.Size
	case n == 1 && len(e.Segments) > 0:
		p := e.Segments[r.m.Rand.IntN(len(e.Segments))]
		addr, size = p.Vaddr, p.Memsz
	case e.Symbols.Len() > 0:
		y, _ := e.Symbols.Symbol(r.m.Rand.IntN(e.Symbols.Len()))
		addr, size = y.Value, y.Size
	}
	if r.m.Rand.IntN(2) == 0 {
		addr += size
	}
	return addr + uint64(r.m.Rand.IntN(4)) - 2
}

func (r *run) queryAddress(e *reader.ELF, addr uint64) {
	i, ok := e.SectionAt(addr)
	if want := sectionAt(e, addr); ok != (want >= 0) || ok && i != want {
		r.fail("address 0x%x: section found %v, %d, by a scan %d", addr, ok, i, want)
	}
	in := false
	for _, x := range e.ExecRanges() {
		in = in || x.Contains(addr, 1)
	}
	if want := isCode(e, addr); in != want {
		r.fail("address 0x%x: code %v, by a scan %v", addr, in, want)
	}
	section := -1
	if e.Relocatable() {
		section = r.m.Rand.IntN(len(e.Sections) + 1)
	}
	y, ok := e.Symbols.Func(section, addr)
	best, known := functionAt(e, section, addr)
	switch {
	case ok && !covers(y, addr):
		r.fail("address 0x%x: %+v does not cover it", addr, y)
	case known && (!ok || y.Value < best):
		r.fail("address 0x%x: function found %v at 0x%x, by a scan one at 0x%x", addr, ok, y.Value, best)
	}
}

// sectionAt returns the section of a linked file that contains an address: of
// several, the one that starts last, and of those the first; -1 for none.
func sectionAt(e *reader.ELF, addr uint64) int {
	at := -1
	for i := range e.Sections {
		s := &e.Sections[i]
		if e.Relocatable() || !inMemory(s) || addr < s.Addr || addr-s.Addr >= s.Size {
			continue
		}
		if at < 0 || s.Addr > e.Sections[at].Addr {
			at = i
		}
	}
	return at
}

func inMemory(s *reader.Section) bool {
	return s.Flags&elf.SHF_ALLOC != 0 && (s.Type != elf.SHT_NOBITS || s.Flags&elf.SHF_TLS == 0)
}

// isCode reports whether there is code at an address of a linked file.
func isCode(e *reader.ELF, addr uint64) bool {
	if e.Relocatable() {
		return false
	}
	for i := range e.Sections {
		if s := &e.Sections[i]; inMemory(s) && s.Flags&elf.SHF_EXECINSTR != 0 && addr >= s.Addr && addr-s.Addr < s.Size {
			return true
		}
	}
	for _, p := range e.Segments {
		if len(e.Sections) == 0 && p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 && addr >= p.Vaddr && addr-p.Vaddr < p.Memsz {
			return true
		}
	}
	return false
}

// functionAt returns the last start of a function, by its symbol's type, that
// covers an address.
func functionAt(e *reader.ELF, section int, addr uint64) (start uint64, found bool) {
	if e.Relocatable() && addr >= 1<<40 {
		return 0, false // the reader finds functions at offsets of up to 1 TiB in a section
	}
	for i := 1; i < e.Symbols.Len(); i++ {
		y, ok := e.Symbols.Symbol(i)
		function := y.Type == elf.STT_FUNC || y.Type == elf.STT_GNU_IFUNC
		place := section < 0 || y.Section == section
		if ok && function && place && y.Section != int(elf.SHN_UNDEF) && y.Section < int(elf.SHN_LORESERVE) && covers(y, addr) &&
			(!found || y.Value > start) {
			start, found = y.Value, true
		}
	}
	return start, found
}

func covers(y reader.Symbol, addr uint64) bool {
	return addr >= y.Value && addr-y.Value < max(y.Size, 1)
}
