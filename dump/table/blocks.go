package table

import (
	"debug/elf"
	"slices"

	"github.com/sframe-lint/sframe-lint/ehframe"
	"github.com/sframe-lint/sframe-lint/reader"
)

// block is code that is listed together: what a symbol, an FDE or CFI describes, or what lies between.
type block struct {
	place
	end  uint64
	area int32 // of areas
	gap  bool  // nothing describes it
}

// begin is where something that describes code begins and ends.
type begin struct {
	place
	end uint64
}

// findBlocks divides the code at the starts of symbols, FDEs and CFI.
func (t *Table) findBlocks() error {
	var begins []begin
	add := func(section uint32, start, end uint64) error {
		if len(begins)%1024 == 0 {
			if err := t.Object.Hold(1024 * blockCost); err != nil {
				return err
			}
		}
		begins = append(begins, begin{place{section, start}, end})
		return nil
	}
	for _, f := range t.fdes {
		if err := add(f.section, f.addr, f.end); err != nil {
			return err
		}
	}
	var err error
	t.frames.Each(func(section uint32, start, end uint64, _ ehframe.FDE) bool {
		err = add(section, start, end)
		return err == nil
	})
	if err != nil {
		return err
	}
	areas := t.executable()
	labels, err := t.symbols(areas, add)
	if err != nil {
		return err
	}
	byPlace := func(a, b begin) int { return a.compare(b.place) }
	slices.SortStableFunc(begins, byPlace)
	known := len(begins)
	for _, l := range labels { // of assembly: they divide only what nothing else describes
		if !covered(begins[:known], l.place) {
			begins = append(begins, l)
		}
	}
	slices.SortStableFunc(begins, byPlace)
	t.divide(areas, begins)
	return nil
}

// covered reports whether something describes the code at a place.
func covered(all []begin, p place) bool {
	i, exact := slices.BinarySearchFunc(all, p, func(b begin, p place) int { return b.compare(p) })
	for back := 1; !exact && back <= 8 && back <= i; back++ {
		b := &all[i-back]
		exact = b.section == p.section && p.addr < b.end
	}
	return exact
}

// symbols passes on the function symbols, and returns those without a type.
func (t *Table) symbols(areas []area, add func(section uint32, start, end uint64) error) (labels []begin, err error) {
	e := t.Object.ELF
	code := map[int]bool{}
	for i := range areas {
		code[areas[i].index] = true
	}
	var untyped []begin
	failed := e.Symbols.Each(func(_ int, y reader.Symbol) {
		if err != nil || y.Reserved || !code[y.Section] {
			return
		}
		at := uint32(0)
		if t.relocatable() {
			at = uint32(y.Section)
		}
		switch y.Type {
		case elf.STT_FUNC, elf.STT_GNU_IFUNC:
			err = add(at, y.Value, y.Value+y.Size)
		case elf.STT_NOTYPE:
			if len(untyped)%1024 == 0 {
				err = t.Object.Hold(1024 * blockCost)
			}
			untyped = append(untyped, begin{place{at, y.Value}, y.Value + y.Size})
		}
	})
	if err != nil || failed != nil {
		return nil, err // a table that cannot be read is a finding
	}
	for _, b := range untyped {
		section := -1
		if t.relocatable() {
			section = int(b.section)
		}
		if y, ok := e.Symbols.Func(section, b.addr); ok && y.Value == b.addr { // not a mapping symbol
			labels = append(labels, b)
		}
	}
	return labels, nil
}

// divide makes the blocks of each area. begins are in order.
func (t *Table) divide(areas []area, begins []begin) {
	t.names = &names{areas: areas}
	for k := range areas {
		a := &areas[k]
		i, _ := slices.BinarySearchFunc(begins, a.place, func(b begin, p place) int { return b.compare(p) })
		pos, end := a.addr, a.addr // described up to end
		if a.stub {
			t.stubs(int32(k), a)
			continue
		}
		for ; i < len(begins) && begins[i].section == a.section && begins[i].addr < a.end; i++ {
			b := &begins[i]
			if b.addr > pos {
				t.cut(int32(k), a, pos, min(end, b.addr), b.addr)
				pos = b.addr
			}
			end = max(end, min(b.end, a.end))
			if b.end == b.addr && end == b.addr { // without a size, up to the next one
				end = a.end
				if j := i + 1; j < len(begins) && begins[j].section == a.section {
					for j+1 < len(begins) && begins[j].place == b.place {
						j++
					}
					end = min(end, max(begins[j].addr, b.addr))
				}
			}
		}
		t.cut(int32(k), a, pos, min(end, a.end), a.end)
	}
}

// cut adds the code from pos up to an end, and what lies between that and the next block.
func (t *Table) cut(area int32, a *area, pos, end, next uint64) {
	if end > pos {
		t.blocks = append(t.blocks, block{place{a.section, pos}, end, area, false})
		pos = end
	}
	if next > pos {
		t.blocks = append(t.blocks, block{place{a.section, pos}, next, area, true})
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
		t.blocks = append(t.blocks, block{a.place, a.end, area, true})
		return
	}
	for at := a.addr; at < a.end; at += step {
		t.blocks = append(t.blocks, block{place{a.section, at}, min(at+step, a.end), area, false})
	}
}

// maxStubs is more than the stubs of a real section.
const maxStubs = 1 << 20
