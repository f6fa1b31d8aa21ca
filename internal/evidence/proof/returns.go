package proof

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// findReturns finds for each instruction a return to the caller that it leads to: it follows the
// flow backwards from all returns, and from the jumps to others that return for it, if passes says that they do.
func (u *unit) findReturns(passes func(jump *ins) bool) {
	u.exits = fill(u.exits, len(u.ins))
	for p := range u.parts {
		u.walk(p, func(k int32, s *state) {
			i, sp := &u.ins[k], s.regs[u.arch.sp]
			if sp.Base == CFA && (i.flow == insn.Return && u.returns(s, i, sp) || i.flow == insn.Jump && i.out && u.passesOn(s, i, sp) && passes(i)) {
				u.exits[k] = k
			}
		})
	}
	for changed := true; changed; {
		changed = false
		for k := len(u.ins) - 1; k >= 0; k-- {
			i := &u.ins[k]
			if u.exits[k] >= 0 || i.owner < 0 {
				continue
			}
			for _, next := range u.successors(int32(k)) {
				if next >= 0 && u.exits[next] >= 0 {
					u.exits[k], changed = u.exits[next], true
				}
			}
		}
	}
}

// passesOn reports whether a jump leads to a function, with SP and RA as on entry.
func (u *unit) passesOn(s *state, i *ins, sp Value) bool {
	if sp.Off != -u.arch.abi.EntryCFA || u.entryAt(i) == 0 {
		return false
	}
	v := s.regs[min(u.arch.ra, insn.MaxRegs-1)]
	if u.arch.onSP {
		v, _ = s.word(CFA, 0, sp.Off)
	}
	return v.from(u.arch.ra) && v.Off == 0
}

// successors returns the instructions that directly follow another, below 0 for none.
func (u *unit) successors(k int32) [2]int32 {
	i, next := &u.ins[k], none
	if i.goesOn() {
		next = u.next(k)
	}
	return [2]int32{next, i.to}
}

// Returns finds an instruction that returns to the function's caller with a result in a register. A signal handler's
// frame, which interrupts another function, never returns in this way. Returns reports false if there is no such
// instruction.
func (f *Function) Returns() (pc uint64, ok bool) {
	u := f.u
	a := u.arch
	if !u.anchored {
		return 0, false
	}
	u.walk(f.part, func(k int32, s *state) {
		i, sp := &u.ins[k], s.regs[a.sp]
		if ok || i.flow != insn.Return || s.guess || sp.Base != CFA || !u.returns(s, i, sp) {
			return
		}
		for r := range insn.Reg(16) {
			if v := s.regs[r]; a.Saved&bit(r) == 0 && r != a.ra && v.plain() {
				pc, ok = u.pc(k), true
			}
		}
	})
	return pc, ok
}

// Lowered reports whether SP is lower at the start of the range than on entry to a function. The range is then a part
// of a function with a frame.
func (f *Function) Lowered() (lower bool) {
	u, first := f.u, true
	u.walk(f.part, func(k int32, s *state) {
		if first {
			lower = u.anchored && !s.guess && u.ins[k].off == 0 && u.framed(s)
		}
		first = false
	})
	return lower
}

// framed reports whether SP is lower than on entry to the function, or is in the stack while FP has an address below that.
func (u *unit) framed(s *state) bool {
	entry := -u.arch.abi.EntryCFA
	switch sp, fp := s.regs[u.arch.sp], s.regs[u.arch.fp]; {
	case sp.Base == CFA:
		return sp.Off < entry
	case sp.Base == Aligned:
		return true
	default:
		return sp.inStack() && (fp.Base == Aligned || fp.Base == CFA && fp.Off < entry)
	}
}

// takesDown finds an instruction that takes down a frame which the code has not set up: SP is set from FP as it was at the
// start, or a return finds SP higher than it was there.
func (f *Function) takesDown() (pc uint64, ok bool) {
	u := f.u
	a := u.arch
	u.walk(f.part, func(k int32, s *state) {
		sets := slices.ContainsFunc(u.effects(&u.ins[k]), func(o op) bool { return o.do == insn.Move && o.dst == a.sp && o.src == a.fp })
		sp, high := s.regs[a.sp], u.ins[k].flow == insn.Return && a.onSP
		high = high && (f.evidence&Released != 0 || sp.Base == CFA && sp.Off > -a.abi.EntryCFA)
		if !ok && !s.guess && (high || sets && s.regs[a.fp].from(a.fp) && s.by[a.fp] < 0) {
			pc, ok = u.pc(k), true
		}
	})
	return pc, ok
}
