package reader

import (
	"debug/elf"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// noteUnbacked notes the sections that the file does not have as their headers say, in a file
// with SFrame data: rules look at them, and would have nothing to compare.
func (r *elfReader) noteUnbacked() error {
	if r.obj.ELF == nil || len(r.obj.SFrames) == 0 {
		return nil
	}
	stripped, code, hollow := r.elf.Stripped(), false, false
	for i := range r.elf.Sections {
		s := &r.elf.Sections[i]
		code, hollow = code || s.Flags&elf.SHF_EXECINSTR != 0 && s.Size > 0, hollow || isHollow(s)
		if _, table := tables[s.Name]; i > 0 && (s.Type != elf.SHT_NULL || table) && !s.IsSFrame() && !r.isBlamed(s) {
			r.backed(i, s, stripped)
		}
	}
	if !code && len(r.elf.Sections) > 0 && r.described() {
		r.codeless()
	}
	if r.elf.Relocatable() {
		r.noteEmptied()
	}
	if hollow {
		r.noteHollow()
	}
	return r.symbolTable()
}

// backed notes what the file contradicts of one section.
func (r *elfReader) backed(i int, s *Section, stripped bool) {
	code := s.Flags&elf.SHF_EXECINSTR != 0
	_, whole := r.src.clip(s.Offset, s.Size)
	switch typ, ok := tables[s.Name]; {
	case ok && s.Type != typ && (s.Type != elf.SHT_NOBITS || !stripped):
		r.contradicted(s, elf64.ShdrType, "sh_type 0x%x is not that of a symbol table", uint32(s.Type))
	case s.Type == elf.SHT_NOBITS:
		if code && r.fileBacked(s) {
			r.contradicted(s, elf64.ShdrType, "sh_type is SHT_NOBITS, but a segment has bytes of the code")
		}
	case !whole:
		r.contradicted(s, elf64.ShdrPlace, "%d bytes at 0x%x reach beyond the end of the file", s.Size, s.Offset)
	case s.Size == 0:
	case s.Offset < ehdrSize:
		r.contradicted(s, elf64.ShdrPlace, "it overlaps the ELF header")
	case s.Flags&elf.SHF_COMPRESSED != 0 && (code || s.Flags&elf.SHF_ALLOC != 0 || i == r.symtab):
		r.contradicted(s, elf64.ShdrFlags, "SHF_COMPRESSED is for debug information")
	case s.Flags&elf.SHF_ALLOC != 0 && !r.loadedThere(s):
		r.contradicted(s, elf64.ShdrAddr, "no segment loads it at 0x%x", s.Addr)
	}
}

// tables are the types of the symbol tables, which readers find by type.
var tables = map[string]elf.SectionType{".symtab": elf.SHT_SYMTAB, ".dynsym": elf.SHT_DYNSYM}

// loadedThere reports whether a segment loads a section of a linked file at its address, or
// none loads its bytes.
func (r *elfReader) loadedThere(s *Section) bool {
	elsewhere := false
	for i := range r.elf.Segments {
		g := &r.elf.Segments[i]
		if in := s.Offset - g.Offset; g.Type == elf.PT_LOAD && s.Offset >= g.Offset && in < g.Filesz && s.Size <= g.Filesz-in {
			if g.Vaddr+in == s.Addr {
				return true
			}
			elsewhere = true
		}
	}
	return !elsewhere || r.elf.Relocatable()
}

// fileBacked reports whether a segment loads bytes of the file at a section's address.
func (r *elfReader) fileBacked(s *Section) bool {
	_, ok := r.elf.LoadedAt(s.Addr)
	return ok && s.Size > 0 && !r.elf.Relocatable()
}

// codeless notes a segment of code where no section has any.
func (r *elfReader) codeless() {
	for i := range r.elf.Segments {
		if g := &r.elf.Segments[i]; g.Type == elf.PT_LOAD && g.Flags&elf.PF_X != 0 && g.Filesz > 0 {
			r.fault(Fault{Code: SectionContradicted, Span: elf64.In(g.Header.Off, elf64.PhdrPlace), Detail: "a segment has code and FDEs describe it, but no section with SHF_EXECINSTR has any bytes"})
			return
		}
	}
}

// noteEmptied notes sections of an object file without bytes, which relocations apply to.
func (r *elfReader) noteEmptied() {
	for i := range r.elf.Sections {
		s := &r.elf.Sections[i]
		if s.Type != elf.SHT_RELA || s.Size == 0 || s.Info == 0 || int64(s.Info) >= int64(len(r.elf.Sections)) {
			continue
		}
		switch of := &r.elf.Sections[s.Info]; {
		case r.isBlamed(of) || of.Size == 0 && r.doNothing(i):
		case of.Size == 0:
			r.contradicted(of, elf64.ShdrSizeField, "it is empty, but has %d bytes of relocations", s.Size)
		case isHollow(of):
			r.contradicted(of, elf64.ShdrType, "sh_type is SHT_NOBITS, but the code has %d bytes of relocations", s.Size)
		}
	}
}

// mostIdle is the number of bytes of relocations that are looked at for types without an effect.
const mostIdle = 1 << 12

// doNothing reports whether no relocation of a section has an effect.
func (r *elfReader) doNothing(i int) bool {
	abi := r.elf.ABI()
	b, err := r.elf.SectionPart(i, 0, mostIdle, nil)
	if err != nil || uint64(len(b)) < r.elf.Sections[i].Size {
		return false
	}
	for ; len(b) >= elf64.RelaSize; b = b[elf64.RelaSize:] {
		if !abi.NoEffect(uint32(number.U64(b[8:], abi.Big))) {
			return false
		}
	}
	return true
}

// isHollow reports whether a section is of code and has no bytes in the file.
func isHollow(s *Section) bool {
	return s.Type == elf.SHT_NOBITS && s.Flags&elf.SHF_EXECINSTR != 0 && s.Size > 0
}

// noteHollow notes sections of an object file without bytes, whose functions FDEs describe.
func (r *elfReader) noteHollow() {
	for _, f := range r.obj.SFrames {
		if f.Section == nil {
			continue
		}
		for x := range f.Section.Functions() {
			if s := &r.elf.Sections[x.Place]; isHollow(s) && !r.isBlamed(s) {
				r.contradicted(s, elf64.ShdrType, "sh_type is SHT_NOBITS, but an FDE describes code in it")
			}
		}
	}
}

// described reports whether a section of the object has FDEs.
func (r *elfReader) described() bool {
	for _, f := range r.obj.SFrames {
		if f.Section != nil && f.Section.NumFDEs() > 0 {
			return true
		}
	}
	return false
}

// isBlamed reports whether a fault is about the section's header. Each fault is looked at once: a
// file may have very many of the two.
func (r *elfReader) isBlamed(s *Section) bool {
	table := r.elf.Sections[0].Header
	place := func(at int64) int64 { return (at - table.Off) / table.Len }
	for ; r.sorted < len(r.obj.Faults); r.sorted++ {
		if at := r.obj.Faults[r.sorted].Span.Off; at >= table.Off {
			if r.blames == nil {
				r.blames = map[int64]bool{}
			}
			r.blames[place(at)] = true
		}
	}
	return r.blames[place(s.Header.Off)]
}

func (r *elfReader) contradicted(s *Section, field model.Span, format string, args ...any) {
	r.fault(Fault{Code: SectionContradicted, Span: r.in(s.Header.Off, field), Detail: fmt.Sprintf("section %q: ", s.Name) + fmt.Sprintf(format, args...)})
}

// symbolTable looks at the first bytes of the symbol table and of its names, which every file
// has in the same way.
func (r *elfReader) symbolTable() error {
	if r.symtab == 0 || r.elf.Symbols.tab == nil {
		return nil
	}
	s := &r.elf.Sections[r.symtab]
	if r.isBlamed(s) {
		return nil
	}
	first, _ := r.src.clip(s.Offset, min(s.Size, symSize))
	b, err := r.src.read(first)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(b, func(x byte) bool { return x != 0 }) {
		r.contradicted(s, elf64.ShdrOffset, "the first symbol is not empty")
		return nil
	}
	last := first
	last.Off += first.Len * (int64(r.elf.Symbols.Len()) - 1)
	if b, err = r.src.read(last); err != nil || len(b) < symSize || s.Link >= uint32(len(r.elf.Sections)) {
		return err
	}
	if names := &r.elf.Sections[s.Link]; uint64(number.U32(b, r.big)) >= max(names.Size, 1) && !r.isBlamed(names) {
		r.contradicted(names, elf64.ShdrSizeField, "the name of the last symbol is not in its %d bytes", names.Size)
	}
	return nil
}
