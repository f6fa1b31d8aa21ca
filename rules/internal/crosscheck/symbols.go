package crosscheck

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/reader"
)

// functions walks the function symbols of a file that have a size and lie in
// executable sections.
type functions struct {
	symbols *reader.Symbols
	exec    []bool // by section header index
}

func functionsOf(o *reader.Object) functions {
	e := o.ELF
	fs := functions{symbols: e.Symbols, exec: make([]bool, len(e.Sections))}
	for i := range e.Sections {
		fs.exec[i] = isCode(&e.Sections[i])
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

// each calls yield for every function. Errors: I/O and the budget.
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
	return fs.symbols.Each(func(i int, y reader.Symbol) {
		if types>>y.Type&1 != 0 && !y.Reserved && y.Section < len(fs.exec) && fs.exec[y.Section] {
			yield(symbol{i, y.Section, y.Value, y.Size})
		}
	})
}

// name returns the name of a symbol.
func (fs *functions) name(index int) string {
	y, _ := fs.symbols.Symbol(index)
	return y.Name
}
