package main

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// functionKinds are faults in what an FDE describes.
var functionKinds = []kind{
	{name: "rows-exchanged", about: "two functions exchange their FREs", plan: rowsExchanged},
	{name: "rows-of-neighbour", about: "a function has the FREs of the previous one", plan: rowsOfNeighbour},
	{name: "starts-exchanged", about: "two functions exchange their starts", plan: startsExchanged},
	{name: "short", about: "the FDE ends before the last instruction", fn: short},
	{name: "half", about: "the FDE ends in the middle of the function", fn: half},
	{name: "long", about: "the FDE ends 16 bytes late", fn: long},
	{name: "joined", about: "the FDE of a function is missing, and the previous one covers it", plan: joined},
	{name: "split", about: "a second FDE starts inside the function, as if that were an entry", plan: split},
	{name: "missing", about: "the FDE of a function is missing", plan: missingFDE},
	{name: "fde-late", about: "the FDE starts at the second instruction, and ends where it should", fn: fdeLate},
	{name: "fde-early", about: "the FDE starts 8 bytes early, and ends where it should", fn: fdeEarly},
	{name: "shifted", about: "the FDE starts and ends one instruction late", fn: shifted},
	{name: "shifted-early", about: "the FDE starts and ends 8 bytes early", fn: shiftedEarly},
}

// arrange puts the functions in order where the section says that they are.
func (m *mutation) arrange() {
	if m.p.Flags&model.SFRAME_F_FDE_SORTED != 0 {
		slices.SortStableFunc(m.p.Funcs, func(a, b generator.Func) int { return cmp.Compare(a.Start, b.Start) })
	}
}

// pair returns two ordinary functions.
func (m *mutation) pair(fit func(f, g *generator.Func) bool) (f, g *generator.Func) {
	order := m.rnd.Perm(len(m.p.Funcs))
	for k := 1; k < len(order); k++ {
		f, g = &m.p.Funcs[order[k-1]], &m.p.Funcs[order[k]]
		if ordinary(f) && ordinary(g) && f.FDEType == g.FDEType && fit(f, g) {
			return f, g
		}
	}
	return nil, nil
}

// lastRow returns where the last row of a function starts.
func lastRow(f *generator.Func) uint32 { return f.Rows[len(f.Rows)-1].Start }

func rowsExchanged(m *mutation) bool {
	f, g := m.pair(func(f, g *generator.Func) bool {
		return lastRow(f) < g.Size && lastRow(g) < f.Size && !slices.EqualFunc(f.Rows, g.Rows, sameRow)
	})
	if f == nil {
		return false
	}
	f.Rows, g.Rows = g.Rows, f.Rows
	return true
}

func sameRow(r, s generator.Row) bool {
	return r.Start == s.Start && r.Rules == s.Rules && r.Mangled == s.Mangled
}

func rowsOfNeighbour(m *mutation) bool {
	for _, i := range m.rnd.Perm(len(m.p.Funcs)) {
		if i == 0 {
			continue
		}
		f, g := &m.p.Funcs[i-1], &m.p.Funcs[i]
		if ordinary(f) && ordinary(g) && f.FDEType == g.FDEType && lastRow(f) < g.Size && !slices.EqualFunc(f.Rows, g.Rows, sameRow) {
			g.Rows = slices.Clone(f.Rows)
			return true
		}
	}
	return false
}

func startsExchanged(m *mutation) bool {
	f, g := m.pair(func(f, g *generator.Func) bool { return f.Size != g.Size || !slices.EqualFunc(f.Rows, g.Rows, sameRow) })
	if f == nil {
		return false
	}
	f.Start, g.Start = g.Start, f.Start
	m.arrange()
	return true
}

// cut ends a function at an offset.
func cut(f *generator.Func, at uint32) bool {
	f.Size = at
	f.Rows = slices.DeleteFunc(f.Rows, func(r generator.Row) bool { return r.Start >= at })
	return true
}

func short(m *mutation, f *generator.Func) bool {
	at, ok := m.previous(f, f.Size)
	return ok && ordinary(f) && at > 0 && cut(f, at)
}

func half(m *mutation, f *generator.Func) bool {
	at, ok := m.next(f, f.Size/2)
	return ok && ordinary(f) && f.Size > 16 && cut(f, at)
}

func long(_ *mutation, f *generator.Func) bool {
	ok := ordinary(f)
	if ok {
		f.Size += 16
	}
	return ok
}

// neighbour returns the index of the ordinary function that starts next after
// another one, within a page of it.
func (m *mutation) neighbour(i int) int {
	f, best := &m.p.Funcs[i], -1
	for k := range m.p.Funcs {
		g := &m.p.Funcs[k]
		end := f.Start + uint64(f.Size)
		if ordinary(g) && g.Start >= end && g.Start-end < 4096 && (best < 0 || g.Start < m.p.Funcs[best].Start) {
			best = k
		}
	}
	return best
}

func joined(m *mutation) bool {
	i := m.rnd.Intn(len(m.p.Funcs))
	k := m.neighbour(i)
	if k < 0 || !ordinary(&m.p.Funcs[i]) {
		return len(m.p.Funcs) > 2 && m.rnd.Intn(64) > 0 && joined(m)
	}
	f, g := &m.p.Funcs[i], &m.p.Funcs[k]
	f.Size = uint32(g.Start + uint64(g.Size) - f.Start)
	m.p.Funcs = slices.Delete(m.p.Funcs, k, k+1)
	return true
}

func split(m *mutation) bool {
	for _, i := range m.rnd.Perm(len(m.p.Funcs)) {
		f := &m.p.Funcs[i]
		at, ok := m.next(f, f.Size/2)
		if !ok || !ordinary(f) || len(f.Rows) < 2 {
			continue
		}
		g := *f
		g.Start, g.Size = f.Start+uint64(at), f.Size-at
		g.FDEType = model.SFRAME_FDE_TYPE_DEFAULT
		g.Rows = []generator.Row{{Rules: m.entry()}}
		cut(f, at)
		m.p.Funcs = slices.Insert(m.p.Funcs, i+1, g)
		return true
	}
	return false
}

func missingFDE(m *mutation) bool {
	for _, i := range m.rnd.Perm(len(m.p.Funcs)) {
		if ordinary(&m.p.Funcs[i]) && len(m.p.Funcs) > 1 {
			m.p.Funcs = slices.Delete(m.p.Funcs, i, i+1)
			return true
		}
	}
	return false
}

func fdeLate(m *mutation, f *generator.Func) bool {
	at, ok := m.next(f, 0)
	if !ok || !ordinary(f) {
		return false
	}
	f.Start += uint64(at)
	return cut(f, f.Size-at)
}

func fdeEarly(_ *mutation, f *generator.Func) bool {
	ok := ordinary(f)
	if ok {
		f.Start -= 8
		f.Size += 8
	}
	return ok
}

func shifted(m *mutation, f *generator.Func) bool {
	at, ok := m.next(f, 0)
	if ok = ok && ordinary(f); ok {
		f.Start += uint64(at)
	}
	return ok
}

func shiftedEarly(_ *mutation, f *generator.Func) bool {
	ok := ordinary(f)
	if ok {
		f.Start -= 8
	}
	return ok
}
