package reader

import (
	"cmp"
	"debug/elf"
	"slices"

	"github.com/sframe-lint/sframe-lint/budget"
	"github.com/sframe-lint/sframe-lint/internal/regular"
	"github.com/sframe-lint/sframe-lint/model"
)

// file says how many bytes the file of the source really has.
func (s source) file() {
	if s.size > budget.FreeContent {
		s.budget.File(regular.Data(s.r, s.base, s.size))
	}
}

// content says how many bytes the object really has in the tables and sections that are read,
// its .sframe sections apart. Bytes that several sections claim count once.
func (r *elfReader) content() {
	if r.src.size <= budget.FreeContent {
		return
	}
	var all []model.Span
	add := func(off, n uint64) {
		if sp, _ := r.src.clip(off, n); sp.Len > 0 {
			all = append(all, sp)
		}
	}
	if n := len(r.elf.Sections); n > 0 {
		add(r.hdr.shoff, uint64(n)*uint64(r.shdrSize()))
	}
	for i := range r.elf.Sections {
		if s := &r.elf.Sections[i]; s.read() {
			add(s.Offset, s.Size)
		}
	}
	for i := range r.elf.Segments {
		if s := &r.elf.Segments[i]; s.Type == elf.PT_LOAD && len(r.elf.Sections) == 0 {
			add(s.Offset, s.Filesz)
		}
	}
	slices.SortFunc(all, func(a, b model.Span) int { return cmp.Compare(a.Off, b.Off) })
	sum := int64(0)
	for i := 0; i < len(all); {
		sp := all[i]
		for i++; i < len(all) && all[i].Off <= sp.End()+joined; i++ {
			sp.Len = max(sp.End(), all[i].End()) - sp.Off
		}
		sum += regular.Data(r.src.r, r.src.base+sp.Off, sp.Len)
	}
	r.src.budget.Content(sum)
}

// joined is how many bytes may be between two sections that are looked up at once.
const joined = 4 << 10

// read reports whether rules or the reader look at the section's bytes, other than SFrame data.
func (s *Section) read() bool {
	switch {
	case s.Type == elf.SHT_NOBITS || s.Type == SHT_GNU_SFRAME || s.Name == ".sframe":
		return false
	case s.Flags&elf.SHF_ALLOC != 0 || s.Name == ".debug_frame" || s.Name == ".zdebug_frame":
		return true
	}
	switch s.Type {
	case elf.SHT_SYMTAB, elf.SHT_DYNSYM, elf.SHT_STRTAB, elf.SHT_RELA, elf.SHT_REL, elf.SHT_SYMTAB_SHNDX, elf.SHT_GROUP:
		return true
	}
	return false
}
