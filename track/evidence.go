package track

import (
	"debug/elf"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/track/internal/insn"
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
		} else {
			f.evidence |= Symbol
		}
	})
}

// named looks at the name of a local symbol, which may be that of a part of a function.
func (t *Tracker) named(r int32) bool {
	f := &t.facts[r]
	if !f.local {
		return false
	}
	y, ok := t.img.e.Symbols.Symbol(int(f.symbol))
	return ok && y.Name != "" && !strings.Contains(y.Name, ".cold") && !strings.Contains(y.Name, ".__part.")
}

// edge is a jump from one range into another.
type edge struct {
	from, to int32
	start    bool // to the start of it
}

// sweep decodes all code once, in the order of the addresses, and finds the calls and jumps
// that lead from one range to another.
func (t *Tracker) sweep() {
	v := &view{image: t.img}
	var edges []edge
	var buf []byte
	var d insn.Insn
	for n, x := range t.order {
		if n%256 == 0 && t.img.o.Budget.Err() != nil {
			t.img.fail(t.img.o.Budget.Err())
			return
		}
		r := &t.ranges[x]
		code, ok := v.code(r.Place, r.Start, r.End, buf)
		if !ok {
			continue
		}
		buf = code
		edges = t.sweepRange(x, code, &d, edges)
	}
	t.join(edges)
}

// sweepRange finds the calls and jumps of a range.
func (t *Tracker) sweepRange(x int32, code []byte, d *insn.Insn, edges []edge) []edge {
	r := &t.ranges[x]
	var relocs []reloc
	if t.img.rel {
		relocs = t.img.relocsOf(int32(r.Place))
	}
	for off := 0; off < len(code); off += int(d.Len) {
		pc := r.Start + uint64(off)
		t.img.arch.decode(code[off:], pc, d)
		switch d.Flow {
		case insn.Bad:
			return edges
		case insn.Next:
			if off+int(d.Len) == len(code) {
				if to, ok := t.find(int32(r.Place), r.End); ok && len(edges) < maxEdges {
					edges = append(edges, edge{x, to, true})
				}
			}
		case insn.Jump, insn.Branch, insn.Call:
			place, target, ok := int32(r.Place), d.Target, true
			if t.img.rel && d.TargetLen > 0 {
				from := pc + uint64(d.TargetOff)
				if rel, has := t.img.findReloc(relocs, from, from+uint64(d.TargetLen)); has {
					place, target, ok = t.img.reach(rel, d.TargetOff, d.Len)
				}
			}
			if ok && (place != int32(r.Place) || target <= r.Start || target >= r.End) {
				edges = t.leads(x, pc, d.Flow, place, target, edges)
			}
		}
	}
	return edges
}

// maxEdges bounds the jumps between ranges, and maxMiddle the calls into the middle of them.
const (
	maxEdges  = 1 << 20
	maxMiddle = 1 << 16
)

// leads records a jump or call at pc that leads to another range or to the start of its own.
func (t *Tracker) leads(x int32, pc uint64, flow insn.Flow, place int32, target uint64, edges []edge) []edge {
	to, ok := t.find(place, target)
	if !ok {
		return edges
	}
	start := t.ranges[to].Start == target
	if flow != insn.Call {
		if to != x && len(edges) < maxEdges {
			edges = append(edges, edge{x, to, start})
		}
		return edges
	}
	switch f := &t.facts[to]; {
	case start:
		f.evidence |= Called
		if f.at == 0 {
			f.at = pc
		}
	case to != x && len(t.middle) < maxMiddle:
		off := uint32(target - t.ranges[to].Start)
		if all := t.middle[to]; len(all) < 64 && !slices.Contains(all, off) {
			t.middle[to] = append(all, off)
		}
	}
	return edges
}

// maxParts bounds the ranges of a unit.
const maxParts = 1024

// join makes the units: ranges that jumps lead to that are no calls at the end of a function.
func (t *Tracker) join(edges []edge) {
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
	for _, e := range edges {
		f := &t.facts[e.to]
		if e.start && (f.evidence&(Symbol|Called) != 0 || f.local && t.named(e.to)) {
			continue
		}
		a, b := root(e.from), root(e.to)
		if a != b && size[a]+size[b] <= maxParts {
			if size[a] < size[b] {
				a, b = b, a
			}
			parent[b] = a
			size[a] += size[b]
		}
		f.evidence |= Jumped
	}
	index := make([]int32, len(t.ranges))
	for _, x := range t.order {
		r := root(x)
		if index[r] == 0 {
			t.units = append(t.units, nil)
			index[r] = int32(len(t.units))
		}
		u := &t.units[index[r]-1]
		*u = append(*u, x)
	}
}
