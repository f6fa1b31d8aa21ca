package consumers

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Demands on the sections that contain relocations. Files other than
// relocatable ones and raw sections meet all of them.
func relocSectionTerms() map[Demand]term {
	return map[Demand]term{
		"relocations-in-file": {"the file contains all bytes of the relocations", onRelocSections(func(x *subject, r *reader.Section) *Verdict {
			return expectIn(x.inFile(r), r, shPlace, "%s ends at 0x%x, but the file ends at 0x%x", r.Name, r.Offset+r.Size, x.o.Size)
		})},
		"relocations-whole": {"the last relocation (with addend) is whole", onRelocSections(func(_ *subject, r *reader.Section) *Verdict {
			size := relocSize(elf.SHT_RELA)
			return expectIn(r.Type != elf.SHT_RELA || r.Size%size == 0, r, shSize, "%s has %d bytes, but its entries have %d", r.Name, r.Size, size)
		})},
		"relocation-size": {"relocations have 24 bytes, or 16 without addends", onRelocSections(func(_ *subject, r *reader.Section) *Verdict {
			size := relocSize(r.Type)
			return expectIn(size == 0 || r.EntSize == size, r, shEntSize, "sh_entsize of %s is %d, expected %d", r.Name, r.EntSize, size)
		})},
		"relocation-addends": {"relocations have addends: `SHT_RELA`", onRelocSections(func(_ *subject, r *reader.Section) *Verdict {
			return expectIn(r.Type == elf.SHT_RELA, r, shType, "%s is not of type SHT_RELA", r.Name)
		})},
		"relocations-linked": {"`sh_link` of the relocations is the symbol table", onRelocSections(func(x *subject, r *reader.Section) *Verdict {
			i, all := int64(r.Link), x.o.ELF.Sections
			return expectIn(i < int64(len(all)) && all[i].Type == elf.SHT_SYMTAB, r, shLink, "sh_link of %s is %d, which is not a symbol table", r.Name, r.Link)
		})},
		"symbols-exist": {"every relocation has an entry in the symbol table", func(x *subject, _ Arg) *Verdict {
			if x.o.ELF == nil {
				return nil
			}
			n := int64(x.o.ELF.Symbols.Len())
			for i := range x.f.Relocs {
				if r := &x.f.Relocs[i]; int64(r.Symbol) >= n && r.Symbol != 0 {
					return inFile(r.Entry, "the relocation at 0x%x of the section refers to symbol %d, but the file has %d symbols", r.Offset, r.Symbol, n)
				}
			}
			return nil
		}},
	}
}

// relocSize returns the size of a relocation, 0 if it varies.
func relocSize(t elf.SectionType) uint64 {
	switch t {
	case elf.SHT_RELA:
		return 24
	case elf.SHT_REL:
		return 16
	}
	return 0
}

// shtCREL is LLVM's compact form of relocations.
const shtCREL elf.SectionType = 0x40000014

// expectIn returns a verdict at a field of a section's header where ok is false.
func expectIn(ok bool, s *reader.Section, field model.Span, format string, args ...any) *Verdict {
	if ok {
		return nil
	}
	return inFile(fieldOf(s, field), format, args...)
}

func onRelocSections(find func(*subject, *reader.Section) *Verdict) finder {
	return func(x *subject, _ Arg) *Verdict {
		for _, r := range x.relocSections() {
			if h := find(x, r); h != nil {
				return h
			}
		}
		return nil
	}
}

// relocSections returns the sections with relocations of the section: the one
// that the reader uses, otherwise all that it cannot read.
func (x *subject) relocSections() []*reader.Section {
	if x.o.ELF == nil || !x.o.ELF.Relocatable() || x.f.Index == 0 {
		return nil
	}
	if i := x.f.RelocIndex; i > 0 && i < len(x.o.ELF.Sections) {
		return []*reader.Section{&x.o.ELF.Sections[i]}
	}
	if !x.searchable() {
		return nil
	}
	var out []*reader.Section
	for i := range x.o.ELF.Sections {
		s := &x.o.ELF.Sections[i]
		if (s.Type == elf.SHT_RELA || s.Type == elf.SHT_REL || s.Type == shtCREL) && int64(s.Info) == int64(x.f.Index) {
			out = append(out, s)
		}
	}
	return out
}

// relocsUnread reports whether there are relocations that the reader cannot
// read.
func (x *subject) relocsUnread() bool {
	for _, r := range x.relocSections() {
		if r.Type != elf.SHT_RELA || r.EntSize != relocSize(r.Type) {
			return true
		}
	}
	return false
}
