package main

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// codeKinds are faults at code that moves SP or saves RA in a way of its own.
var codeKinds = []mutator{
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
