package reader

import (
	"debug/elf"
	"sync"
	"sync/atomic"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// Symbol is an ELF symbol.
type Symbol struct {
	Name    string // "" if it is beyond the string table
	Value   uint64
	Size    uint64
	Section int // section header index, or a reserved value such as elf.SHN_ABS: see Reserved
	Type    elf.SymType
	Bind    elf.SymBind
	// Hidden says that the visibility is not STV_DEFAULT. A hidden local symbol was global in its input.
	Hidden bool
	// Reserved says that Section is a reserved value. In a file of more than 65,279 sections, an index may have the
	// same number.
	Reserved bool
}

// Symbols is a symbol table, safe for concurrent use; nil is an empty table. It is read on first use, which must be
// while the object is visited. It decodes symbols on demand and keeps only a part of a large table in memory.
type Symbols struct {
	src     source
	big     bool
	rel     bool // values count from sections
	cut     bool // the table reaches beyond the file
	mapping bool // the ABI has mapping symbols ($x, $d)
	secs    []Section
	tab     *pages // the symbols; nil for none
	str     pages  // their names
	xtab    pages  // the section indices that don't fit 16 bits
	table   pages  // of tab

	lastMu sync.Mutex
	buf    []byte // of the name that was read last
	lastAt uint32
	last   string

	funcOnce sync.Once
	funcs    []function
	near     atomic.Int32 // what upTo returned last
}

// maxSymbolName bounds a name's bytes: a name without end would be copied
// again and again.
const maxSymbolName = 1 << 16

// symbols picks the symbol table, .symtab or else .dynsym, and bounds it by
// what the file has. Nothing is read yet.
func (r *elfReader) symbols() *Symbols {
	secs := r.elf.Sections
	t := &Symbols{src: r.src, big: r.big, rel: r.elf.Relocatable(), mapping: r.elf.ABI().MappingSymbols, secs: secs}
	find := func(typ elf.SectionType) int {
		for i := range secs {
			if secs[i].Type == typ && secs[i].Size > 0 {
				return i
			}
		}
		return 0
	}
	for i := range secs {
		if s := &secs[i]; s.Type == elf.SHT_SYMTAB && s.EntSize == symSize && uint64(s.Info) > s.Size/symSize {
			r.damage(s.Header, "a symbol table of %d bytes with %d local symbols", s.Size, s.Info)
			break
		}
	}
	if r.symtab = find(elf.SHT_SYMTAB); r.symtab == 0 {
		r.symtab = find(elf.SHT_DYNSYM)
	}
	if r.symtab == 0 {
		if len(secs) == 0 && !t.rel {
			r.dynamic(t)
		}
		return t
	}
	s := &secs[r.symtab]
	if s.EntSize != symSize {
		r.damage(s.Header, "symbols of %d bytes, ELF64 has %d", s.EntSize, symSize)
		return t
	}
	// in fills in pages, and reports whether the file has all of them.
	in := func(s *Section, p *pages) (whole bool) {
		p.src = r.src
		p.place, whole = r.src.clip(s.Offset, s.Size)
		return whole
	}
	t.tab = &t.table
	if t.cut = !in(s, t.tab); t.cut {
		r.damage(r.place(s), "the symbol table reaches beyond the end of the file")
	} else if s.Size%symSize != 0 {
		r.damage(r.place(s), "the last symbol is not whole")
	}
	if s.Link == 0 || s.Link >= uint32(len(secs)) || secs[s.Link].Type != elf.SHT_STRTAB {
		r.damage(s.Header, "sh_link of the symbol table leads to no names")
	} else if !in(&secs[s.Link], &t.str) {
		r.damage(r.place(&secs[s.Link]), "the symbols' names reach beyond the end of the file")
	}
	for i := range secs {
		if secs[i].Type == elf.SHT_SYMTAB_SHNDX && secs[i].Link == uint32(r.symtab) {
			in(&secs[i], &t.xtab)
		}
	}
	return t
}

// Len returns the number of symbols, including the empty first one.
func (t *Symbols) Len() int {
	if t == nil || t.tab == nil {
		return 0
	}
	return int(t.tab.place.Len / symSize)
}

// Whole reports whether the file contains the whole table.
func (t *Symbols) Whole() bool { return !t.cut }

// Load reads the symbols without their names, once. Errors: I/O and the budget. Without this call, an unreadable
// table seems to be empty.
func (t *Symbols) Load() error {
	if t == nil || t.tab == nil {
		return nil
	}
	if err := t.tab.load(); err != nil {
		return err
	}
	return t.xtab.load()
}

// Err returns the error of reading symbols or names, or nil.
func (t *Symbols) Err() error {
	if t == nil || t.tab == nil {
		return nil
	}
	if err := t.Load(); err != nil {
		return err
	}
	if err := t.str.load(); err != nil {
		return err
	}
	return t.src.first()
}

// rawSymbol is a symbol as it is in the table.
type rawSymbol struct {
	name        uint32
	typ         elf.SymType
	bind        elf.SymBind
	hidden      bool
	section     int
	special     bool // section is SHN_ABS or the like, no index
	value, size uint64
}

// nameless returns the symbol without its name.
func (y *rawSymbol) nameless() Symbol {
	return Symbol{Value: y.value, Size: y.size, Section: y.section, Reserved: y.special, Type: y.typ, Bind: y.bind, Hidden: y.hidden}
}

// raw decodes the i-th symbol.
func (t *Symbols) raw(i int) (rawSymbol, bool) {
	if i < 0 || i >= t.Len() {
		return rawSymbol{}, false
	}
	var b [symSize]byte
	if t.tab.copy(b[:], int64(i)*symSize) < symSize || t.src.budget.Spend(budget.Work, 1) != nil {
		return rawSymbol{}, false
	}
	return t.decode(b[:], i), true
}

// decode decodes the i-th symbol from its bytes.
func (t *Symbols) decode(b []byte, i int) rawSymbol {
	f := number.Fields{B: b, Big: t.big}
	y := rawSymbol{name: f.U32(0), section: int(f.U16(6)), value: f.U64(8), size: f.U64(16)}
	y.typ, y.bind, y.hidden = elf.ST_TYPE(b[4]), elf.ST_BIND(b[4]), elf.ST_VISIBILITY(b[5]) != elf.STV_DEFAULT
	var x [4]byte
	switch {
	case y.section == int(elf.SHN_XINDEX) && t.xtab.copy(x[:], 4*int64(i)) == 4:
		y.section = int(number.U32(x[:], t.big))
	case y.section >= int(elf.SHN_LORESERVE):
		y.special = true
	}
	return y
}

// Symbol returns the i-th symbol, 0 <= i < Len().
func (t *Symbols) Symbol(i int) (Symbol, bool) {
	y, ok := t.raw(i)
	if !ok {
		return Symbol{}, false
	}
	s := y.nameless()
	s.Name = t.name(y.name)
	return s, true
}

// Place returns the section that defines the i-th symbol, and the symbol's value, without reading its name. ok is
// false if the symbol is undefined, reserved or not in the table.
func (t *Symbols) Place(i int) (section int, value uint64, ok bool) {
	y, ok := t.raw(i)
	return y.section, y.value, ok && y.section > 0 && !y.special
}

// name returns a name, up to maxSymbolName bytes of it; "" when the budget of names is
// exceeded.
func (t *Symbols) name(off uint32) string {
	t.lastMu.Lock()
	defer t.lastMu.Unlock()
	if t.lastAt != off || t.last == "" { // many symbols may share a name
		b := t.src.budget
		if b.Over(budget.Names) {
			return ""
		}
		t.buf = t.str.text(t.buf[:0], int64(off), maxSymbolName, 0)
		t.last, _ = b.Name(t.buf)
		t.lastAt = off
	}
	return t.last
}

// maxDynamic bounds the bytes of the dynamic section and of a chain of hashes that are read.
const maxDynamic = 1 << 12

// dynamic makes t the symbols that the dynamic linker finds in a file without section headers, if the file says how many
// there are.
func (r *elfReader) dynamic(t *Symbols) {
	tags := map[elf.DynTag]uint64{}
	for i := range r.elf.Segments {
		if s := &r.elf.Segments[i]; s.Type == elf.PT_DYNAMIC {
			for b := r.loaded(s.Vaddr, min(s.Filesz, maxDynamic)); len(b) >= 16 && number.U64(b, t.big) != uint64(elf.DT_NULL); b = b[16:] {
				tags[elf.DynTag(number.U64(b, t.big))] = number.U64(b[8:], t.big)
			}
			break
		}
	}
	symbols, ok := r.elf.LoadedAt(tags[elf.DT_SYMTAB])
	names, found := r.elf.LoadedAt(tags[elf.DT_STRTAB])
	if n := r.hashed(tags, t.big); ok && found && n > 0 {
		t.tab = &t.table
		t.table.src, t.table.place = r.src, model.Span{Off: symbols.Off, Len: min(symbols.Len, n*symSize)}
		t.str.src, t.str.place = r.src, model.Span{Off: names.Off, Len: int64(min(uint64(names.Len), tags[elf.DT_STRSZ]))}
	}
}

// hashed returns the number of dynamic symbols by the hash table of GNU: the last one is at the end of a chain.
func (r *elfReader) hashed(tags map[elf.DynTag]uint64, big bool) int64 {
	at := tags[elf.DT_GNU_HASH]
	head := r.loaded(at, 16)
	if len(head) < 16 {
		return 0
	}
	n, first := uint64(number.U32(head, big)), number.U32(head[4:], big)
	at += 16 + 8*uint64(number.U32(head[8:], big))
	last := uint32(0)
	for b := r.loaded(at, 4*n); len(b) >= 4; b = b[4:] {
		last = max(last, number.U32(b, big))
	}
	if last < first {
		return int64(first)
	}
	end := int64(last) + 1
	for b := r.loaded(at+4*n+4*uint64(last-first), maxDynamic); len(b) >= 4 && number.U32(b, big)&1 == 0; b = b[4:] {
		end++
	}
	return end
}

// loaded returns at most n bytes at a virtual address.
func (r *elfReader) loaded(addr, n uint64) []byte {
	sp, ok := r.elf.LoadedAt(addr)
	if !ok {
		return nil
	}
	sp.Len = int64(min(uint64(sp.Len), n))
	b, err := r.src.read(sp)
	if err != nil {
		return nil
	}
	return b
}
