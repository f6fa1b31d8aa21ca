package reader

import (
	"cmp"
	"debug/elf"
)

// Func returns the function symbol at an address. In a relocatable file addr
// counts from the start of the section with index section; in a linked file
// it is a virtual address, and section -1 stands for any.
//
// A symbol that starts at addr comes before one that only covers it. Of
// several that start at one address, those of type FUNC come before untyped
// ones, then a global one before a weak one before a local one (it is the
// name that a linker's map and a debugger show), then one that has a size,
// then the earlier one in the table. Untyped symbols count where the
// section is executable, as hand-written assembly often leaves out .type;
// AArch64's mapping symbols do not.
func (t *Symbols) Func(section int, addr uint64) (Symbol, bool) {
	if t == nil || t.rel && section < 0 {
		return Symbol{}, false
	}
	t.funcOnce.Do(t.indexFuncs)
	space := uint32(0)
	if t.rel {
		space = uint32(section)
	}
	id, ok := t.funcs.match(space, addr, func(i int32) bool {
		if section < 0 || t.rel {
			return true
		}
		y, _ := t.raw(int(i))
		return y.section == section
	})
	if !ok {
		return Symbol{}, false
	}
	return t.Symbol(int(id))
}

// indexFuncs sorts the function symbols by address. A symbol without a size
// covers its first byte.
func (t *Symbols) indexFuncs() {
	for i := range t.Len() {
		y, ok := t.raw(i)
		if !ok {
			return
		}
		if i == 0 || !t.isFunc(&y) {
			continue
		}
		last := y.value + max(y.size, 1) - 1
		if last < y.value {
			last = ^uint64(0)
		}
		space := uint32(0)
		if t.rel {
			space = uint32(y.section)
		}
		t.funcs.add(space, y.value, last, int32(i))
	}
	t.funcs.sort(func(a, b int32) int { return cmp.Compare(t.rank(a), t.rank(b)) })
}

func (t *Symbols) isFunc(y *rawSymbol) bool {
	if y.section == int(elf.SHN_UNDEF) || y.special {
		return false
	}
	switch y.typ {
	case elf.STT_FUNC, elf.STT_GNU_IFUNC:
		return true
	case elf.STT_NOTYPE:
		if t.exec == nil || !t.exec(y.section) {
			return false
		}
		return t.labels(y.name)
	}
	return false
}

// labels reports whether an untyped symbol has a name that is a function's:
// neither empty nor one of AArch64's mapping symbols, $x or $d, alone or with
// a suffix after a dot ("ELF for the Arm 64-bit Architecture").
func (t *Symbols) labels(off uint32) bool {
	names := t.names()
	if uint64(off) >= uint64(len(names)) || names[off] == 0 {
		return false
	}
	b := names[off:min(len(names), int(off)+3)]
	mapping := t.mapping && len(b) == 3 && b[0] == '$' && (b[1] == 'x' || b[1] == 'd') && (b[2] == 0 || b[2] == '.')
	return !mapping
}

// rank says how good a name the symbol gives; higher is better.
func (t *Symbols) rank(i int32) int {
	y, _ := t.raw(int(i))
	r := 0
	if y.typ != elf.STT_NOTYPE {
		r += 8
	}
	switch y.bind {
	case elf.STB_LOCAL:
	case elf.STB_WEAK:
		r += 2
	default:
		r += 4
	}
	if y.size > 0 {
		r++
	}
	return r
}
