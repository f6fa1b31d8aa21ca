package main

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// callKinds are faults after a call. A rule must not take the callee for a function that does not return.
var callKinds = []mutator{
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
