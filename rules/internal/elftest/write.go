package elftest

import (
	"debug/elf"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/elfwrite"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Bytes lays the file out.
func (f File) Bytes(t testing.TB) []byte {
	t.Helper()
	w := elfwrite.File{Type: f.Type, Machine: f.Machine, Order: binary.LittleEndian, Patch: func(h *elf.Header64) { h.Shoff = SectionHeaders }}
	if f.Big {
		w.Order = binary.BigEndian
	}
	for _, p := range f.Segments {
		w.Segments = append(w.Segments, elfwrite.Segment{Prog64: elf.Prog64{Type: uint32(p.Type), Flags: uint32(p.Flags), Off: p.Off,
			Vaddr: p.Vaddr, Paddr: p.Vaddr, Filesz: p.Filesz, Memsz: p.Memsz, Align: p.Align}})
	}
	addr := uint64(1)
	if f.Type == elf.ET_REL {
		addr = 0
	}
	symbols, names := f.symbols(w.Order)
	require.LessOrEqual(t, SFrame+len(f.SFrame), Relocs)
	require.LessOrEqual(t, Symbols+len(symbols), Strings)
	require.LessOrEqual(t, Strings+len(names), Names)
	parts := [MoreIndex]*elfwrite.Section{
		TextIndex:    section(".text", elf.SHT_PROGBITS, elf.SHF_ALLOC|elf.SHF_EXECINSTR, elf.Section64{Addr: Text * addr, Off: Text, Size: TextSize, Addralign: 16}, nil),
		SFrameIndex:  section(".sframe", reader.SHT_GNU_SFRAME, elf.SHF_ALLOC, elf.Section64{Addr: SFrame * addr, Off: SFrame, Addralign: 8}, f.SFrame),
		RelocsIndex:  section(".rela.sframe", elf.SHT_RELA, elf.SHF_INFO_LINK, elf.Section64{Off: Relocs, Link: SymbolsIndex, Info: SFrameIndex, Entsize: 24, Addralign: 8}, f.relocs(w.Order)),
		SymbolsIndex: section(".symtab", elf.SHT_SYMTAB, 0, elf.Section64{Off: Symbols, Link: StringsIndex, Entsize: 24, Addralign: 8}, symbols),
		StringsIndex: section(".strtab", elf.SHT_STRTAB, 0, elf.Section64{Off: Strings, Addralign: 1}, names),
		NamesIndex:   {Label: ".shstrtab", Section64: elf.Section64{Type: uint32(elf.SHT_STRTAB), Off: Names, Addralign: 1}},
	}
	if f.NoSFrame {
		parts[SFrameIndex] = &elfwrite.Section{Raw: true}
	}
	if len(f.Relocs) == 0 {
		parts[RelocsIndex] = &elfwrite.Section{Raw: true}
	}
	w.Sections, w.Names = parts[TextIndex:], parts[NamesIndex]
	for _, s := range f.Sections {
		w.Sections = append(w.Sections, section(s.Name, s.Type, s.Flags, elf.Section64{Addr: s.Addr, Off: s.Offset, Size: s.Size,
			Link: s.Link, Info: s.Info, Addralign: s.Addralign, Entsize: s.Entsize}, nil))
	}
	b := w.Bytes()
	require.LessOrEqual(t, len(b), size)
	return append(b, make([]byte, size-len(b))...)
}

func section(name string, typ elf.SectionType, flags elf.SectionFlag, s elf.Section64, data []byte) *elfwrite.Section {
	s.Type, s.Flags = uint32(typ), uint64(flags)
	if data != nil {
		s.Size = uint64(len(data))
	}
	return &elfwrite.Section{Section64: s, Label: name, Data: data, Raw: true}
}

func (f File) relocs(order binary.ByteOrder) (all []byte) {
	for _, r := range f.Relocs {
		all = append(all, elfwrite.Encode(order, elf.Rela64{Off: r.Offset, Info: elf.R_INFO(r.Symbol, r.Type), Addend: r.Addend})...)
	}
	return all
}

// symbols returns the tables of symbols and their names.
func (f File) symbols(order binary.ByteOrder) (symbols, names []byte) {
	var str elfwrite.Strings
	symbols = elfwrite.Encode(order, elf.Sym64{})
	for _, y := range f.Symbols {
		symbols = append(symbols, elfwrite.Encode(order, elf.Sym64{Name: str.Add(y.Name), Info: elf.ST_INFO(y.Bind, y.Type),
			Shndx: uint16(y.Section), Value: y.Value, Size: y.Size})...)
	}
	return symbols, str.Bytes()
}
