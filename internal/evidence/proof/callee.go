package proof

import (
	"math/bits"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// call executes what a callee does: registers that it may use are unknown afterwards, and so
// is the stack below SP.
func (u *unit) call(s *state, at int32, i *ins) {
	kept := u.arch.Saved
	for _, o := range u.effects(i) {
		kept |= bit(o.dst & 31) // what the instruction sets itself, the link register
	}
	u.callee(s, at, kept)
	s.weak = s.weak || u.comesBack(at) != always
	if next := u.next(at); next >= 0 && u.ins[next].landing && u.comesBack(at) == perhaps {
		s.guess = true // what unwinds the stack may jump to the landing pad, and setjmp returns there again
	}
}

// callee executes what a callee does that keeps some registers.
func (u *unit) callee(s *state, at int32, kept uint32) {
	u.escape(s, kept)
	for r := range s.regs[:u.arch.Regs] {
		if kept&(1<<r) == 0 {
			s.set(insn.Reg(r), u.afterCall(insn.Reg(r), s.regs[r], at), at)
		}
	}
	sp := s.regs[u.arch.sp]
	s.slots = slices.DeleteFunc(s.slots, func(p slot) bool { // words elsewhere, but for those of its caller in another stack
		return p.base == Entry && p.at != 0 && (sp.Base != Entry || p.at != place(sp) || p.off < sp.Off)
	})
	switch {
	case sp.Base == CFA:
		_, low := u.bounds(sp.Off + u.arch.save)
		s.low = max(s.low, low)
		s.forgetBelow(sp.Off+u.arch.save, sp.Off, sp.Off+u.arch.Keep)
		if low := min(sp.Off+u.arch.save, 0); low > s.dead {
			s.dead, s.deadBy = low, at
		}
	case sp.Base == Aligned:
		if s.floor = max(s.floor, min(u.origins[int32(sp.At)].off, 0)); !u.knows(sp) {
			s.floor = 0
		}
		s.clipAligned(sp.At, sp.Off+u.arch.save)
	case sp.bounded():
		s.raise(u.bounds(sp.Off + u.arch.save))
	default:
		s.floor, s.low = 0, 0
	}
	s.cmp.at, s.bound = -1, 0
}

// knows reports whether it is known from which offset an aligned address was made.
func (u *unit) knows(v Value) bool {
	o, ok := u.origins[int32(v.At)]
	return ok && !o.many
}

// bounds returns the offsets from the CFA and from an aligned SP from which on words are certainly not below an offset
// from the CFA. Words that are known by their distance from one may be known by that from the other, too.
func (u *unit) bounds(off int64) (floor, low int64) {
	floor, low = off, nowhere
	for _, o := range u.origins {
		if floor, low = max(floor, o.off), max(low, off-o.off+o.align); o.many {
			return 0, 0
		}
	}
	if low == nowhere {
		return floor, 0
	}
	return floor, low
}

// raise makes words below two offsets unknown; see [state.floor] and [state.low].
func (s *state) raise(floor, low int64) {
	s.floor, s.low = max(s.floor, min(floor, 0)), max(s.low, low)
}

// escape forgets addresses of the stack in words that a callee can reach: those from an address on that is in a
// register that no callee keeps, or in such a word, up to the first saved register. Objects end before that.
func (u *unit) escape(s *state, kept uint32) {
	for r, v := range s.regs[:u.arch.Regs] {
		if kept&(1<<r) == 0 && v.inStack() {
			u.reachable(s, v)
		}
	}
}

// reachable forgets addresses of the stack in words that can be reached from an address. One that is not known may
// be any, but the lowest of the saved registers bounds it, too. What is pushed on an aligned stack is saved.
func (u *unit) reachable(s *state, from Value) {
	exact := from.Base == CFA || from.Base == Aligned
	ended := false
	for i := range s.slots {
		p := &s.slots[i]
		if i > 0 && (p.base != s.slots[i-1].base || p.at != s.slots[i-1].at) {
			ended = false
		}
		switch {
		case ended || exact && (p.base != from.Base || p.at != from.At || p.off < from.Off):
		case p.v.Base == Entry || p.base == CFA && p.off >= 0 || p.base == Aligned && u.isPush(p.by):
			ended = true
		case p.v.inStack() && p.v.Base != Stack:
			v := p.v
			p.v = Value{Base: Stack}
			u.reachable(s, v)
		}
	}
}

// isPush reports whether an instruction pushes a register.
func (u *unit) isPush(k int32) bool {
	if k < 0 || u.partial {
		return false
	}
	ops := u.effects(&u.ins[k])
	return len(ops) == 2 && ops[0].do == insn.Store && ops[1].do == insn.Move && ops[0].off == ops[1].off && ops[1].dst == u.arch.sp
}

// afterCall returns what a register that a callee may use has after a call: what the callee has left there, or,
// if the compiler knows that the callee does not use it, the value before.
func (u *unit) afterCall(r insn.Reg, v Value, at int32) Value {
	saved := v.from(u.arch.fp) || v.from(u.arch.ra)
	if v.open() || v.inStack() && !u.isResult(r, at) || saved && !u.overwrites(at, r) {
		return Value{}
	}
	return Value{Base: Scratch}
}

// isResult reports whether a register that has an argument of a call has a result after it, as far as the compiler
// knows: it does not know the callee.
func (u *unit) isResult(r insn.Reg, call int32) bool {
	if call < 0 || u.arch.onSP || int(r) != bits.TrailingZeros32(u.arch.Args) || u.ins[call].flow != insn.Call {
		return false
	}
	i := &u.ins[call]
	x, ok := u.t.find(i.place, i.target)
	return !i.resolved || !ok || u.t.ranges[x].Block > 0
}

// overwrites reports whether the function that a call leads to overwrites a register on each way to its returns.
func (u *unit) overwrites(call int32, r insn.Reg) bool {
	if call < 0 {
		return false
	}
	i := &u.ins[call]
	x, ok := u.t.find(i.place, i.target)
	if i.flow != insn.Call || !i.resolved || !ok || !u.t.ranges[x].starts(i.target) {
		return false
	}
	f := &u.t.ranges[x]
	code, _ := u.img.code(f.Place, f.Start, min(f.End, f.Start+maxFirst), nil)
	seen := map[uint64]bool{}
	d := &u.dec
	var from func(pc uint64) bool
	from = func(pc uint64) bool {
		for pc-f.Start < uint64(len(code)) && !seen[pc] {
			seen[pc] = true
			u.work++
			u.arch.Decode(code[pc-f.Start:], pc, d)
			for _, o := range d.Ops[:d.N] {
				if o.Dst == r && (o.Do == insn.Const || o.Do == insn.Clobber || o.Do == insn.Derive) {
					return true
				}
			}
			flow, to := d.Flow, d.Target
			if _, relocated := u.img.relocAt(int32(f.Place), pc+uint64(d.TargetOff)); u.img.rel && relocated && d.TargetLen > 0 {
				to = f.End // another function
			}
			pc += uint64(d.Len)
			switch {
			case flow == insn.Jump:
				pc = to
			case flow == insn.Branch && !from(to), flow != insn.Next && flow != insn.Branch && flow != insn.Call:
				return false
			}
		}
		return seen[pc] // a loop
	}
	return from(f.Start)
}

// maxFirst is the number of bytes of a callee that are read.
const maxFirst = 256
