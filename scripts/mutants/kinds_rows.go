package main

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// startKinds are faults in the starts of FREs.
var startKinds = []kind{
	{name: "start-early", about: "an FRE starts one instruction early", row: startEarly},
	{name: "start-late", about: "an FRE starts one instruction late", row: startLate},
	{name: "start-inside", about: "an FRE starts inside an instruction", row: startInside},
	{name: "starts-early", about: "all FREs but the first start one instruction early", fn: startsEarly},
	{name: "starts-late", about: "all FREs but the first start one instruction late", fn: startsLate},
	{name: "starts-unscaled", about: "the starts are not multiplied by the code alignment factor (AArch64, s390x)", fn: startsUnscaled},
	{name: "first-late", about: "the first FRE starts at the second instruction", fn: firstLate},
	{name: "words-swapped", about: "two neighbours exchange their data words", row: wordsSwapped},
	{name: "words-stale", about: "an FRE repeats the data words of the previous one", row: wordsStale},
	{name: "words-ahead", about: "an FRE has the data words of the next one", row: wordsAhead},
}

func startEarly(m *mutation, f *generator.Func, j int) bool {
	to, ok := m.previous(f, f.Rows[j].Start)
	return ok && ordinary(f) && j > 0 && move(f, j, to)
}

func startLate(m *mutation, f *generator.Func, j int) bool {
	to, ok := m.next(f, f.Rows[j].Start)
	return ok && ordinary(f) && j > 0 && move(f, j, to)
}

func startInside(m *mutation, f *generator.Func, j int) bool {
	if !ordinary(f) || j == 0 {
		return false
	}
	to, ok := m.next(f, f.Rows[j].Start)
	at := f.Rows[j].Start + max(1, uint32(m.in.abi.MinInsn)/2)
	return ok && at < to && move(f, j, at)
}

func startsEarly(m *mutation, f *generator.Func) bool {
	any := false
	for j := 1; j < len(f.Rows); j++ {
		any = startEarly(m, f, j) || any
	}
	return any
}

func startsLate(m *mutation, f *generator.Func) bool {
	any := false
	for j := len(f.Rows) - 1; j > 0; j-- {
		any = startLate(m, f, j) || any
	}
	return any
}

func startsUnscaled(m *mutation, f *generator.Func) bool {
	factor := uint32(m.in.abi.MinInsn)
	if !ordinary(f) || len(f.Rows) < 2 || factor == 1 {
		return false
	}
	for j := range f.Rows {
		f.Rows[j].Start /= factor
	}
	return true
}

func firstLate(m *mutation, f *generator.Func) bool {
	to, ok := m.next(f, 0)
	return ok && ordinary(f) && f.Rows[0].Start == 0 && move(f, 0, to)
}

func wordsSwapped(_ *mutation, f *generator.Func, j int) bool {
	if !ordinary(f) || j == 0 {
		return false
	}
	a, b := f.Rows[j-1].Rules, f.Rows[j].Rules
	return set(&f.Rows[j-1], b) && set(&f.Rows[j], a)
}

func wordsStale(_ *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && j > 0 && set(&f.Rows[j], f.Rows[j-1].Rules)
}

func wordsAhead(_ *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && j+1 < len(f.Rows) && set(&f.Rows[j], f.Rows[j+1].Rules)
}

// missingKinds are faults of too few or too many FREs.
var missingKinds = []kind{
	{name: "missing-entry", about: "the first FRE is missing, and the second one starts at 0", fn: missingEntry},
	{name: "missing-push", about: "the FRE of the first push is missing", fn: missingPush},
	{name: "missing-middle", about: "an FRE in the middle is missing", row: missingMiddle},
	{name: "missing-last", about: "the last FRE is missing", fn: missingLast},
	{name: "missing-epilogue", about: "the FRE of an epilogue is missing", row: missingEpilogue},
	{name: "missing-restore", about: "the state is not restored after an epilogue", row: missingRestore},
	{name: "only-entry", about: "the first FRE is the only one", fn: onlyEntry},
	{name: "extra", about: "an FRE too many, with a CFA that is off", row: extra},
}

func missingEntry(_ *mutation, f *generator.Func) bool {
	if !ordinary(f) || len(f.Rows) < 2 {
		return false
	}
	f.Rows[1].Start = 0
	return remove(f, 0)
}

func missingPush(_ *mutation, f *generator.Func) bool {
	return ordinary(f) && len(f.Rows) > 2 && remove(f, 1)
}

func missingMiddle(_ *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && j > 1 && j+1 < len(f.Rows) && remove(f, j)
}

func missingLast(_ *mutation, f *generator.Func) bool {
	return ordinary(f) && len(f.Rows) > 1 && remove(f, len(f.Rows)-1)
}

func missingEpilogue(m *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && j > 1 && f.Rows[j].Rules == m.entry() && remove(f, j)
}

func missingRestore(m *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && j > 2 && f.Rows[j-1].Rules == m.entry() && set(&f.Rows[j], f.Rows[j-1].Rules)
}

func onlyEntry(_ *mutation, f *generator.Func) bool {
	if !ordinary(f) || len(f.Rows) < 2 {
		return false
	}
	f.Rows = f.Rows[:1]
	return true
}

func extra(m *mutation, f *generator.Func, j int) bool {
	at, ok := m.next(f, f.Rows[j].Start)
	if !ok || !ordinary(f) || j+1 < len(f.Rows) && at >= f.Rows[j+1].Start {
		return false
	}
	r := f.Rows[j]
	r.Start = at
	if !change(&r, func(rules *model.Row) bool { return offCFA(rules, m.in.abi.CFAAlign) }) {
		return false
	}
	f.Rows = slices.Insert(f.Rows, j+1, r)
	return true
}
