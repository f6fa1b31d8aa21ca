// Package elftest builds small ELF64 files for tests of rules, and reads them like the tool. A test can change any
// byte of a file.
package elftest

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/machinecode"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Offsets of the parts of a file, which do not depend on their contents.
const (
	ProgramHeaders = 0x40
	SectionHeaders = 0x400
	Text           = 0x1000 // .text; also its address in a linked file
	SFrame         = 0x2000 // .sframe; also its address in a linked file
	Relocs         = 0x4000 // .rela.sframe
	Symbols        = 0x6000 // .symtab
	Strings        = 0x8000 // .strtab
	Names          = 0xa000 // .shstrtab
	More           = 0xc000 // contents of further sections
	size           = 0xe000
)

// Section header indices of the parts.
const (
	TextIndex = iota + 1
	SFrameIndex
	RelocsIndex
	SymbolsIndex
	StringsIndex
	NamesIndex
	MoreIndex // first further section
)

// Header returns the offset of a section header.
func Header(index int) int { return SectionHeaders + 64*index }

// Program returns the offset of a program header.
func Program(index int) int { return ProgramHeaders + 56*index }

// File describes the contents of a file.
type File struct {
	Type    elf.Type
	Machine elf.Machine
	Big     bool
	SFrame  []byte
	// NoSFrame leaves .sframe out. A second null section header takes its place.
	NoSFrame bool
	Relocs   []Reloc
	Symbols  []Symbol // symbols after the null symbol
	Sections []elf.SectionHeader
	Segments []elf.ProgHeader
}

// Reloc is an entry of .rela.sframe.
type Reloc struct {
	Offset uint64
	Symbol uint32
	Type   uint32
	Addend int64
}

// Symbol is an entry of .symtab.
type Symbol struct {
	Name        string
	Value, Size uint64
	Section     elf.SectionIndex
	Type        elf.SymType
	Bind        elf.SymBind
}

// TextSize is the size of .text in bytes.
const TextSize = 0x400

// Linked returns an executable with an SFrame section, .text and the segments that a linker makes for them.
func Linked(m elf.Machine, big bool, sframe []byte) File {
	n := uint64(len(sframe))
	return File{Type: elf.ET_EXEC, Machine: m, Big: big, SFrame: sframe, Segments: []elf.ProgHeader{
		{Type: elf.PT_LOAD, Flags: elf.PF_R | elf.PF_X, Off: Text, Vaddr: Text, Filesz: TextSize, Memsz: TextSize, Align: 0x1000},
		{Type: elf.PT_LOAD, Flags: elf.PF_R, Off: SFrame, Vaddr: SFrame, Filesz: n, Memsz: n, Align: 0x1000},
		{Type: reader.PT_GNU_SFRAME, Flags: elf.PF_R, Off: SFrame, Vaddr: SFrame, Filesz: n, Memsz: n, Align: 8},
	}}
}

// Object returns an object file with an SFrame section and .text. The first symbol is the section symbol of .text.
func Object(m elf.Machine, big bool, sframe []byte, relocs ...Reloc) File {
	return File{Type: elf.ET_REL, Machine: m, Big: big, SFrame: sframe, Relocs: relocs,
		Symbols: []Symbol{{Section: TextIndex, Type: elf.STT_SECTION}}}
}

