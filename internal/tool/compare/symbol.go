package compare

import (
	"bytes"
	"cmp"
	"debug/elf"
	"hash/maphash"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/reader"
)

// symbols are the function symbols that an object defines.
type symbols struct {
	all    []symbol // by place; of those at one place, the best is first
	byName []uint64 // name<<32 | index into all; nil before it is needed
	near   int      // what at returned last
	after  int      // the end of what named returned last
}

// symbol is a name of a place: in a section of a relocatable file, or at an address
// (section -1).
type symbol struct {
	value   uint64
	section int32
	weak    bool
	order   uint32 // lower is better; the index in the table decides last
	name    uint32 // in the loader's table
}

// maxAliases limits the names of a place.
const maxAliases = 64

// symbolCost is the bytes of a symbol, with its places in byName and in the indices
// of a comparison.
var symbolCost = int64(reflect.TypeFor[symbol]().Size()) + 8 + 8

func (y *symbol) compare(section int32, value uint64) int {
	return cmp.Or(cmp.Compare(y.section, section), cmp.Compare(y.value, value))
}

// readSymbols reads the function symbols that the object defines.
func (u *Unit) readSymbols(o *reader.Object) error {
	if o.ELF == nil {
		return nil
	}
	var err error
	var last uint32
	var full error // the budget of names does not allow the last one
	pay := func(n int64) error { return u.budget.Spend(budget.Names, n) }
	wanted := func(y reader.Symbol) bool { return err == nil && isFunc(o.ELF, y) }
	room := o.ELF.Symbols.Len() // that is paid
	if u.budget.Spend(budget.Memory, int64(room)*symbolCost) != nil {
		room = 0
	}
	u.symbols.all = make([]symbol, 0, room)
	o.ELF.Symbols.EachNamed(wanted, func(i int, y reader.Symbol, name []byte, again bool) {
		if len(name) == 0 || y.Type == elf.STT_NOTYPE && local(name) {
			return
		}
		if !again {
			last, full = u.names.id(name, pay)
		}
		if full != nil {
			return
		}
		if len(u.symbols.all) >= room {
			if err = u.budget.Spend(budget.Memory, symbolCost); err != nil {
				return
			}
		}
		s := symbol{value: y.Value, section: -1, weak: y.Bind == elf.STB_WEAK, order: uint32(maxRank-y.Rank())<<28 | uint32(i)&(1<<28-1), name: last}
		if !u.Linked {
			s.section = int32(y.Section)
		}
		u.symbols.all = append(u.symbols.all, s)
	})
	if room = max(room-len(u.symbols.all), 0); 2*room > cap(u.symbols.all) {
		u.symbols.all = slices.Clone(u.symbols.all)
		u.budget.Release(budget.Memory, int64(room)*symbolCost)
	}
	u.symbols.index()
	return err
}

// maxRank is more than the rank of any symbol.
const maxRank = 15

// isFunc reports whether a symbol defines a function, by its type or, as
// hand-written assembly often lacks it, by its section. A name in a PLT, such as that of an IFUNC, is of the linker's stub.
func isFunc(e *reader.ELF, y reader.Symbol) bool {
	if y.Section <= 0 || y.Section >= len(e.Sections) || strings.HasPrefix(e.Sections[y.Section].Name, ".plt") {
		return false
	}
	switch y.Type {
	case elf.STT_FUNC, elf.STT_GNU_IFUNC:
		return true
	case elf.STT_NOTYPE:
		return e.Sections[y.Section].Flags&elf.SHF_EXECINSTR != 0
	}
	return false
}

// local reports whether an untyped symbol is a mapping symbol ($x, $d.3) or a local label, which
// define no function.
func local(name []byte) bool {
	return bytes.HasPrefix(name, []byte("$")) || bytes.HasPrefix(name, []byte(".L"))
}

// index sorts the symbols, and drops the second of a name at one place and those
// beyond maxAliases.
func (s *symbols) index() {
	byPlace := func(a, b symbol) int {
		return cmp.Or(a.compare(b.section, b.value), cmp.Compare(a.order, b.order))
	}
	slices.SortFunc(s.all, byPlace)
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
	s.all, s.byName, s.near, s.after = kept, nil, 0, 0
}

