package compare

import (
	"cmp"
	"slices"
)

// matching pairs the functions of two units, by their indices.
type matching struct {
	a, b         *Unit
	usedA, usedB []bool
	pairs        [][2]int32
}

// match pairs functions by properties that two builds share, the most reliable first: the name, another name for the
// same place, the place in a section, and the address. The last two are only for functions without a name on at least
// one side. Unpaired functions remain unused.
func match(a, b *Unit) *matching {
	m := &matching{a: a, b: b, usedA: make([]bool, len(a.funcs)), usedB: make([]bool, len(b.funcs)),
		pairs: make([][2]int32, 0, min(len(a.funcs), len(b.funcs)))}
	names := func(n int) keysOf {
		return func(u *Unit, f *function, add func(name uint32, at uint64)) {
			all := u.aliases(f)
			for i := range all[:min(n, len(all))] {
				add(all[i].name, 0)
			}
		}
	}
	m.by(names(1), nil)
	m.by(names(maxAliases), nil)
	m.by(func(u *Unit, f *function, add func(uint32, uint64)) {
		if name, off := u.container(f); name != "" {
			id, _ := u.names.id([]byte(name), func(int64) error { return nil }) // it is in memory already
			add(id, off)
		}
	}, nameless)
	m.by(func(_ *Unit, f *function, add func(uint32, uint64)) { add(0, f.start) }, func(f, g *function) bool {
		return nameless(f, g) && (m.unplaced(m.a, f) || m.unplaced(m.b, g))
	})
	byFunction := func(p, q [2]int32) int { return cmp.Compare(p[0], q[0]) }
	slices.SortFunc(m.pairs, byFunction)
	return m
}

func nameless(f, g *function) bool { return f.symbol < 0 || g.symbol < 0 }

func (m *matching) unplaced(u *Unit, f *function) bool {
	name, _ := u.container(f)
	return name == ""
}

// key is what a function may be found by: a name, or a place.
type key struct {
	name     uint32 // or that of the section which at counts from
	function int32
	at       uint64
}

func (x key) compare(y key) int {
	return cmp.Or(cmp.Compare(x.name, y.name), cmp.Compare(x.at, y.at))
}

// keysOf passes on the keys of a function.
type keysOf func(u *Unit, f *function, add func(name uint32, at uint64))

// by pairs the remaining functions that share a key.
func (m *matching) by(keys keysOf, fit func(f, g *function) bool) {
	if len(m.pairs) == min(len(m.a.funcs), len(m.b.funcs)) {
		return // nothing is left on one side
	}
	inA, inB := m.keys(m.a, m.usedA, keys), m.keys(m.b, m.usedB, keys)
	alike := func(all []key, i int) (n int) {
		for n = 1; i+n < len(all) && all[i].compare(all[i+n]) == 0; n++ {
		}
		return n
	}
	type group struct{ a, n, b, k int32 } // n keys from a on, and k from b on
	groups := make([]group, 0, min(len(inA), len(inB)))
	for a, b := 0, 0; a < len(inA) && b < len(inB); {
		n, k := 0, 0
		switch order := inA[a].compare(inB[b]); {
		case order < 0:
			n = alike(inA, a)
		case order > 0:
			k = alike(inB, b)
		default:
			n, k = alike(inA, a), alike(inB, b)
			groups = append(groups, group{int32(a), int32(n), int32(b), int32(k)})
		}
		a, b = a+n, b+k
	}
	first := func(g, h group) int { return cmp.Compare(inA[g.a].function, inA[h.a].function) }
	slices.SortFunc(groups, first)
	for i, g := range groups {
		if i%step == 0 && m.a.budget.Err() != nil {
			return
		}
		m.group(inA[g.a:][:g.n], inB[g.b:][:g.k], fit)
	}
}

// keys returns the keys of the functions that are left, sorted.
func (m *matching) keys(u *Unit, used []bool, keys keysOf) []key {
	left := 0
	for _, used := range used {
		if !used {
			left++
		}
	}
	all := make([]key, 0, left)
	at := 0
	add := func(name uint32, place uint64) { all = append(all, key{name, int32(at), place}) }
	for at = range u.funcs {
		if !used[at] {
			keys(u, &u.funcs[at], add)
		}
	}
	order := func(x, y key) int { return cmp.Or(x.compare(y), cmp.Compare(x.function, y.function)) }
	slices.SortFunc(all, order)
	return all
}

// maxGroup limits the functions of one key that are compared with each other.
const maxGroup = 256

// group pairs the functions of a key. If there are several, such as file-local
// functions of one name, it first pairs equal ones, then the rest in the order
// of addresses, which links of the same inputs usually share.
func (m *matching) group(as, bs []key, fit func(f, g *function) bool) {
	rounds := []bool{true, false}
	if len(as) == 1 && len(bs) == 1 || len(as) > maxGroup || len(bs) > maxGroup {
		rounds = rounds[1:]
	}
	for _, alike := range rounds {
		from := 0
		for _, x := range as {
			i := x.function
			for k := from; k < min(len(bs), from+maxGroup) && !m.usedA[i]; k++ {
				j := bs[k].function
				f, g := &m.a.funcs[i], &m.b.funcs[j]
				if m.usedB[j] || fit != nil && !fit(f, g) || alike && !same(m.a, f, m.b, g) {
					continue
				}
				m.usedA[i], m.usedB[j] = true, true
				m.pairs = append(m.pairs, [2]int32{i, j})
			}
			for from < len(bs) && m.usedB[bs[from].function] {
				from++
			}
		}
	}
}
