package main

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// callKinds are faults after a call. A rule must not take the callee for a function that does not return.
var callKinds = []sectionKind{
	{name: "call-early", about: "an FRE starts early, at the return address of a call", row: afterCall(func(insn.Insn, uint64, bool) bool { return true })},
	{name: "call-join-early", about: "an FRE starts early, at the return address of a call to which a branch leads as well",
		row: afterCall(func(i insn.Insn, to uint64, _ bool) bool { return i.Target == to && !i.Calls() })},
	{name: "call-switch-early", about: "an FRE starts early, at the return address of a call in a function with an indirect jump",
		row: afterCall(func(i insn.Insn, _ uint64, entry bool) bool { return i.Flow == insn.IndirectJump && !entry })},
	{name: "call-tail-early", about: "an FRE starts early, at the return address of a call in a function with an indirect tail call",
		row: afterCall(func(i insn.Insn, _ uint64, entry bool) bool { return i.Flow == insn.IndirectJump && entry })},
}

// afterCall moves the start of an FRE to the return address of a call, in a function that has an instruction like that:
// entry says that its state is that of an entry.
func afterCall(like func(i insn.Insn, to uint64, entry bool) bool) edit {
	return func(m *mutation, f *generator.Func, j int) bool {
		insns, calls := m.in.Instructions(f.Start, uint64(f.Size))
		for _, call := range slices.Backward(calls) {
			to, ok := m.step(f, uint32(call), 1)
			if !ok || j == 0 || to <= f.Rows[j-1].Start || to >= f.Rows[j].Start {
				continue
			}
			row := 0
			for _, off := range insns {
				for row+1 < len(f.Rows) && int64(f.Rows[row+1].Start) <= off {
					row++
				}
				if like(m.in.First(f.Start+uint64(off)), f.Start+uint64(to), f.Rows[row].Rules == m.entry()) {
					return move(f, j, to)
				}
			}
		}
		return false
	}
}

// codeKinds are faults at code that moves SP or saves RA in a way of its own.
var codeKinds = []sectionKind{
	{name: "sp-loop", about: "the CFA counts from SP while a loop moves SP, as the probes of -fstack-clash-protection do", row: func(m *mutation, f *generator.Func, j int) bool {
		return j > 0 && m.loops(f, j) && change(&f.Rows[j], func(r *model.Row) bool {
			had := r.CFA
			r.CFA = f.Rows[j-1].Rules.CFA // as if the FRE were missing, or one of another round
			r.CFA.Offset += int64(m.rnd.Intn(16)) << 12
			return had.Kind == model.InRegister && had.Reg != m.in.ABI.SP && r.CFA.Reg == m.in.ABI.SP
		})
	}},
	{name: "shadow-stack", about: "an FRE has a slot for RA after an instruction that only uses the shadow call stack (AArch64)", row: func(m *mutation, f *generator.Func, j int) bool {
		at, ok := m.shadow(f, j)
		return ok && insert(f, j, at, func(r *model.Row) bool {
			was := r.RA
			r.RA = slot(-8 * int64(1+m.rnd.Intn(8)))
			return was == unchanged
		})
	}},
}

// loops reports whether a loop inside a row moves SP.
func (m *mutation) loops(f *generator.Func, j int) bool {
	start, moved := f.Start+uint64(f.Rows[j].Start), uint64(0)
	insns, _ := m.in.Instructions(f.Start, uint64(f.Size))
	for _, off := range insns {
		pc := f.Start + uint64(off)
		if pc < start || off >= int64(end(f, j)) {
			continue
		}
		i := m.in.First(pc)
		if i.Flow == insn.Branch && i.Target >= start && i.Target <= moved {
			return true
		}
		if slices.ContainsFunc(i.Ops[:i.N], func(o insn.Op) bool { return o.Do == insn.Move && uint32(o.Dst) == m.in.ABI.SP }) {
			moved = pc
		}
	}
	return false
}

// shadow returns an offset in a row after an instruction that stores RA on the shadow call stack, whose pointer is x18, or
// loads it from there.
func (m *mutation) shadow(f *generator.Func, j int) (uint32, bool) {
	insns, _ := m.in.Instructions(f.Start, uint64(f.Size))
	for _, k := range m.rnd.Perm(len(insns)) {
		at := uint32(insns[k])
		if k == 0 || !m.in.ABI.Pauth || at < f.Rows[j].Start || at >= end(f, j) {
			continue
		}
		i := m.in.First(f.Start + uint64(insns[k-1]))
		for _, o := range i.Ops[:i.N] {
			load, store := o.Do == insn.Load && uint32(o.Dst) == m.in.ABI.RA && o.Src == 18, o.Do == insn.Store && uint32(o.Src) == m.in.ABI.RA && o.Dst == 18
			if load || store {
				return at, true
			}
		}
	}
	return 0, false
}

// startKinds are faults in the starts of FREs.
var startKinds = []sectionKind{
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
var missingKinds = []sectionKind{
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