// at returns the index of the best symbol at a place, -1 for none. Callers mostly ask for one place
// after the other.
func (s *symbols) at(section int32, value uint64) int32 {
	for i := s.near; i < min(s.near+3, len(s.all)); i++ {
		if s.all[i].compare(section, value) == 0 && (i == 0 || s.all[i-1].compare(section, value) != 0) {
			s.near = i
			return int32(i)
		}
	}
	i := sort.Search(len(s.all), func(i int) bool { return s.all[i].compare(section, value) >= 0 })
	s.near = i
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

// order returns byName.
func (s *symbols) order() []uint64 {
	if s.byName == nil {
		s.byName = make([]uint64, len(s.all))
		for i := range s.all {
			s.byName[i] = uint64(s.all[i].name)<<32 | uint64(i)
		}
		slices.Sort(s.byName)
	}
	return s.byName
}

// withNames returns the symbols with a name, by place, each as in byName.
func (s *symbols) withNames(name uint32) []uint64 {
	all := s.order()
	first := func(i int) bool {
		return i >= 0 && i < len(all) && all[i]>>32 == uint64(name) && (i == 0 || all[i-1]>>32 != uint64(name))
	}
	from := s.after // callers mostly ask for one name after the other, or twice for one
	switch {
	case first(from):
	case first(from - 1):
		from--
	default:
		from, _ = slices.BinarySearch(all, uint64(name)<<32)
	}
	to := from
	for to < len(all) && all[to]>>32 == uint64(name) {
		to++
	}
	s.after = to
	return all[from:to]
}

// has reports whether there is a symbol with a name.
func (s *symbols) has(name uint32) bool { return len(s.withNames(name)) > 0 }

// names returns the number of different names.
func (s *symbols) names() int {
	n, all := 0, s.order()
	for i, x := range all {
		if i == 0 || all[i-1]>>32 != x>>32 {
			n++
		}
	}
	return n
}

// nameTable has all names once, in few pieces of memory: names are most of what a comparison
// needs, and the garbage collector must not look at each. A name is its number.
type nameTable struct {
	text  []byte   // the names
	ends  []int64  // of each in text
	slots []uint64 // open addressing, a power of two: half of a name's hash, and 1 + its number; 0 is free
	shift int      // of a hash, to a place in slots
	seed  maphash.Seed
	next  uint32 // the number after the last one that id returned: two files often have the same names in the same order
}

// nameCost is what a name takes besides its bytes.
const nameCost = 8 + 4*8

// find returns the place of a name in the slots, and what its slot has besides its number.
func (t *nameTable) find(name []byte) (at *uint64, mark uint64) {
	hash := maphash.Bytes(t.seed, name)
	mark = hash &^ slotNumber
	for i := mark >> t.shift; ; i++ {
		s := &t.slots[i&uint64(len(t.slots)-1)]
		if *s == 0 || *s&^slotNumber == mark && bytes.Equal(t.bytes(uint32(*s)-1), name) {
			return s, mark
		}
	}
}

// slotNumber are the bits of a slot that have the number.
const slotNumber = 1<<32 - 1

// id returns the number of a name. pay is called with the bytes that a new one takes. Errors: of pay.
func (t *nameTable) id(name []byte, pay func(int64) error) (uint32, error) {
	if int(t.next) < len(t.ends) && bytes.Equal(t.bytes(t.next), name) {
		t.next++
		return t.next - 1, nil
	}
	if 2*len(t.ends) >= len(t.slots) {
		t.grow()
	}
	at, mark := t.find(name)
	if *at == 0 {
		if err := pay(int64(len(name)) + nameCost); err != nil {
			return 0, err
		}
		t.text = append(t.text, name...)
		t.ends = append(t.ends, int64(len(t.text)))
		*at = mark | uint64(len(t.ends))
	}
	t.next = uint32(*at)
	return t.next - 1, nil
}

// grow doubles the slots. The order of the hashes stays, so that it goes through both once.
func (t *nameTable) grow() {
	old := t.slots
	if old == nil {
		t.seed, t.shift = maphash.MakeSeed(), 64-fewSlots+1
		old = make([]uint64, 1<<(fewSlots-1))
	}
	t.slots = make([]uint64, 2*len(old))
	t.shift--
	for _, s := range old {
		if s == 0 {
			continue
		}
		i := s >> t.shift
		for t.slots[i&uint64(len(t.slots)-1)] != 0 {
			i++
		}
		t.slots[i&uint64(len(t.slots)-1)] = s
	}
}

// fewSlots is the binary logarithm of the least number of slots.
const fewSlots = 6

func (t *nameTable) bytes(id uint32) []byte {
	start := int64(0)
	if id > 0 {
		start = t.ends[id-1]
	}
	return t.text[start:t.ends[id]]
}

func (t *nameTable) name(id uint32) string { return string(t.bytes(id)) }
