package crosscheck

import (
	"debug/elf"
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/reader"
)

// symSize is the size of an ELF64 symbol in bytes.
const symSize = 24

// functions walks the function symbols of a file that have a size and lie in
// executable sections. It reads the table's bytes itself: a large program has
// hundreds of thousands of symbols, and the rules need only three numbers of
// nearly all of them.
type functions struct {
	elf  *reader.ELF
	tab  int // section of the table, 0 for none
	big  bool
	exec []bool // by section header index
}

// functionsOf finds the symbol table that [reader.Symbols] stands for: the
// first .symtab, else the first .dynsym.
func functionsOf(o *reader.Object) functions {
	e := o.ELF
	fs := functions{elf: e, big: e.BigEndian(), exec: make([]bool, len(e.Sections))}
	for i := range e.Sections {
		s := &e.Sections[i]
		fs.exec[i] = isCode(s)
		symtab := s.Type == elf.SHT_SYMTAB && (fs.tab == 0 || e.Sections[fs.tab].Type == elf.SHT_DYNSYM)
		if s.Size > 0 && s.EntSize == symSize && (symtab || s.Type == elf.SHT_DYNSYM && fs.tab == 0) {
			fs.tab = i
		}
	}
	return fs
}

// isCode reports whether the section contains code.
func isCode(s *reader.Section) bool {
	return s.Flags&elf.SHF_ALLOC != 0 && s.Flags&elf.SHF_EXECINSTR != 0 && s.Size > 0 && s.Type != elf.SHT_NOBITS
}

// symbol is a function symbol.
type symbol struct {
	index       int // in the symbol table
	section     int
	value, size uint64
}

// Sets of symbol types, a bit each.
const (
	functionTypes = 1<<elf.STT_FUNC | 1<<elf.STT_GNU_IFUNC
	labelTypes    = 1<<elf.STT_NOTYPE | 1<<elf.STT_OBJECT | functionTypes
)

// each calls yield for every function. Errors: I/O, the budget, and a table that is not in
// the file.
func (fs *functions) each(yield func(symbol)) error {
	return fs.walk(functionTypes, func(y symbol) {
		if y.size > 0 {
			yield(y)
		}
	})
}

// labels calls yield for every other symbol in the code: assembly often leaves
// out type or size.
func (fs *functions) labels(yield func(symbol)) {
	_ = fs.walk(labelTypes, func(y symbol) {
		if y.size == 0 {
			yield(y)
		}
	})
}

// walk calls yield for the symbols of some types that lie in code.
func (fs *functions) walk(types uint16, yield func(symbol)) error {
	return fs.elf.EachEntry(fs.tab, symSize, func(entries []byte, first int) {
		fs.some(entries, first, types, yield)
	})
}

// some is walk for a piece of the table.
func (fs *functions) some(b []byte, i int, types uint16, yield func(symbol)) {
	for ; len(b) >= symSize; i, b = i+1, b[symSize:] {
		if 1<<(b[4]&0xf)&types == 0 {
			continue
		}
		y := symbol{index: i}
		if fs.big {
			y.section, y.value, y.size = int(binary.BigEndian.Uint16(b[6:])), binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint64(b[16:])
		} else {
			y.section, y.value, y.size = int(binary.LittleEndian.Uint16(b[6:])), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:])
		}
		switch {
		case y.section == int(elf.SHN_XINDEX):
			full, _ := fs.elf.Symbols.Symbol(i)
			y.section = full.Section
		case y.section >= int(elf.SHN_LORESERVE):
			continue // no section, though there may be one of that number
		}
		if y.section < len(fs.exec) && fs.exec[y.section] {
			yield(y)
		}
	}
}

// name returns the name of a symbol.
func (fs *functions) name(index int) string {
	y, _ := fs.elf.Symbols.Symbol(index)
	return y.Name
}
