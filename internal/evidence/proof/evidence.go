package proof

import (
	"cmp"
	"debug/elf"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/reader"
)

// symbols finds the ranges that function symbols name.
func (t *Tracker) symbols() error {
	return t.img.e.Symbols.Each(func(i int, y reader.Symbol) {
		if y.Type != elf.STT_FUNC && y.Type != elf.STT_GNU_IFUNC || y.Section == int(elf.SHN_UNDEF) || y.Reserved {
			return
		}
		place := int32(0)
		if t.img.rel {
			place = int32(y.Section)
		}
		r, ok := t.find(place, y.Value)
		if !ok || t.ranges[r].Start != y.Value {
			return
		}
		f := &t.facts[r]
		if y.Bind == elf.STB_LOCAL {
			f.local, f.symbol = true, int32(i)
		} else if f.evidence |= Symbol; !f.local {
			f.symbol = int32(i)
		}
	})
}

// named looks at the name of a symbol, which may be that of a part of a function. Rearranged files
// have global ones for parts, too.
func (t *Tracker) named(r int32) bool {
	f := &t.facts[r]
	if !f.local && f.evidence&Symbol == 0 {
		return false
	}
	y, ok := t.img.e.Symbols.Symbol(int(f.symbol))
	return ok && y.Name != "" && !partName(y.Name)
}

// partName reports whether a name is that of a part of a function, which compilers, or tools that
// rearrange linked files, have split off.
func partName(name string) bool {
	return strings.Contains(name, ".cold") || strings.Contains(name, ".warm") || strings.Contains(name, ".__part.")
}

// edge is a jump from one range into another.
type edge struct {
	from, to int32
	start    bool // to the start of it
	branch   bool // it is conditional
	pad      bool // it is the way of an exception
}

// address is an address in an object.
type address struct {
	place int32
	addr  uint64
}

func (a address) compare(b address) int {
	if a.place != b.place {
		return cmp.Compare(a.place, b.place)
	}
	return cmp.Compare(a.addr, b.addr)
}

// Bounds of what is recorded of an object.
const (
	maxEdges  = budget.TrackEdges
	maxMiddle = budget.TrackMiddles
	maxStarts = budget.TrackStarts
)

// tableEnd returns where the table at an address ends at the latest: where another address
// begins that code refers to.
func (t *Tracker) tableEnd(place int32, addr uint64) (uint64, bool) {
	i, _ := slices.BinarySearchFunc(t.tables, address{place, addr + 1}, address.compare)
	if i == len(t.tables) || t.tables[i].place != place {
		return 0, false
	}
	return t.tables[i].addr, true
}

// pastEnd reports whether a jump leads to where its function or a part of it ends. Compilers
// write such jumps for ways that are never taken, and what is there is another function. Stubs and
// other functions that it leads to are not parts of it.
func (t *Tracker) pastEnd(e edge, edges []edge) bool {
	r := &t.ranges[e.to]
	if r.Start == 0 {
		return false
	}
	y, ok := t.find(int32(r.Place), r.Start-1)
	if !ok || t.ranges[y].End != r.Start {
		return false
	}
	joined := func(from, to int32) bool {
		_, ok := slices.BinarySearchFunc(edges, edge{from: from, to: to}, func(a, b edge) int {
			return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
		})
		return ok
	}
	return y == e.from || !t.entered(y) && (joined(e.from, y) || joined(y, e.from))
}

// maxParts bounds the ranges of a unit.
const maxParts = budget.TrackParts

// entered is the evidence that is known before a range is tracked that it is an entry.
const entered = Symbol | Called | Taken

// entered reports whether it is known before a range is tracked that it is an entry.
func (t *Tracker) entered(x int32) bool {
	return t.facts[x].evidence&entered != 0 || t.ranges[x].Block > 0
}

// join makes the units: ranges that jumps lead to that are no calls at the end of a function, and those that others fall
// into if nothing else is known of them.
func (t *Tracker) join(edges, falls []edge) {
	parent := make([]int32, len(t.ranges))
	size := make([]int32, len(t.ranges))
	for i := range parent {
		parent[i], size[i] = int32(i), 1
	}
	root := func(x int32) int32 {
		for parent[x] != x {
			parent[x] = parent[parent[x]]
			x = parent[x]
		}
		return x
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	for _, e := range edges {
		from, to := &t.ranges[e.from], &t.ranges[e.to]
		if e.start && !e.pad && !e.branch && from.Place == to.Place && from.End == to.Start {
			t.facts[e.to].label = true // the jump may be a call at the end of the function
		}
	}
	unite := func(e edge) {
		f := &t.facts[e.to]
		if e.start && !e.pad && (t.entered(e.to) || f.local && t.named(e.to)) {
			return
		}
		a, b := root(e.from), root(e.to)
		if a != b && size[a]+size[b] <= maxParts {
			if size[a] < size[b] {
				a, b = b, a
			}
			parent[b] = a
			size[a] += size[b]
		}
		if e.pad {
			f.evidence |= Pad
		} else {
			f.evidence |= Jumped
		}
	}
	for _, e := range edges {
		if tail := e.start && !e.pad && (e.branch && t.facts[e.to].label || t.pastEnd(e, edges)); !tail {
			unite(e)
		}
	}
	for _, e := range falls {
		if t.facts[e.to].evidence == 0 {
			unite(e)
		}
	}
	unit := size // by the root of a unit: its number, from 1 on
	clear(unit)
	t.starts = []int32{0}
	for _, x := range t.order {
		r := root(x)
		if unit[r] == 0 {
			t.starts = append(t.starts, 0)
			unit[r] = int32(len(t.starts) - 1)
		}
		t.starts[unit[r]]++
	}
	for i := 1; i < len(t.starts); i++ {
		t.starts[i] += t.starts[i-1]
	}
	t.members = make([]int32, len(t.order))
	for _, x := range slices.Backward(t.order) {
		// From the last to the first, so that each start ends where its unit begins.
		r := unit[root(x)]
		t.starts[r]--
		t.members[t.starts[r]] = x
	}
	t.starts = append(t.starts[1:], int32(len(t.members)))
}