// Read reads the bytes of a file and passes the object to use. Symbols are available until use returns.
func Read(t testing.TB, data []byte, use func(*reader.Object)) {
	t.Helper()
	n := 0
	err := reader.ScanReader("test.elf", bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
		n++
		use(o)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

// Apply applies the edits of a fix. The edits must not change the size.
func Apply(data []byte, fix rules.Fix) {
	for _, e := range fix.Edits {
		copy(data[e.Span.Off:e.Span.End()], e.New)
	}
}

// WithCode returns a linked file with an SFrame section, and with code in .text.
func WithCode(t *testing.T, m elf.Machine, big bool, section []byte, symbols []Symbol, code map[int][]byte) []byte {
	f := Linked(m, big, section)
	f.Symbols = symbols
	data := f.Bytes(t)
	abi := model.LookupMachine(m, big)
	trap := machinecode.Of(abi.Machine).Trap
	for at := 0; at+len(trap) <= TextSize; at += len(trap) { // what is not code is not executed
		copy(data[Text+at:], trap)
	}
	for at, b := range code {
		copy(data[Text+at:], b)
	}
	return data
}

// Function returns the symbol of a function in .text.
func Function(name string, at, size uint64) Symbol {
	return Symbol{Name: name, Value: at, Size: size, Section: TextIndex, Type: elf.STT_FUNC, Bind: elf.STB_GLOBAL}
}

// Bytes returns the bytes of the file.
func (f File) Bytes(t testing.TB) []byte {
	t.Helper()
	w := elf64.File{Type: f.Type, Machine: f.Machine, Order: number.Order(f.Big), Patch: func(h *elf.Header64) { h.Shoff = SectionHeaders }}
	for _, p := range f.Segments {
		w.Segments = append(w.Segments, elf64.Segment{Prog64: elf.Prog64{Type: uint32(p.Type), Flags: uint32(p.Flags), Off: p.Off,
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
	parts := [MoreIndex]*elf64.Section{
		TextIndex:    section(".text", elf.SHT_PROGBITS, elf.SHF_ALLOC|elf.SHF_EXECINSTR, elf.Section64{Addr: Text * addr, Off: Text, Size: TextSize, Addralign: 16}, nil),
		SFrameIndex:  section(".sframe", reader.SHT_GNU_SFRAME, elf.SHF_ALLOC, elf.Section64{Addr: SFrame * addr, Off: SFrame, Addralign: 8}, f.SFrame),
		RelocsIndex:  section(".rela.sframe", elf.SHT_RELA, elf.SHF_INFO_LINK, elf.Section64{Off: Relocs, Link: SymbolsIndex, Info: SFrameIndex, Entsize: 24, Addralign: 8}, f.relocs(w.Order)),
		SymbolsIndex: section(".symtab", elf.SHT_SYMTAB, 0, elf.Section64{Off: Symbols, Link: StringsIndex, Entsize: 24, Addralign: 8}, symbols),
		StringsIndex: section(".strtab", elf.SHT_STRTAB, 0, elf.Section64{Off: Strings, Addralign: 1}, names),
		NamesIndex:   {Label: ".shstrtab", Section64: elf.Section64{Type: uint32(elf.SHT_STRTAB), Off: Names, Addralign: 1}},
	}
	if f.NoSFrame {
		parts[SFrameIndex] = &elf64.Section{Raw: true}
	}
	if len(f.Relocs) == 0 {
		parts[RelocsIndex] = &elf64.Section{Raw: true}
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

func section(name string, typ elf.SectionType, flags elf.SectionFlag, s elf.Section64, data []byte) *elf64.Section {
	s.Type, s.Flags = uint32(typ), uint64(flags)
	if data != nil {
		s.Size = uint64(len(data))
	}
	return &elf64.Section{Section64: s, Label: name, Data: data, Raw: true}
}

func (f File) relocs(order binary.ByteOrder) (all []byte) {
	for _, r := range f.Relocs {
		all = append(all, elf64.Encode(order, elf.Rela64{Off: r.Offset, Info: elf.R_INFO(r.Symbol, r.Type), Addend: r.Addend})...)
	}
	return all
}

// symbols returns the tables of symbols and their names.
func (f File) symbols(order binary.ByteOrder) (symbols, names []byte) {
	var str elf64.Strings
	symbols = elf64.Encode(order, elf.Sym64{})
	for _, y := range f.Symbols {
		symbols = append(symbols, elf64.Encode(order, elf.Sym64{Name: str.Add(y.Name), Info: elf.ST_INFO(y.Bind, y.Type),
			Shndx: uint16(y.Section), Value: y.Value, Size: y.Size})...)
	}
	return symbols, str.Bytes()
}
