package elftest

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/reader"
)

// writer lays a file out.
type writer struct {
	File
	t     testing.TB
	order binary.ByteOrder
	out   []byte
	names []byte // .shstrtab
}

// put writes a value of fixed size at an offset.
func (w *writer) put(at int, v any) {
	w.t.Helper()
	var b bytes.Buffer
	require.NoError(w.t, binary.Write(&b, w.order, v))
	require.LessOrEqual(w.t, at+b.Len(), len(w.out))
	copy(w.out[at:], b.Bytes())
}

func (w *writer) write() {
	w.names = []byte{0}
	heads := w.sectionHeaders()
	w.put(0, w.header(len(heads)))
	for i, p := range w.Segments {
		w.put(Program(i), elf.Prog64{Type: uint32(p.Type), Flags: uint32(p.Flags), Off: p.Off, Vaddr: p.Vaddr,
			Paddr: p.Vaddr, Filesz: p.Filesz, Memsz: p.Memsz, Align: p.Align})
	}
	for i, h := range heads {
		w.put(Header(i), h)
	}
	require.LessOrEqual(w.t, SFrame+len(w.SFrame), Relocs)
	copy(w.out[SFrame:], w.SFrame)
	copy(w.out[Names:], w.names)
	for i, r := range w.Relocs {
		w.put(Relocs+24*i, elf.Rela64{Off: r.Offset, Info: elf.R_INFO(r.Symbol, r.Type), Addend: r.Addend})
	}
}

func (w *writer) header(sections int) elf.Header64 {
	h := elf.Header64{Type: uint16(w.Type), Machine: uint16(w.Machine), Version: uint32(elf.EV_CURRENT),
		Shoff: SectionHeaders, Ehsize: 64, Phentsize: 56, Phnum: uint16(len(w.Segments)),
		Shentsize: 64, Shnum: uint16(sections), Shstrndx: NamesIndex}
	if len(w.Segments) > 0 {
		h.Phoff = ProgramHeaders
	}
	copy(h.Ident[:], elf.ELFMAG)
	h.Ident[elf.EI_CLASS], h.Ident[elf.EI_DATA], h.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)
	if w.Big {
		h.Ident[elf.EI_DATA] = byte(elf.ELFDATA2MSB)
	}
	return h
}

// sectionHeaders also writes the symbols, whose number the headers need.
func (w *writer) sectionHeaders() []elf.Section64 {
	symbols, strings := w.symbols()
	addr := uint64(1)
	if w.Type == elf.ET_REL {
		addr = 0
	}
	heads := []elf.Section64{
		{},
		w.section(".text", elf.SHT_PROGBITS, elf.SHF_ALLOC|elf.SHF_EXECINSTR, elf.Section64{Addr: Text * addr, Off: Text, Size: TextSize, Addralign: 16}),
		w.section(".sframe", reader.SHT_GNU_SFRAME, elf.SHF_ALLOC, elf.Section64{Addr: SFrame * addr, Off: SFrame, Size: uint64(len(w.SFrame)), Addralign: 8}),
		w.section(".rela.sframe", elf.SHT_RELA, elf.SHF_INFO_LINK, elf.Section64{Off: Relocs, Size: 24 * uint64(len(w.Relocs)), Link: SymbolsIndex, Info: SFrameIndex, Entsize: 24, Addralign: 8}),
		w.section(".symtab", elf.SHT_SYMTAB, 0, elf.Section64{Off: Symbols, Size: 24 * uint64(symbols), Link: StringsIndex, Entsize: 24, Addralign: 8}),
		w.section(".strtab", elf.SHT_STRTAB, 0, elf.Section64{Off: Strings, Size: uint64(strings), Addralign: 1}),
		{},
	}
	if w.NoSFrame {
		heads[SFrameIndex] = elf.Section64{}
	}
	if len(w.Relocs) == 0 {
		heads[RelocsIndex] = elf.Section64{}
	}
	for _, s := range w.Sections {
		heads = append(heads, w.section(s.Name, s.Type, s.Flags, elf.Section64{Addr: s.Addr, Off: s.Offset, Size: s.Size, Link: s.Link, Info: s.Info, Addralign: s.Addralign, Entsize: s.Entsize}))
	}
	heads[NamesIndex] = w.section(".shstrtab", elf.SHT_STRTAB, 0, elf.Section64{Off: Names, Addralign: 1})
	heads[NamesIndex].Size = uint64(len(w.names))
	return heads
}

func (w *writer) section(name string, typ elf.SectionType, flags elf.SectionFlag, s elf.Section64) elf.Section64 {
	s.Name, s.Type, s.Flags = uint32(len(w.names)), uint32(typ), uint64(flags)
	w.names = append(append(w.names, name...), 0)
	return s
}

// symbols writes the symbols and their names. It returns their number and
// the bytes of the names.
func (w *writer) symbols() (n, names int) {
	str := []byte{0}
	for i, y := range w.Symbols {
		at := uint32(0)
		if y.Name != "" {
			at = uint32(len(str))
			str = append(append(str, y.Name...), 0)
		}
		w.put(Symbols+24*(i+1), elf.Sym64{Name: at, Info: elf.ST_INFO(y.Bind, y.Type), Shndx: uint16(y.Section), Value: y.Value, Size: y.Size})
	}
	require.LessOrEqual(w.t, Strings+len(str), Names)
	copy(w.out[Strings:], str)
	return len(w.Symbols) + 1, len(str)
}
