package proof

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// maxVisits bounds how often a block is executed. What still changes then is lost.
const maxVisits = budget.TrackVisits

// maxWork is the number of instructions that may be executed of a unit in any case.
const maxWork = 1 << 16

// wordsPerStep is the number of registers and slots of a state that are looked at in the time that an
// instruction takes.
const wordsPerStep = 8

// newState returns a state of the unit's.
func (u *unit) newState() *state {
	if u.used == len(u.states) {
		u.states = append(u.states, &state{})
	}
	u.used++
	return u.states[u.used-1]
}

// lead makes an instruction the first one of a block.
func (u *unit) lead(k int32) {
	i := &u.ins[k]
	if i.leader {
		return
	}
	i.leader = true
	if i.owner >= 0 { // the block that it was in has to end before it
		u.push(i.owner)
	}
}

func (u *unit) push(k int32) {
	for len(u.queued) < len(u.ins) {
		u.queued = append(u.queued, false)
	}
	if !u.queued[k] {
		u.queued[k] = true
		u.queue = append(u.queue, k)
	}
}

// enter joins a state into that of a block.
func (u *unit) enter(k int32, s *state) {
	u.lead(k)
	i := &u.ins[k]
	if s.weak && u.first >= 0 && !slices.Contains(u.doubts[k], u.first) {
		u.doubts[k] = append(u.doubts[k], u.first)
	}
	if i.state < 0 {
		if u.used >= maxStates {
			u.reason = TooLarge
			return
		}
		i.state = int32(u.used)
		u.newState().copyFrom(s, u.arch.Regs)
		u.push(k)
		return
	}
	old := u.states[i.state]
	u.work += int64(u.arch.Regs+len(old.slots)+len(s.slots)) / wordsPerStep
	if u.torn(i, old, s) {
		i.torn, old.weak = true, false
		old.forgetAll()
		u.push(k)
		return
	}
	a, b, sp := s.rank(), old.rank(), old.regs[u.arch.sp]
	i.dropped = i.dropped || a != b && a+b == 1 && old.regs[u.arch.sp] != s.regs[u.arch.sp]
	switch {
	case a > b:
		if !u.dropUncertain(old, s) {
			return
		}
	case a < b:
		u.less.copyFrom(old, u.arch.Regs)
		old.copyFrom(s, u.arch.Regs)
		u.dropUncertain(old, &u.less)
	case !old.merge(s, u.arch.Regs, u.joiner(old, s)):
		return
	}
	if sp != old.regs[u.arch.sp] { // what differed from SP may not now
		for _, from := range u.doubts[k] {
			u.push(from)
		}
	}
	if i.visits++; i.visits > maxVisits {
		old.forgetAll()
		if i.visits > 2*maxVisits {
			return
		}
	}
	u.push(k)
}

// torn reports whether two ways lead with different frames to the start of a part, or to where a table of jumps leads. One of
// them is never taken, as the branch of a function whose own part is empty, or the entry of a case that cannot be. The tables
// of exceptions cover calls that throw none, as that of __morestack.
func (u *unit) torn(i *ins, a, b *state) bool {
	x, y, fp := a.regs[u.arch.sp], b.regs[u.arch.sp], u.arch.fp
	if x == y || x.Base != CFA || y.Base != CFA || a.guess != b.guess || a.weak != b.weak && !i.catches || a.regs[fp].Base == CFA && a.regs[fp] == b.regs[fp] {
		return false
	}
	return i.cased || i.catches || i.off == 0 && u.jumped(i.part)
}

// jumped reports whether only jumps are known to lead to the start of a part.
func (u *unit) jumped(p int32) bool {
	x := u.parts[p].index
	return u.t.facts[x].evidence&Jumped != 0 && !u.t.entered(int32(x))
}

// joiner returns how two states are joined. If they are weak, a call before one of them may not return;
// a frame that FP has is the same in spite of that.
func (u *unit) joiner(a, b *state) joiner {
	fp := u.arch.fp
	frame := a.regs[fp].Base == CFA && a.regs[fp] == b.regs[fp]
	return joiner{fp: fp, ra: u.arch.ra, args: u.arch.Args, stack: frame, both: a.rank() == 0}
}

