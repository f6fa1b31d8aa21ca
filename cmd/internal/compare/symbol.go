package compare

import (
	"cmp"
	"debug/elf"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/sframe-lint/sframe-lint/budget"
	"github.com/sframe-lint/sframe-lint/reader"
)

// symbols are the function symbols that an object defines.
type symbols struct {
	all    []symbol // by place; of those at one place, the best is first
	byName []int32  // indices into all
}

// symbol is a name of a place: in a section of a relocatable file, or at an address
// (section -1).
type symbol struct {
	value   uint64
	section int32
	order   uint32 // lower is better; the index in the table decides last
	name    string
}

// maxAliases limits the names of a place.
const maxAliases = 64

// symbolCost is the bytes of a symbol, with its places in byName and in the indices
// of a comparison.
var symbolCost = int64(reflect.TypeFor[symbol]().Size()) + 4 + 8

func (y *symbol) compare(section int32, value uint64) int {
	return cmp.Or(cmp.Compare(y.section, section), cmp.Compare(y.value, value))
}

// readSymbols reads the function symbols that the object defines.
func (u *Unit) readSymbols(o *reader.Object) error {
	if o.ELF == nil {
		return nil
	}
	t := o.ELF.Symbols
	for i := range t.Len() {
		if i%step == 0 {
			if err := u.budget.Step(step); err != nil {
				return err
			}
		}
		typ, ok := t.Type(i)
		if !ok {
			break // the rest can't be read, or the budget is exceeded
		}
		if typ != elf.STT_FUNC && typ != elf.STT_GNU_IFUNC && typ != elf.STT_NOTYPE {
			continue // its name is not needed
		}
		y, _ := t.Symbol(i)
		if !isFunc(o.ELF, y) {
			continue
		}
		if err := u.budget.Spend(budget.Memory, symbolCost); err != nil {
			return err
		}
		s := symbol{value: y.Value, section: -1, order: uint32(maxRank-y.Rank())<<28 | uint32(i)&(1<<28-1), name: y.Name}
		if !u.Linked {
			s.section = int32(y.Section)
		}
		u.symbols.all = append(u.symbols.all, s)
	}
	u.symbols.index()
	return nil
}

// maxRank is more than the rank of any symbol.
const maxRank = 15

// isFunc reports whether a symbol defines a function, by its type or, as
// hand-written assembly often lacks it, by its section. Mapping symbols ($x,
// $d.3) and local labels define none.
func isFunc(e *reader.ELF, y reader.Symbol) bool {
	if y.Section <= 0 || y.Section >= len(e.Sections) || y.Name == "" {
		return false
	}
	switch y.Type {
	case elf.STT_FUNC, elf.STT_GNU_IFUNC:
		return true
	case elf.STT_NOTYPE:
		return e.Sections[y.Section].Flags&elf.SHF_EXECINSTR != 0 &&
			!strings.HasPrefix(y.Name, "$") && !strings.HasPrefix(y.Name, ".L")
	}
	return false
}

// index sorts the symbols, and drops the second of a name at one place and those
// beyond maxAliases.
func (s *symbols) index() {
	slices.SortFunc(s.all, func(a, b symbol) int {
		return cmp.Or(a.compare(b.section, b.value), cmp.Compare(a.order, b.order))
	})
	kept := s.all[:0]
	first := 0 // at its place
	for _, y := range s.all {
		if len(kept) > 0 && kept[first].compare(y.section, y.value) != 0 {
			first = len(kept)
		}
		if here := kept[first:]; len(here) < maxAliases &&
			!slices.ContainsFunc(here, func(x symbol) bool { return x.name == y.name }) {
			kept = append(kept, y)
		}
	}
	clear(s.all[len(kept):])
	s.all = kept
	s.byName = make([]int32, len(kept))
	for i := range s.byName {
		s.byName[i] = int32(i)
	}
	slices.SortFunc(s.byName, func(a, b int32) int { return cmp.Or(strings.Compare(s.all[a].name, s.all[b].name), cmp.Compare(a, b)) })
}

// at returns the index of the best symbol at a place, -1 for none.
func (s *symbols) at(section int32, value uint64) int32 {
	i := sort.Search(len(s.all), func(i int) bool { return s.all[i].compare(section, value) >= 0 })
	if i == len(s.all) || s.all[i].compare(section, value) != 0 {
		return -1
	}
	return int32(i)
}

// group returns the symbols at the place of the one with index i, which is the first.
func (s *symbols) group(i int32) []symbol {
	all, end := s.all[i:], 1
	for end < len(all) && all[end].compare(all[0].section, all[0].value) == 0 {
		end++
	}
	return all[:end]
}

// has reports whether there is a symbol with a name.
func (s *symbols) has(name string) bool {
	i := sort.Search(len(s.byName), func(i int) bool { return s.all[s.byName[i]].name >= name })
	return i < len(s.byName) && s.all[s.byName[i]].name == name
}

// named returns the indices of the symbols with a name, by place.
func (s *symbols) named(name string) []int32 {
	from := sort.Search(len(s.byName), func(i int) bool { return s.all[s.byName[i]].name >= name })
	to := from
	for to < len(s.byName) && s.all[s.byName[to]].name == name {
		to++
	}
	return s.byName[from:to]
}

// names returns the number of different names.
func (s *symbols) names() int {
	n := 0
	for i, y := range s.byName {
		if i == 0 || s.all[s.byName[i-1]].name != s.all[y].name {
			n++
		}
	}
	return n
}
