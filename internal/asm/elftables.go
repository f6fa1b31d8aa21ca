package asm

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/internal/elf64"
	"github.com/sframe-lint/sframe-lint/internal/elfwrite"
)

// SectionTypes are the types of sections by their names in texts.
var SectionTypes = map[string]elf.SectionType{
	"null": elf.SHT_NULL, "progbits": elf.SHT_PROGBITS, "nobits": elf.SHT_NOBITS, "note": elf.SHT_NOTE,
	"symtab": elf.SHT_SYMTAB, "strtab": elf.SHT_STRTAB, "rela": elf.SHT_RELA, "rel": elf.SHT_REL, "group": elf.SHT_GROUP,
	"dynsym": elf.SHT_DYNSYM, "dynamic": elf.SHT_DYNAMIC, "hash": elf.SHT_HASH, "gnu_hash": elf.SHT_GNU_HASH,
	"gnu_versym": elf.SHT_GNU_VERSYM, "gnu_verneed": elf.SHT_GNU_VERNEED, "gnu_verdef": elf.SHT_GNU_VERDEF,
	"init_array": elf.SHT_INIT_ARRAY, "fini_array": elf.SHT_FINI_ARRAY, "preinit_array": elf.SHT_PREINIT_ARRAY,
	"symtab_shndx": elf.SHT_SYMTAB_SHNDX, "gnu_sframe": elfwrite.SHTGNUSFrame,
}

// SectionFlags are the flags of sections by their names in texts.
var SectionFlags = map[string]elf.SectionFlag{
	"alloc": elf.SHF_ALLOC, "exec": elf.SHF_ALLOC | elf.SHF_EXECINSTR, "write": elf.SHF_ALLOC | elf.SHF_WRITE,
	"merge": elf.SHF_MERGE, "strings": elf.SHF_STRINGS, "info_link": elf.SHF_INFO_LINK, "group": elf.SHF_GROUP, "tls": elf.SHF_TLS,
}

// SegmentTypes are the types of segments by their names in texts.
var SegmentTypes = map[string]elf.ProgType{
	"null": elf.PT_NULL, "load": elf.PT_LOAD, "dynamic": elf.PT_DYNAMIC, "interp": elf.PT_INTERP, "note": elf.PT_NOTE,
	"phdr": elf.PT_PHDR, "tls": elf.PT_TLS, "gnu_eh_frame": elf.PT_GNU_EH_FRAME, "gnu_stack": elf.PT_GNU_STACK,
	"gnu_relro": elf.PT_GNU_RELRO, "gnu_property": elf.PT_GNU_PROPERTY, "gnu_sframe": elfwrite.PTGNUSFrame,
}

// SymbolTypes are the types of symbols by their names in texts.
var SymbolTypes = map[string]elf.SymType{
	"notype": elf.STT_NOTYPE, "object": elf.STT_OBJECT, "func": elf.STT_FUNC, "section": elf.STT_SECTION, "file": elf.STT_FILE, "tls": elf.STT_TLS,
}

// SymbolBinds are the bindings of symbols by their names in texts.
var SymbolBinds = map[string]elf.SymBind{"local": elf.STB_LOCAL, "global": elf.STB_GLOBAL, "weak": elf.STB_WEAK}

// pageSize is the modulus in which addresses and file offsets of loaded sections agree.
const pageSize = 0x1000

// Places gives the parts of a file their offsets, where a text does not state them.
type Places struct {
	linked   bool
	end, top uint64 // of the last section, of all
}

// NewPlaces returns the places in a file that begins with an ELF header and segments' headers.
func NewPlaces(typ elf.Type, segments int) *Places {
	end := uint64(elf64.EhdrSize + elf64.PhdrSize*segments)
	return &Places{linked: typ != elf.ET_REL, end: end, top: end}
}

// Next returns the offset of the next section.
func (p *Places) Next(s *elf.Section64) uint64 {
	at := roundUp(p.end, s.Addralign)
	if p.linked && s.Flags&uint64(elf.SHF_ALLOC) != 0 {
		at += (s.Addr - at) % pageSize
	}
	return at
}

// Put notes that a section has bytes at an offset.
func (p *Places) Put(off, size uint64) {
	p.end = off + size
	p.top = max(p.top, p.end)
}

// Headers returns the offset of the sections' headers.
func (p *Places) Headers() uint64 { return roundUp(p.top, 8) }

func roundUp(at, align uint64) uint64 {
	if align > 1 && at%align != 0 {
		at += align - at%align
	}
	return at
}

// Covering returns the header of a segment that covers sections, of which the file has some bytes.
func Covering(typ, flags uint32, sections []elf.Section64, sizes []uint64) elf.Prog64 {
	first, last := &sections[0], &sections[len(sections)-1]
	p := elf.Prog64{Type: typ, Flags: flags, Off: first.Off, Vaddr: first.Addr, Paddr: first.Addr, Align: first.Addralign,
		Memsz: max(last.Addr+max(last.Size, sizes[len(sizes)-1]), first.Addr) - first.Addr}
	for i, s := range sections {
		if end := s.Off + sizes[i]; sizes[i] > 0 && end > p.Off {
			p.Filesz = max(p.Filesz, end-p.Off)
		}
	}
	if typ == uint32(elf.PT_LOAD) {
		p.Align = pageSize
	}
	return p
}

// NameTable is a string table of a file.
type NameTable struct {
	elfwrite.Strings
	at     map[string]uint32
	stated bool // a text has its bytes: no names are added
}

// NewNameTable returns a table with the bytes that a text states; nil for one that gets names.
func NewNameTable(data []byte) *NameTable {
	t := &NameTable{at: map[string]uint32{}, stated: data != nil}
	for from := 0; from < len(data); {
		n := from
		for n < len(data) && data[n] != 0 {
			n++
		}
		if name := string(data[from:n]); n < len(data) {
			if _, ok := t.at[name]; !ok {
				t.at[name] = uint32(from)
			}
		}
		from = n + 1
	}
	return t
}

// Stated reports whether a text has the bytes of the table.
func (t *NameTable) Stated() bool { return t.stated }

// Offset returns the offset of a name, after adding it if the table gets names. It reports false if
// a text has stated a table without it.
func (t *NameTable) Offset(name string) (uint32, bool) {
	at, ok := t.at[name]
	if !ok && !t.stated {
		at, ok = t.Add(name), true
		t.at[name] = at
	}
	return at, ok
}