// dropUncertain drops from a state what it says of the caller's FP and a less certain one does not, and
// reports whether it has changed. If SP differs, the call before the other state does not return; if it is
// the same, the call may return, with FP changed, and with the register of RA changed if RA was saved before.
func (u *unit) dropUncertain(s, less *state) (changed bool) {
	fp, sp := u.arch.fp, u.arch.sp
	by := joiner{fp: fp, ra: u.arch.ra, args: u.arch.Args}
	if less.guess || s.regs[sp] != less.regs[sp] {
		return false
	}
	if v := by.register(fp, s.regs[fp], less.regs[fp]); v != s.regs[fp] {
		s.regs[fp], changed = v, true
	}
	if ra := u.arch.ra; !u.arch.onSP && s.regs[ra].from(ra) && !less.regs[ra].from(ra) && less.saved(ra) {
		s.regs[ra], changed = Value{}, true
	}
	for i := range s.slots {
		if p := &s.slots[i]; p.v.from(fp) {
			if v, _ := less.word(p.base, p.at, p.off); v != p.v {
				p.v, changed = Value{}, true
			}
		}
	}
	for i := range less.slots {
		if p := &less.slots[i]; p.v.from(fp) {
			if v, _ := s.word(p.base, p.at, p.off); v != p.v && v.Base != Unknown {
				s.put(slot{p.base, p.at, p.off, p.by, Value{}})
				changed = true
			}
		}
	}
	return changed
}

// reset forgets all states.
func (u *unit) reset() {
	for k := range u.ins {
		i := &u.ins[k]
		i.state, i.owner, i.visits, i.dropped, i.cased, i.torn, i.catches = -1, -1, 0, false, false, false, false
	}
	clear(u.led)
	clear(u.pads)
	clear(u.doubts)
	u.first = none
	u.used, u.queue = 0, u.queue[:0]
	clear(u.queued)
	clear(u.origins)
}

// solve executes blocks until no state changes.
func (u *unit) solve() {
	cur := &u.cur
	if u.spent = u.work; u.paths != nil {
		u.paths.done = false
	}
	for len(u.queue) > 0 && u.reason != TooLarge {
		if !u.pay() || u.work > u.spent+maxWork+budget.TrackExecutions*int64(len(u.ins)) {
			u.reason = TooLarge
			return
		}
		k := u.queue[len(u.queue)-1]
		u.queue = u.queue[:len(u.queue)-1]
		u.queued[k] = false
		if u.ins[k].state < 0 {
			continue
		}
		cur.copyFrom(u.states[u.ins[k].state], u.arch.Regs)
		u.block(k, cur)
	}
}

// block executes a block. It ends at the end of its part.
func (u *unit) block(k int32, s *state) {
	first := k
	u.first = first
	for k >= 0 {
		if k != first && (u.ins[k].leader || u.ins[k].part != u.ins[first].part) {
			u.enter(k, s)
			return
		}
		u.ins[k].owner = first
		k = u.execute(k, s)
	}
}

// execute executes an instruction, and returns the one that follows in the block. It enters all
// others that the instruction leads to.
func (u *unit) execute(k int32, s *state) int32 {
	u.work += 1 + int64(len(s.slots))/wordsPerStep
	i := &u.ins[k]
	u.step(s, k, i)
	switch i.flow {
	case insn.Next:
		return u.next(k)
	case insn.Jump:
		if to := u.to(k); to >= 0 {
			u.enter(to, s)
		}
	case insn.Branch:
		if to := u.to(k); to >= 0 {
			u.branch(to, s, k, &u.ins[k])
		}
		i = &u.ins[k]
		u.refine(s, k, i.equal == insn.ToNext, i.above == insn.ToTarget)
		return u.next(k)
	case insn.Call, insn.IndirectCall:
		if i.flow == insn.Call && u.pushesPC(k, s) {
			return u.next(k)
		}
		if to := u.to(k); to >= 0 && s.regs[u.arch.sp].Base == CFA {
			t := &u.taken
			t.copyFrom(s, u.arch.Regs)
			u.pushPC(k, t)
			t.inner = t.regs[u.arch.sp].Off + u.arch.abi.EntryCFA
			u.enter(to, t)
		}
		u.enterPad(k, s)
		if i = &u.ins[k]; u.comesBack(k) == never {
			i.stops = true
			return none
		}
		u.call(s, k, i)
		return u.next(k)
	case insn.IndirectJump:
		u.indirect(k, s)
		if u.ins[k].cond {
			return u.next(k)
		}
	case insn.Return:
		if i.cond {
			return u.next(k)
		}
	}
	return none
}

