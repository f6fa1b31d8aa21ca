package compare

import (
	"cmp"
	"slices"
	"strings"
)

// matching pairs the functions of two units, by their indices.
type matching struct {
	a, b         *Unit
	usedA, usedB []bool
	pairs        [][2]int32
}

// match pairs functions by properties that stay the same between two builds,
// the most reliable first: the name, another name for the same place and, for
// functions without a name on at least one side, the place in a section and
// finally the address. What is left over is not used.
func match(a, b *Unit) *matching {
	m := &matching{a: a, b: b, usedA: make([]bool, len(a.funcs)), usedB: make([]bool, len(b.funcs)),
		pairs: make([][2]int32, 0, min(len(a.funcs), len(b.funcs)))}
	names := func(n int) func(u *Unit, i int32, add func(symbol int32)) {
		return func(u *Unit, i int32, add func(symbol int32)) {
			f := &u.funcs[i]
			for k := range u.aliases(f)[:min(n, len(u.aliases(f)))] {
				add(f.symbol + int32(k))
			}
		}
	}
	byName := func(u *Unit, x key, v *Unit, y key) int {
		return cmp.Compare(u.symbols.all[x.symbol].name, v.symbols.all[y.symbol].name)
	}
	m.by(names(1), byName, nil)
	m.by(names(maxAliases), byName, nil)
	m.by(func(u *Unit, i int32, add func(int32)) {
		if name, _ := u.container(&u.funcs[i]); name != "" {
			add(-1)
		}
	}, func(u *Unit, x key, v *Unit, y key) int {
		inU, offU := u.container(&u.funcs[x.function])
		inV, offV := v.container(&v.funcs[y.function])
		return cmp.Or(strings.Compare(inU, inV), cmp.Compare(offU, offV))
	}, nameless)
	m.by(func(_ *Unit, _ int32, add func(int32)) { add(-1) }, func(u *Unit, x key, v *Unit, y key) int {
		return cmp.Compare(u.funcs[x.function].start, v.funcs[y.function].start)
	}, func(f, g *function) bool {
		return nameless(f, g) && (m.unplaced(m.a, f) || m.unplaced(m.b, g))
	})
	slices.SortFunc(m.pairs, func(p, q [2]int32) int { return cmp.Compare(p[0], q[0]) })
	return m
}

func nameless(f, g *function) bool { return f.symbol < 0 || g.symbol < 0 }

func (m *matching) unplaced(u *Unit, f *function) bool {
	name, _ := u.container(f)
	return name == ""
}

// key is what a function may be found by: a symbol, or its place.
type key struct{ function, symbol int32 }

// by pairs the remaining functions that share a key.
func (m *matching) by(keys func(u *Unit, i int32, add func(symbol int32)), compare func(u *Unit, x key, v *Unit, y key) int, fit func(f, g *function) bool) {
	if len(m.pairs) == min(len(m.a.funcs), len(m.b.funcs)) {
		return // nothing is left on one side
	}
	inA, inB := m.keys(m.a, m.usedA, keys, compare), m.keys(m.b, m.usedB, keys, compare)
	alike := func(u *Unit, all []key, i int) (n int) {
		for n = 1; i+n < len(all) && compare(u, all[i], u, all[i+n]) == 0; n++ {
		}
		return n
	}
	type group struct{ a, n, b, k int32 } // n keys from a on, and k from b on
	var groups []group
	for a, b := 0, 0; a < len(inA) && b < len(inB); {
		n, k := 0, 0
		switch order := compare(m.a, inA[a], m.b, inB[b]); {
		case order < 0:
			n = alike(m.a, inA, a)
		case order > 0:
			k = alike(m.b, inB, b)
		default:
			n, k = alike(m.a, inA, a), alike(m.b, inB, b)
			groups = append(groups, group{int32(a), int32(n), int32(b), int32(k)})
		}
		a, b = a+n, b+k
	}
	slices.SortFunc(groups, func(g, h group) int { return cmp.Compare(inA[g.a].function, inA[h.a].function) })
	for i, g := range groups {
		if i%step == 0 && m.a.budget.Err() != nil {
			return
		}
		m.group(inA[g.a:][:g.n], inB[g.b:][:g.k], fit)
	}
}

// keys returns the keys of the functions that are left, sorted.
func (m *matching) keys(u *Unit, used []bool, keys func(u *Unit, i int32, add func(symbol int32)), compare func(u *Unit, x key, v *Unit, y key) int) []key {
	n := 0
	count := func(int32) { n++ }
	for i := range u.funcs {
		if !used[i] {
			keys(u, int32(i), count)
		}
	}
	all := make([]key, 0, n)
	for i := range u.funcs {
		if !used[i] {
			keys(u, int32(i), func(symbol int32) { all = append(all, key{int32(i), symbol}) })
		}
	}
	order := func(x, y key) int { return cmp.Or(compare(u, x, u, y), cmp.Compare(x.function, y.function)) }
	if !slices.IsSortedFunc(all, order) {
		slices.SortFunc(all, order)
	}
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
