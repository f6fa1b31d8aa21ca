package main

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// startKinds are faults in the starts of FREs.
var startKinds = []mutator{
	{name: "start-early", about: "an FRE starts one instruction early", row: startEarly},
	{name: "start-late", about: "an FRE starts one instruction late", row: startLate},
	{name: "start-inside", about: "an FRE starts inside an instruction", row: func(m *mutation, f *generator.Func, j int) bool {
		to, ok := m.step(f, f.Rows[j].Start, 1)
		at := f.Rows[j].Start + max(1, uint32(m.in.ABI.MinInsn)/2)
		return ok && j > 0 && at < to && move(f, j, at)
	}},
	{name: "starts-early", about: "all FREs but the first start one instruction early", fn: each(1, startEarly)},
	{name: "starts-late", about: "all FREs but the first start one instruction late", fn: func(m *mutation, f *generator.Func, _ int) bool {
		any := false
		for j := len(f.Rows) - 1; j > 0; j-- {
			any = startLate(m, f, j) || any
		}
		return any
	}},
	{name: "starts-unscaled", about: "the starts are not multiplied by the code alignment factor (AArch64, s390x)", fn: func(m *mutation, f *generator.Func, _ int) bool {
		factor := uint32(m.in.ABI.MinInsn)
		if len(f.Rows) < 2 || factor == 1 {
			return false
		}
		for j := range f.Rows {
			f.Rows[j].Start /= factor
		}
		return true
	}},
	{name: "first-late", about: "the first FRE starts at the second instruction", fn: func(m *mutation, f *generator.Func, _ int) bool {
		to, ok := m.step(f, 0, 1)
		return ok && f.Rows[0].Start == 0 && move(f, 0, to)
	}},
	{name: "words-swapped", about: "two neighbours exchange their data words", row: exchanged},
	{name: "words-stale", about: "an FRE repeats the data words of the previous one", row: func(_ *mutation, f *generator.Func, j int) bool {
		return j > 0 && set(&f.Rows[j], f.Rows[j-1].Rules)
	}},
	{name: "words-ahead", about: "an FRE has the data words of the next one", row: func(_ *mutation, f *generator.Func, j int) bool {
		return j+1 < len(f.Rows) && set(&f.Rows[j], f.Rows[j+1].Rules)
	}},
}

var startEarly, startLate = shiftRow(-1), shiftRow(1)

// shiftRow makes a row start at the next instruction or at the previous one.
func shiftRow(by int) edit {
	return func(m *mutation, f *generator.Func, j int) bool {
		to, ok := m.step(f, f.Rows[j].Start, by)
		return ok && j > 0 && move(f, j, to)
	}
}

// missingKinds are faults of too few or too many FREs.
var missingKinds = []mutator{
	{name: "missing-entry", about: "the first FRE is missing, and the second one starts at 0", fn: func(_ *mutation, f *generator.Func, _ int) bool {
		if len(f.Rows) < 2 {
			return false
		}
		f.Rows[1].Start = 0
		return remove(f, 0)
	}},
	{name: "missing-push", about: "the FRE of the first push is missing", fn: func(_ *mutation, f *generator.Func, _ int) bool {
		return len(f.Rows) > 2 && remove(f, 1)
	}},
	{name: "missing-middle", about: "an FRE in the middle is missing", row: func(_ *mutation, f *generator.Func, j int) bool {
		return j > 1 && j+1 < len(f.Rows) && remove(f, j)
	}},
	{name: "missing-last", about: "the last FRE is missing", fn: func(_ *mutation, f *generator.Func, _ int) bool {
		return len(f.Rows) > 1 && remove(f, len(f.Rows)-1)
	}},
	{name: "missing-epilogue", about: "the FRE of an epilogue is missing", row: func(m *mutation, f *generator.Func, j int) bool {
		return j > 1 && f.Rows[j].Rules == m.entry() && remove(f, j)
	}},
	{name: "missing-restore", about: "the state is not restored after an epilogue", row: func(m *mutation, f *generator.Func, j int) bool {
		return j > 2 && f.Rows[j-1].Rules == m.entry() && set(&f.Rows[j], f.Rows[j-1].Rules)
	}},
	{name: "only-entry", about: "the first FRE is the only one", fn: func(_ *mutation, f *generator.Func, _ int) bool {
		had := len(f.Rows)
		f.Rows = f.Rows[:1]
		return had > 1
	}},
	{name: "extra", about: "an FRE too many, with a CFA that is off", row: func(m *mutation, f *generator.Func, j int) bool {
		at, ok := m.step(f, f.Rows[j].Start, 1)
		return ok && at < end(f, j) && insert(f, j, at, func(r *model.Row) bool { return offCFA(m.in.ABI.CFAAlign)(m, r) })
	}},
}

// insert adds a row with other rules at an offset inside a row, or changes the row if it starts there.
func insert(f *generator.Func, j int, at uint32, how func(*model.Row) bool) bool {
	r := f.Rows[j]
	r.Start = at
	if !change(&r, how) {
		return false
	}
	if at > f.Rows[j].Start {
		j++
		f.Rows = slices.Insert(f.Rows, j, r)
	}
	f.Rows[j] = r
	return true
}
