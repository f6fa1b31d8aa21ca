package generator

import (
	"debug/elf"
	"fmt"
	"math"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
)

// symbols is a symbol table under construction: the empty symbol first, then
// local ones, then global ones.
type symbols struct {
	f     *elfImage
	syms  []elf.Sym64
	names elf64.Strings
	local int // how many are local
}

func newSymbols(f *elfImage) *symbols {
	return &symbols{f: f, syms: []elf.Sym64{{}}, local: 1}
}

// section adds the symbol of a section.
func (t *symbols) section(index uint32) {
	t.syms = append(t.syms, elf.Sym64{Info: elf.ST_INFO(elf.STB_LOCAL, elf.STT_SECTION), Shndx: uint16(index)})
	t.local++
}

// global adds a function's symbol and returns its index.
func (t *symbols) global(name string, value, size uint64, section uint32) uint32 {
	t.syms = append(t.syms, elf.Sym64{Name: t.names.Add(name), Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC),
		Shndx: uint16(section), Value: value, Size: size})
	return uint32(len(t.syms) - 1)
}

// tables are the sections of the symbols and their names.
func (t *symbols) tables(symtab, strtab string, typ elf.SectionType) (syms, names *elfSection) {
	syms = elf64.NewSection(symtab, typ, 0, 8, t.f.encode(t.syms))
	syms.Info, syms.Entsize = uint32(t.local), elf64.SymSize
	return syms, elf64.NewSection(strtab, elf.SHT_STRTAB, 0, 1, t.names.Bytes())
}

// addSymtab adds .symtab and .strtab.
func (f *elfImage) addSymtab(t *symbols) {
	syms, names := t.tables(".symtab", ".strtab", elf.SHT_SYMTAB)
	syms.Link = f.add(syms) + 1
	f.add(names)
}

// addDynamic adds what a loader requires of a shared object: dynamic symbols,
// their hash table and the dynamic section, in memory after all others.
func (f *elfImage) addDynamic(t *symbols) error {
	at := uint64(0)
	for _, s := range f.Sections {
		at = max(at, s.Addr+s.Size)
	}
	if at > math.MaxUint64-1<<30 {
		return fmt.Errorf("no room after 0x%x for dynamic symbols", at)
	}
	at = (at/pageSize + 2) * pageSize
	soname := t.names.Add("libgenerated.so")
	syms, names := t.tables(".dynsym", ".dynstr", elf.SHT_DYNSYM)
	hash := elf64.NewSection(".hash", elf.SHT_HASH, 0, 8, f.hash(len(t.syms)))
	dynamic := elf64.NewSection(".dynamic", elf.SHT_DYNAMIC, elf.SHF_ALLOC|elf.SHF_WRITE, 8, nil)
	hash.Entsize, dynamic.Entsize = uint64(f.abi.HashWord), 16
	for _, s := range []*elfSection{hash, syms, names} {
		s.Addr, s.Flags = at, uint64(elf.SHF_ALLOC)
		f.add(s)
		at = (at + s.Size + 7) / 8 * 8
	}
	// Writable data start on a page of their own.
	dynamic.Addr = (at/pageSize + 1) * pageSize
	dynamic.Data = f.encode([]elf.Dyn64{
		{Tag: int64(elf.DT_SONAME), Val: uint64(soname)},
		{Tag: int64(elf.DT_HASH), Val: hash.Addr},
		{Tag: int64(elf.DT_STRTAB), Val: names.Addr},
		{Tag: int64(elf.DT_SYMTAB), Val: syms.Addr},
		{Tag: int64(elf.DT_STRSZ), Val: names.Size},
		{Tag: int64(elf.DT_SYMENT), Val: 24},
		{Tag: int64(elf.DT_NULL)},
	})
	f.add(dynamic)
	hash.Link, syms.Link, dynamic.Link = f.index(syms), f.index(names), f.index(names)
	f.addSegment(elf.PT_DYNAMIC, elf.PF_R|elf.PF_W, dynamic)
	return nil
}

// hash makes a table with one chain of n symbols, without the empty one.
func (f *elfImage) hash(n int) []byte {
	words := []uint32{1, uint32(n), 0} // buckets, chains, first bucket
	for i := range n {
		next := uint32(0)
		if i > 0 && i+1 < n {
			next = uint32(i + 1)
		}
		words = append(words, next)
	}
	if n > 1 {
		words[2] = 1
	}
	var b []byte
	for _, w := range words {
		if f.abi.HashWord == 8 {
			b = append(b, f.encode(uint64(w))...)
		} else {
			b = append(b, f.encode(w)...)
		}
	}
	return b
}
