package reader

import "debug/elf"

// Symbol is an ELF symbol.
type Symbol struct {
	Name    string
	Value   uint64
	Size    uint64
	Section int // section header index; elf.SHN_ABS and the like as they are
	Type    elf.SymType
	Bind    elf.SymBind
}

// Symbols is a symbol table, kept as the file's bytes: a symbol costs
// nothing until it is asked for.
type Symbols struct{}
