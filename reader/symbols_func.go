package reader

import (
	"cmp"
	"debug/elf"
	"slices"
	"sort"
)

// Func returns the function symbol at an address. In a relocatable file, addr is an offset in the section; in a linked
// file, section may be below 1. Of several symbols it prefers one that starts at addr; then a FUNC, a global, a weak, a
// sized symbol; then the first. It accepts untyped symbols in executable sections, but no mapping symbols of AArch64.
func (t *Symbols) Func(section int, addr uint64) (Symbol, bool) {
	i, ok := t.indexOf(section, addr)
	if !ok {
		return Symbol{}, false
	}
	return t.Symbol(i)
}

// AppendFunc is Func for a caller that does not keep the name. It appends the name to dst and returns the symbol's
// value. The name does not count for the budget.
func (t *Symbols) AppendFunc(dst []byte, section int, addr uint64) ([]byte, uint64, bool) {
	i, ok := t.indexOf(section, addr)
	if !ok {
		return dst, 0, false
	}
	y, ok := t.raw(i)
	if !ok {
		return dst, 0, false
	}
	return t.str.text(dst, int64(y.name), maxSymbolName, 0), y.value, true
}

// indexOf returns the index of the symbol that Func returns.
func (t *Symbols) indexOf(section int, addr uint64) (int, bool) {
	if t.Len() == 0 || t.rel && section < 0 {
		return 0, false
	}
	t.funcOnce.Do(func() {
		if err := t.indexFuncs(); err != nil {
			t.funcs = nil
		}
	})
	return t.cover(section, addr)
}

// function is a function symbol in the table that Func looks into. A
// relocatable file has at most maxSpaces sections with symbols that are found,
// at offsets of up to 1 TiB in each.
type function struct {
	key  uint64 // the address; in a relocatable file, section<<spaceShift | offset
	size uint32 // maxSize: that or more
	id   uint32 // rank<<rankShift | maxID-index: of equal keys, the best is last
}

const (
	functionSize = 16 // bytes
	spaceShift   = 40
	maxSpaces    = 1 << (64 - spaceShift)
	maxSize      = 1<<32 - 1
	rankShift    = 28
	maxID        = 1<<rankShift - 1
)

// key returns where a function is in the table.
func (t *Symbols) key(section int, addr uint64) (uint64, bool) {
	if !t.rel {
		return addr, true
	}
	return uint64(section)<<spaceShift | addr, section >= 0 && section < maxSpaces && addr < 1<<spaceShift
}

// index returns the symbol's index.
func (f *function) index() int { return maxID - int(f.id&maxID) }

// indexFuncs sorts the function symbols by address. A symbol without a size
// covers its first byte.
func (t *Symbols) indexFuncs() error {
	n := int64(0)
	if err := t.eachFunc(func(function) { n++ }); err != nil {
		return err
	}
	if err := t.src.hold(n * functionSize); err != nil {
		return err
	}
	t.funcs = make([]function, 0, n)
	if err := t.eachFunc(func(f function) { t.funcs = append(t.funcs, f) }); err != nil {
		return err
	}
	slices.SortFunc(t.funcs, func(a, b function) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.id, b.id))
	})
	return nil
}

// eachFunc passes on the function symbols, in their order.
func (t *Symbols) eachFunc(yield func(function)) error {
	return t.each(func(i int, y *rawSymbol) {
		if i == 0 || i > maxID || !t.isFunc(y) {
			return
		}
		if key, ok := t.key(y.section, y.value); ok {
			yield(function{key, uint32(min(y.size, maxSize)), uint32(rank(y.typ, y.bind, y.size))<<rankShift | uint32(maxID-i)})
		}
	})
}

// Each calls yield for all symbols in order, with their indices and without their names. Errors: I/O and the budget.
func (t *Symbols) Each(yield func(i int, y Symbol)) error {
	return t.each(func(i int, y *rawSymbol) { yield(i, y.nameless()) })
}

