package table

import (
	"cmp"
	"debug/elf"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/reader"
)

// block is code that is listed together: what a symbol, an FDE or CFI describes, or what lies between.
type block struct {
	address
	end  uint64
	area int32 // of areas
	gap  bool  // nothing describes it
}

// begin is where something that describes code begins and ends.
type begin struct {
	address
	end uint64
}

// begins collects what begins code, each once.
type begins struct {
	t      *Table
	all    []begin
	sorted int   // of all, which are in order
	held   int64 // bytes of memory that have been counted
}

// compare orders by place, and what ends last first.
func (b begin) order(c begin) int {
	return cmp.Or(b.address.compare(c.address), cmp.Compare(c.end, b.end))
}

// add adds something that describes code, unless another source describes the same.
func (x *begins) add(section uint32, start, end uint64) {
	b := begin{address{section, start}, max(start, end)}
	if _, ok := slices.BinarySearchFunc(x.all[:x.sorted], b, begin.order); !ok {
		x.append(b)
	}
}

// append adds without a look at the others.
func (x *begins) append(b begin) {
	x.held += grow(x.t, &x.all, b, beginCost)
}

// sort puts all in order.
func (x *begins) sort() {
	slices.SortFunc(x.all, begin.order)
	x.all = slices.Compact(x.all)
	x.sorted = len(x.all)
}

// drop gives back the memory.
func (x *begins) drop() {
	x.t.Object.Drop(x.held)
	x.all, x.held = nil, 0
}

// findBlocks divides the code at the starts of symbols, FDEs and CFI.
func (t *Table) findBlocks() {
	x := &begins{t: t}
	defer x.drop()
	for _, f := range t.fdes {
		x.add(f.section, f.addr, f.end)
	}
	x.sort()
	t.frames.Each(func(section uint32, start, end uint64, _ cfi.FDE) bool {
		x.add(section, start, end)
		return t.err == nil
	})
	x.sort()
	areas := t.executable()
	labels := &begins{t: t}
	defer labels.drop()
	t.symbols(areas, x, labels)
	x.sort()
	known := x.all
	for _, l := range labels.all { // of assembly: they divide only what nothing else describes
		if t.label(l.address) && !covered(known, l.address) {
			x.append(l)
		}
	}
	x.sort()
	t.divide(areas, x.all)
}

// label reports whether a symbol without a type is one of code, not a mapping symbol.
func (t *Table) label(p address) bool {
	y, ok := t.Object.ELF.Symbols.Func(t.sectionOf(p), p.addr)
	return ok && y.Value == p.addr
}

// covered reports whether something describes the code at a place.
func covered(all []begin, p address) bool {
	i, exact := slices.BinarySearchFunc(all, p, begin.compare)
	for back := 1; !exact && back <= 8 && back <= i; back++ {
		b := &all[i-back]
		exact = b.section == p.section && p.addr < b.end
	}
	return exact
}

// symbols collects the function symbols, and those without a type.
func (t *Table) symbols(areas []area, functions, untyped *begins) {
	code := map[int]bool{}
	for i := range areas {
		code[areas[i].index] = true
	}
	failed := t.Object.ELF.Symbols.Each(func(_ int, y reader.Symbol) {
		if t.err != nil || y.Reserved || !code[y.Section] {
			return
		}
		at := uint32(0)
		if t.relocatable() {
			at = uint32(y.Section)
		}
		switch y.Type {
		case elf.STT_FUNC, elf.STT_GNU_IFUNC:
			functions.add(at, y.Value, y.Value+y.Size)
		case elf.STT_NOTYPE:
			untyped.append(begin{address{at, y.Value}, y.Value + y.Size})
		}
	})
	_ = failed // a table that cannot be read is a finding
}

// divide makes the blocks of each area. begins are in order.
func (t *Table) divide(areas []area, begins []begin) {
	t.names = &names{t: t, areas: areas}
	for k := range areas {
		a := &areas[k]
		i, _ := slices.BinarySearchFunc(begins, a.address, begin.compare)
		pos, end := a.addr, a.addr // described up to end
		if a.stub {
			t.stubs(int32(k), a)
			continue
		}
		for ; i < len(begins) && begins[i].section == a.section && begins[i].addr < a.end; i++ {
			b := &begins[i]
			if b.addr > pos {
				t.addCode(int32(k), a, pos, min(end, b.addr), b.addr)
				pos = b.addr
			}
			end = max(end, min(b.end, a.end))
			if b.end == b.addr && end == b.addr { // without a size, up to the next one
				end = a.end
				if j := i + 1; j < len(begins) && begins[j].section == a.section {
					end = min(end, max(begins[j].addr, b.addr))
				}
			}
		}
		t.addCode(int32(k), a, pos, min(end, a.end), a.end)
	}
}

// block adds a block.
func (t *Table) block(b block) { grow(t, &t.blocks, b, blockCost) }

// addCode adds the code from pos up to an end, and what lies between that and the next block.
func (t *Table) addCode(area int32, a *area, pos, end, next uint64) {
	if end > pos {
		t.block(block{address{a.section, pos}, end, area, false})
		pos = end
	}
	if next > pos {
		t.block(block{address{a.section, pos}, next, area, true})
	}
}

// stubs adds a block for each stub of a linker.
func (t *Table) stubs(area int32, a *area) {
	step := a.step
	if step == 0 || step > 64 || step%4 != 0 {
		if step = 16; a.name == ".plt.got" {
			step = 8
		}
	}
	if (a.end-a.addr)/step > maxStubs {
		t.block(block{a.address, a.end, area, true})
		return
	}
	for at := a.addr; at < a.end; at += step {
		t.block(block{address{a.section, at}, min(at+step, a.end), area, false})
	}
}

// maxStubs is more than the stubs of a real section.
const maxStubs = 1 << 20
