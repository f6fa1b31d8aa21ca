package main

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// functionKinds are faults in what an FDE describes.
var functionKinds = []sectionKind{
	{name: "rows-exchanged", about: "two functions exchange their FREs", plan: func(m *mutation) bool {
		f, g := m.pair(func(f, g *generator.Func) bool { return lastRow(f) < g.Size && lastRow(g) < f.Size && !sameRows(f, g) })
		if f != nil {
			f.Rows, g.Rows = g.Rows, f.Rows
		}
		return f != nil
	}},
	{name: "rows-of-neighbour", about: "a function has the FREs of the previous one", fn: func(m *mutation, g *generator.Func, i int) bool {
		f := &m.p.Funcs[max(i-1, 0)]
		ok := ordinary(f) && f.FDEType == g.FDEType && lastRow(f) < g.Size && !sameRows(f, g)
		if ok {
			g.Rows = slices.Clone(f.Rows)
		}
		return ok
	}},
	{name: "starts-exchanged", about: "two functions exchange their starts", plan: func(m *mutation) bool {
		f, g := m.pair(func(f, g *generator.Func) bool { return f.Size != g.Size || !sameRows(f, g) })
		if f != nil {
			f.Start, g.Start = g.Start, f.Start
			m.arrange()
		}
		return f != nil
	}},
	{name: "short", about: "the FDE ends before the last instruction", fn: func(m *mutation, f *generator.Func, _ int) bool {
		at, ok := m.step(f, f.Size, -1)
		return ok && at > 0 && cut(f, at)
	}},
	{name: "cut", about: "the FDE ends inside its last instruction (AMD64, s390x)", fn: func(m *mutation, f *generator.Func, _ int) bool {
		at, ok := m.step(f, f.Size, -1)
		at += uint32(m.in.ABI.MinInsn)
		return ok && at < f.Size && cut(f, at)
	}},
	{name: "inside", about: "the FDE starts inside its first instruction, and ends where it should (AMD64, s390x)", fn: func(m *mutation, f *generator.Func, _ int) bool {
		at, ok := m.step(f, 0, 1)
		by := uint32(m.in.ABI.MinInsn)
		if !ok || at <= by {
			return false
		}
		f.Start += uint64(by)
		return cut(f, f.Size-by)
	}},
	{name: "half", about: "the FDE ends in the middle of the function", fn: func(m *mutation, f *generator.Func, _ int) bool {
		at, ok := m.step(f, f.Size/2, 1)
		return ok && f.Size > 16 && cut(f, at)
	}},
	{name: "long", about: "the FDE ends 16 bytes late", fn: func(_ *mutation, f *generator.Func, _ int) bool {
		f.Size += 16
		return true
	}},
	{name: "joined", about: "the FDE of a function is missing, and the previous one covers it", plan: joined},
	{name: "split", about: "a second FDE starts inside the function, as if that were an entry", fn: split},
	{name: "missing", about: "the FDE of a function is missing", fn: func(m *mutation, f *generator.Func, i int) bool {
		return len(m.p.Funcs) > 1 && drop(m, f, i)
	}},
	{name: "fde-late", about: "the FDE starts at the second instruction, and ends where it should", fn: func(m *mutation, f *generator.Func, _ int) bool {
		at, ok := m.step(f, 0, 1)
		f.Start += uint64(at) // 0 if there is none
		return ok && cut(f, f.Size-at)
	}},
	{name: "fde-early", about: "the FDE starts 8 bytes early, and ends where it should", fn: func(_ *mutation, f *generator.Func, _ int) bool {
		f.Start, f.Size = f.Start-8, f.Size+8
		return true
	}},
	{name: "shifted", about: "the FDE starts and ends one instruction late", fn: func(m *mutation, f *generator.Func, _ int) bool {
		at, ok := m.step(f, 0, 1)
		f.Start += uint64(at) // 0 if there is none
		return ok
	}},
	{name: "shifted-16", about: "the FDE starts and ends 16 bytes early", fn: func(_ *mutation, f *generator.Func, _ int) bool {
		f.Start -= 16
		return true
	}},
	{name: "shifted-early", about: "the FDE starts and ends 8 bytes early", fn: func(_ *mutation, f *generator.Func, _ int) bool {
		f.Start -= 8
		return true
	}},
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

func sameRows(f, g *generator.Func) bool {
	return slices.EqualFunc(f.Rows, g.Rows, func(r, s generator.Row) bool {
		return r.Start == s.Start && r.Rules == s.Rules && r.Mangled == s.Mangled
	})
}

// cut ends a function at an offset.
func cut(f *generator.Func, at uint32) bool {
	f.Size = at
	f.Rows = slices.DeleteFunc(f.Rows, func(r generator.Row) bool { return r.Start >= at })
	return true
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
	return drop(m, g, k)
}

func split(m *mutation, f *generator.Func, i int) bool {
	at, ok := m.step(f, f.Size/2, 1)
	if !ok || len(f.Rows) < 2 {
		return false
	}
	g := *f
	g.Start, g.Size = f.Start+uint64(at), f.Size-at
	g.FDEType = model.SFRAME_FDE_TYPE_DEFAULT
	g.Rows = []generator.Row{{Rules: m.entry()}}
	cut(f, at)
	m.p.Funcs = slices.Insert(m.p.Funcs, i+1, g)
	return true
}

// stubKinds are faults in the description of a PLT, and of ordinary functions as
// stubs.
var stubKinds = []sectionKind{
	{name: "plt-inc", about: "the stubs of a PLT have the PC type INC", of: stub, fn: func(_ *mutation, f *generator.Func, _ int) bool {
		f.PCType, f.RepSize = model.SFRAME_FDE_PCTYPE_INC, 0
		return true
	}},
	{name: "plt-halved", about: "rep_size of a PLT is halved", of: stub, fn: func(_ *mutation, f *generator.Func, _ int) bool {
		to := f.RepSize / 2
		if to > 0 {
			f.RepSize = to
			f.Rows = slices.DeleteFunc(f.Rows, func(r generator.Row) bool { return r.Start >= uint32(to) })
		}
		return to > 0
	}},
	{name: "plt-doubled", about: "rep_size of a PLT is doubled", of: stub, fn: func(_ *mutation, f *generator.Func, _ int) bool {
		ok := f.RepSize > 0 && f.RepSize < 128 && f.Size%(2*uint32(f.RepSize)) == 0
		if ok {
			f.RepSize *= 2
		}
		return ok
	}},
	{name: "plt-cfa", about: "the CFA of an FRE of a stub is 8 bytes off", of: stub, row: inRow(0, offCFA(8))},
	{name: "plt-row-missing", about: "an FRE of the stubs is missing", of: stub, row: func(_ *mutation, f *generator.Func, j int) bool {
		return j > 0 && remove(f, j)
	}},
	{name: "plt-row-moved", about: "an FRE of the stubs starts one instruction early", of: stub, row: startEarly},
	{name: "plt-rows-exchanged", about: "the data words of two FREs of the stubs are exchanged", of: stub, row: exchanged},
	{name: "plt-short", about: "the FDE leaves the last stub of a PLT out", of: stub, fn: func(_ *mutation, f *generator.Func, _ int) bool {
		ok := f.RepSize > 0 && f.Size > uint32(f.RepSize)
		if ok {
			f.Size -= uint32(f.RepSize)
		}
		return ok
	}},
	{name: "plt-missing", about: "the FDE of the stubs of a PLT is missing", of: stub, fn: drop},
	{name: "mask", about: "an ordinary function has the PC type MASK", fn: func(m *mutation, f *generator.Func, _ int) bool {
		for _, size := range []uint32{8, 16, 32, 64} {
			if len(f.Rows) > 1 && m.p.Version != model.SFRAME_VERSION_1 && f.Size%size == 0 && f.Size > size && f.Start%uint64(size) == 0 && lastRow(f) < size {
				f.PCType, f.RepSize = model.SFRAME_FDE_PCTYPE_MASK, uint8(size)
				return true
			}
		}
		return false
	}},
}

// flexibleKinds are faults in flexible FDEs.
var flexibleKinds = []sectionKind{
	{name: "flex-base", about: "the CFA of a flexible FRE counts from another register", of: flexible, row: inRow(0, func(m *mutation, r *model.Row) bool {
		r.CFA.Reg = (r.CFA.Reg + 1) % m.in.ABI.AddrRegs
		return r.CFA.Kind == model.InRegister
	})},
	{name: "flex-base-sp", about: "the CFA of a flexible FRE counts from SP", of: flexible, row: inRow(0, func(m *mutation, r *model.Row) bool {
		r.CFA.Reg = m.in.ABI.SP
		return r.CFA.Kind == model.InRegister
	})},
	{name: "flex-offset", about: "the CFA offset of a flexible FRE is 8 bytes off", of: flexible, row: inRow(0, offCFA(8))},
	{name: "flex-deref", about: "the CFA of a flexible FRE is an address where it should be the word there, or the other way round", of: flexible,
		row: inRow(0, func(_ *mutation, r *model.Row) bool {
			r.CFA.Deref = !r.CFA.Deref
			return r.CFA.Kind == model.InRegister
		})},
	{name: "flex-fp", about: "FP of a flexible FRE is 8 bytes off", of: flexible, row: inRow(0, func(_ *mutation, r *model.Row) bool { return offWord(&r.FP) })},
	{name: "flex-fp-missing", about: "the pair of data words for FP of a flexible FRE is missing", of: flexible, row: of(fp, missing)},
	{name: "flex-ra", about: "RA of a flexible FRE is 8 bytes off", of: flexible, row: inRow(0, func(_ *mutation, r *model.Row) bool { return offWord(&r.RA) })},
}

// offWord moves a value that has an offset word, in memory or not.
func offWord(r *model.Recovery) bool {
	r.Offset += 8
	return r.Kind == model.FromCFA || r.Kind == model.InRegister && r.Deref
}