// EachNamed calls yield for the symbols that satisfy wanted, with their names. A name is valid only during the call;
// again says that it equals the previous one. Names do not count for the budget. It stops if the table cannot be
// read: see Err.
func (t *Symbols) EachNamed(wanted func(y Symbol) bool, yield func(i int, y Symbol, name []byte, again bool)) {
	var name []byte
	at, any := uint32(0), false
	_ = t.each(func(i int, y *rawSymbol) {
		s := y.nameless()
		if !wanted(s) {
			return
		}
		again := any && y.name == at
		if !again {
			name, at, any = t.str.text(name[:0], int64(y.name), maxSymbolName, 0), y.name, true
		}
		yield(i, s, name, again)
	})
}

func (t *Symbols) each(yield func(i int, y *rawSymbol)) error {
	if t == nil || t.tab == nil {
		return nil
	}
	var y rawSymbol // of all symbols, as yield may keep none
	entries := func(b []byte, at int64) error {
		for i := int((at - t.tab.place.Off) / symSize); len(b) >= symSize; i, b = i+1, b[symSize:] {
			y = t.decode(b, i)
			yield(i, &y)
		}
		return nil
	}
	if err := t.Load(); err != nil {
		return err
	}
	if t.tab.slots == nil {
		if err := t.src.budget.Step(int64(t.Len())); err != nil {
			return t.src.fail(err)
		}
		return entries(t.tab.whole, t.tab.place.Off)
	}
	return t.tab.src.each(t.tab.place, symSize, entries)
}

// cover returns the index of the function that starts last among those that
// contain the address.
func (t *Symbols) cover(section int, addr uint64) (int, bool) {
	key, ok := t.key(section, addr)
	if !ok {
		return 0, false
	}
	n := t.upTo(key)
	for i := n - 1; i >= 0 && i >= n-maxSteps; i-- {
		f := &t.funcs[i]
		if t.rel && f.key>>spaceShift != key>>spaceShift {
			break
		}
		inside := key-f.key < max(uint64(f.size), 1)
		if !inside && f.size == maxSize {
			y, _ := t.raw(f.index())
			inside = key-f.key < y.size
		}
		if !inside {
			continue
		}
		if section <= 0 || t.rel {
			return f.index(), true
		}
		if y, _ := t.raw(f.index()); y.section == section {
			return f.index(), true
		}
	}
	return 0, false
}

// upTo returns how many functions start at a key or before. Callers mostly ask for one function
// after the other.
func (t *Symbols) upTo(key uint64) int {
	n := int(t.near.Load())
	for range 2 {
		if n > len(t.funcs) || n > 0 && t.funcs[n-1].key > key {
			break
		}
		if n == len(t.funcs) || t.funcs[n].key > key {
			t.near.Store(int32(n))
			return n
		}
		n++
	}
	n = sort.Search(len(t.funcs), func(i int) bool { return t.funcs[i].key > key })
	t.near.Store(int32(n))
	return n
}

func (t *Symbols) isFunc(y *rawSymbol) bool {
	if y.section == int(elf.SHN_UNDEF) || y.special {
		return false
	}
	switch y.typ {
	case elf.STT_FUNC, elf.STT_GNU_IFUNC:
		return true
	case elf.STT_NOTYPE:
		if y.section < 0 || y.section >= len(t.secs) || t.secs[y.section].Flags&elf.SHF_EXECINSTR == 0 {
			return false
		}
		return t.labels(y.name)
	}
	return false
}

// labels reports whether an untyped symbol has a name that is a function's:
// neither empty nor one of AArch64's mapping symbols, $x or $d, without or with
// a suffix after a dot ("ELF for the Arm 64-bit Architecture").
func (t *Symbols) labels(off uint32) bool {
	var b [3]byte
	n := t.str.copy(b[:], int64(off))
	mapping := t.mapping && n == 3 && b[0] == '$' && (b[1] == 'x' || b[1] == 'd') && (b[2] == 0 || b[2] == '.')
	return n > 0 && b[0] != 0 && !mapping
}

// Rank returns how well the symbol names the code at its address, in the order of [Symbols.Func]: 0 to 15, higher is
// better.
func (y *Symbol) Rank() int { return rank(y.Type, y.Bind, y.Size) }

func rank(typ elf.SymType, bind elf.SymBind, size uint64) int {
	r := 0
	if typ != elf.STT_NOTYPE {
		r += 8
	}
	switch bind {
	case elf.STB_LOCAL:
	case elf.STB_WEAK:
		r += 2
	default:
		r += 4
	}
	if size > 0 {
		r++
	}
	return r
}