// pushesPC executes a call of the next instruction, which is how code finds its own address
// on AMD64, and reports whether it is one.
func (u *unit) pushesPC(k int32, s *state) bool {
	if u.ins[k].pushes {
		u.pushPC(k, s)
	}
	return u.ins[k].pushes
}

// pushPC pushes the address of the next instruction, as a call does on AMD64.
func (u *unit) pushPC(k int32, s *state) {
	u.store(s, k, &op{dst: u.arch.sp, src: insn.NoReg, size: 8, off: -8})
	s.set(u.arch.sp, addOffset(s.regs[u.arch.sp], -8), k)
}

// to returns the target of a jump, below 0 if it is not in the unit.
func (u *unit) to(k int32) int32 {
	i := &u.ins[k]
	if i.to == pending {
		i.to = none
		if p, off, ok := u.locate(i.place, i.target); ok {
			to := u.reach(p, off)
			u.ins[k].to = to
			return to
		}
	}
	return i.to
}

// branch enters the target of a branch.
func (u *unit) branch(to int32, s *state, k int32, i *ins) {
	t := &u.taken
	t.copyFrom(s, u.arch.Regs)
	u.refine(t, k, i.equal == insn.ToTarget, i.above == insn.ToNext)
	u.enter(to, t)
}

// refine adds what is known on one way of the branch k.
func (u *unit) refine(s *state, k int32, equal, atMost bool) {
	c := &s.cmp
	s.bound = 0
	if c.at < 0 || u.arch.OwnFlags && k-c.at > 1 {
		return
	}
	if equal {
		u.equalize(s)
	}
	if atMost && c.src == insn.NoReg && c.imm >= 0 && c.imm < maxEntries {
		s.bound = c.imm + 1
	}
}

// equalize uses that both registers of the last comparison are equal.
func (u *unit) equalize(s *state) {
	c := &s.cmp
	if c.dst == insn.NoReg || c.src == insn.NoReg {
		return
	}
	a, b := &s.regs[c.dst], &s.regs[c.src]
	switch {
	case a.exactness() > 0 && a.exactness() < b.exactness():
		*a, s.by[c.dst] = *b, c.at
	case b.exactness() > 0 && b.exactness() < a.exactness():
		*b, s.by[c.src] = *a, c.at
	}
}

// indirect enters what an indirect jump leads to, as far as its table can be read.
func (u *unit) indirect(k int32, s *state) {
	i := &u.ins[k]
	if i.via == insn.NoReg {
		return
	}
	v, bound := s.regs[i.via], s.bound
	u.ways = u.ways[:0]
	if u.room <= 0 {
		return
	}
	i.tail = s.regs[u.arch.sp] == (Value{Base: CFA, Off: -u.arch.abi.EntryCFA}) && !v.open() && !u.leadsTo(v)
	ok := u.table(v, bound, func(p, off int) { u.ways = append(u.ways, [2]int32{int32(p), int32(off)}) })
	u.room -= len(u.ways) + 1
	u.ins[k].resolved = ok
	guess := s.guess
	s.guess = s.guess || !ok
	for _, at := range u.ways {
		if p, off := int(at[0]), int(at[1]); u.boundary(p, off) {
			if to := u.reach(p, off); to >= 0 {
				u.jumpsTo(k, to)
				u.enter(to, s)
			}
		}
	}
	s.guess = guess
}

// jumpsTo records that an indirect jump leads to an instruction.
func (u *unit) jumpsTo(k, to int32) {
	if u.led == nil {
		u.led = map[int32][]int32{}
	}
	u.ins[to].cased = true
	if !slices.Contains(u.led[k], to) {
		u.led[k] = append(u.led[k], to)
	}
}

// boundary reports whether no decoded instruction contains an offset beyond its first byte.
func (u *unit) boundary(p, off int) bool {
	part := &u.parts[p]
	if part.at[off] >= 0 {
		return true
	}
	for back := 1; back < 15 && back <= off; back++ {
		if k := part.at[off-back]; k >= 0 {
			return int(u.ins[k].len) <= back
		}
	}
	return true
}
