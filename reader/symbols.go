package reader

import (
	"bytes"
	"debug/elf"
	"sync"

	"github.com/sframe-lint/sframe-lint/model"
)

// Symbol is an ELF symbol.
type Symbol struct {
	Name    string // "" where it lies beyond the table of names
	Value   uint64
	Size    uint64
	Section int // section header index; elf.SHN_ABS and the like as they are, see Reserved
	Type    elf.SymType
	Bind    elf.SymBind
	// Reserved tells that Section is no index, though it may look like one in a
	// file of more than 65,279 sections.
	Reserved bool
}

// Symbols is a symbol table, kept as the file's bytes: a symbol costs
// nothing until it is asked for. The bytes are read on first use, which must
// be while the object is visited. It is safe for concurrent use; a nil table
// is an empty one.
type Symbols struct {
	src     source
	big     bool
	rel     bool // values count from sections
	mapping bool // the ABI has mapping symbols ($x, $d)
	exec    func(section int) bool
	place   model.Span // of the symbols in the file
	strtab  model.Span // of their names
	shndx   model.Span // of the section indices that don't fit 16 bits

	tabOnce, strOnce, funcOnce sync.Once
	tab, xtab, str             []byte
	tabErr, strErr             error
	funcs                      intervals
}

// maxSymbolName bounds a name's bytes: a name without end would be copied
// again and again.
const maxSymbolName = 1 << 16

// symbols picks the symbol table, .symtab or else .dynsym, and bounds it by
// what the file has. Nothing is read yet.
func (r *elfReader) symbols() *Symbols {
	secs := r.elf.Sections
	t := &Symbols{src: r.src, big: r.big, rel: r.elf.Relocatable(), mapping: r.elf.ABI().MappingSymbols,
		exec: func(i int) bool { return i >= 0 && i < len(secs) && secs[i].Flags&elf.SHF_EXECINSTR != 0 }}
	find := func(typ elf.SectionType) int {
		for i := range secs {
			if secs[i].Type == typ && secs[i].Size > 0 {
				return i
			}
		}
		return 0
	}
	if r.symtab = find(elf.SHT_SYMTAB); r.symtab == 0 {
		r.symtab = find(elf.SHT_DYNSYM)
	}
	if r.symtab == 0 {
		return t
	}
	s := &secs[r.symtab]
	if s.EntSize != symSize {
		r.damage(s.Header, "symbols of %d bytes, ELF64 has %d", s.EntSize, symSize)
		return t
	}
	whole := false
	if t.place, whole = r.src.clip(s.Offset, s.Size); !whole {
		r.damage(s.place(), "the symbol table reaches beyond the end of the file")
	}
	if s.Link == 0 || s.Link >= uint32(len(secs)) || secs[s.Link].Type != elf.SHT_STRTAB {
		r.damage(s.Header, "sh_link of the symbol table leads to no names")
	} else if t.strtab, whole = r.src.clip(secs[s.Link].Offset, secs[s.Link].Size); !whole {
		r.damage(secs[s.Link].place(), "the symbols' names reach beyond the end of the file")
	}
	for i := range secs {
		if secs[i].Type == elf.SHT_SYMTAB_SHNDX && secs[i].Link == uint32(r.symtab) {
			t.shndx, _ = r.src.clip(secs[i].Offset, secs[i].Size)
		}
	}
	return t
}

// Len returns the number of symbols, including the empty first one.
func (t *Symbols) Len() int {
	if t == nil {
		return 0
	}
	return int(t.place.Len / symSize)
}

// Load reads the symbols, without their names, if nothing has asked for them
// yet. Errors: I/O. Without it, a table that can't be read is empty.
func (t *Symbols) Load() error {
	if t == nil {
		return nil
	}
	t.tabOnce.Do(func() {
		if t.tab, t.tabErr = t.src.read(t.place); t.tabErr == nil {
			t.xtab, t.tabErr = t.src.read(t.shndx)
		}
	})
	return t.tabErr
}

// Err returns the error of reading symbols or names, nil where there was
// none so far.
func (t *Symbols) Err() error {
	if t == nil {
		return nil
	}
	if err := t.Load(); err != nil {
		return err
	}
	t.names()
	return t.strErr
}

func (t *Symbols) names() []byte {
	t.strOnce.Do(func() { t.str, t.strErr = t.src.read(t.strtab) })
	return t.str
}

// rawSymbol is a symbol as it is in the table.
type rawSymbol struct {
	name        uint32
	typ         elf.SymType
	bind        elf.SymBind
	section     int
	special     bool // section is SHN_ABS or the like, no index
	value, size uint64
}

// raw decodes the i-th symbol.
func (t *Symbols) raw(i int) (rawSymbol, bool) {
	if t.Load() != nil || i < 0 || i >= len(t.tab)/symSize {
		return rawSymbol{}, false
	}
	c := newCursor(t.tab[i*symSize:(i+1)*symSize], 0, t.big)
	y := rawSymbol{name: c.u32()}
	info := c.u8()
	y.typ, y.bind = elf.ST_TYPE(info), elf.ST_BIND(info)
	c.u8() // st_other
	y.section = int(c.u16())
	y.value, y.size = c.u64(), c.u64()
	switch {
	case y.section == int(elf.SHN_XINDEX) && 4*i+4 <= len(t.xtab):
		x := newCursor(t.xtab[4*i:], 0, t.big)
		y.section = int(x.u32())
	case y.section >= int(elf.SHN_LORESERVE):
		y.special = true
	}
	return y, true
}

// Symbol returns the i-th symbol, 0 <= i < Len().
func (t *Symbols) Symbol(i int) (Symbol, bool) {
	if t == nil {
		return Symbol{}, false
	}
	y, ok := t.raw(i)
	if !ok {
		return Symbol{}, false
	}
	return Symbol{Name: string(t.name(y.name)), Value: y.value, Size: y.size, Section: y.section, Reserved: y.special, Type: y.typ, Bind: y.bind}, true
}

// Place returns the section that defines the i-th symbol, and the symbol's
// value, without reading its name. ok is false for symbols that are undefined
// or reserved, or are not in the table.
func (t *Symbols) Place(i int) (section int, value uint64, ok bool) {
	if t == nil {
		return 0, 0, false
	}
	y, ok := t.raw(i)
	return y.section, y.value, ok && y.section > 0 && !y.special
}

// name returns the bytes of a name, up to maxSymbolName.
func (t *Symbols) name(off uint32) []byte {
	names := t.names()
	if uint64(off) >= uint64(len(names)) {
		return nil
	}
	b := names[off:]
	b = b[:min(len(b), maxSymbolName)]
	if n := bytes.IndexByte(b, 0); n >= 0 {
		b = b[:n]
	}
	return b
}
