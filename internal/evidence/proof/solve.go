package proof

import (
	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// maxUnit is the largest unit that is tracked, in bytes of code.
const maxUnit = budget.TrackUnit

// track tracks a unit and passes its ranges to visit.
func (u *unit) track(ranges []int32, visit func(*Function)) {
	size := uint64(0)
	for _, x := range ranges {
		size += u.t.ranges[x].End - u.t.ranges[x].Start
	}
	u.reason, u.anchored, u.relative, u.main, u.named, u.proof = Known, false, false, -1, false, 0
	if size > maxUnit {
		u.reason = TooLarge
		u.sizes(ranges)
	} else if !u.start(ranges) {
		u.reason = NoCode
	} else {
		u.anchor()
	}
	if u.reason != Known {
		u.anchored, u.relative = false, false
		u.reset()
	}
	for k := range u.parts {
		f := Function{u: u, part: k, evidence: u.evidence(k)}
		if visit != nil {
			visit(&f)
		}
	}
	u.hold()
}

// sizes makes the unit one of these ranges, without their code.
func (u *unit) sizes(ranges []int32) {
	u.ins, u.ops, u.used = u.ins[:0], u.ops[:0], 0
	u.parts = u.parts[:0]
	for _, x := range ranges {
		u.parts = append(u.parts, part{index: int(x), Range: u.t.ranges[x]})
	}
}

// About the bytes of an instruction, an effect and a state, and how many are counted at once.
const (
	insCost   = 72
	opCost    = 24
	stateCost = 1024
	holdStep  = 1 << 20
)

// pay spends the work since it was called last, if that is much. It reports whether the budget
// allows more.
func (u *unit) pay() bool {
	n := u.work - u.paid
	if n < payStep {
		return true
	}
	u.paid = u.work
	err := u.img.o.Step(n * execSteps)
	if err != nil {
		u.img.fail(err)
	}
	return err == nil
}

// execSteps is the steps of work that the execution of an instruction takes, and decodeSteps of
// the decoding of a byte; payStep is the number of instructions that are paid for at once.
const (
	execSteps   = 32
	decodeSteps = 8
	payStep     = 1 << 14
)

// hold counts the work, and the memory of the unit's buffers where they have grown.
func (u *unit) hold() {
	u.pay()
	n := int64(cap(u.ins))*insCost + int64(cap(u.ops))*opCost + int64(len(u.states))*stateCost
	if n <= u.held+holdStep {
		return
	}
	if err := u.img.o.Hold(n - u.held); err != nil {
		u.img.fail(err)
	}
	u.held = n
}

func (u *unit) evidence(k int) Evidence {
	e := u.t.facts[u.parts[k].index].evidence
	if u.named && u.main == k {
		e |= Symbol
	}
	if u.main == k {
		e |= u.proof
	}
	return e
}

// anchor finds what the CFA is on entry, and solves the unit.
func (u *unit) anchor() {
	u.main, u.named, u.proof, u.anchored = 0, false, 0, false
	u.entries, u.startSP = u.entries[:0], 0
	for k := range u.parts {
		p := &u.parts[k]
		if len(p.code) == 0 {
			continue
		}
		if u.t.entered(int32(p.index)) {
			if !u.dispatches(k) {
				u.addEntry(k, 0)
			}
			u.main = k
		}
		for off := int(p.Block); off > 0 && off < len(p.code) && len(u.entries) < maxStubs; off += int(p.Block) {
			u.addEntry(k, off)
		}
		for _, off := range u.t.middle[int32(p.index)] {
			if u.boundary(k, int(off)) {
				u.addEntry(k, int(off))
			}
		}
	}
	if len(u.entries) > 0 {
		u.anchored = true
		u.solveFromEntries()
		u.anchored = u.agree()
		return
	}
	u.tentative()
}

// dispatches reports whether the start of a part may be no entry, as in an interpreter: code has its address, and
// calls lead to places after it.
func (u *unit) dispatches(k int) bool {
	x := int32(u.parts[k].index)
	return u.t.facts[x].evidence&entered == Taken && len(u.t.middle[x]) > 0
}

// addEntry decodes the code from a place on, which is an entry.
func (u *unit) addEntry(p, off int) {
	if k := u.reach(p, off); k >= 0 {
		u.entries = append(u.entries, k)
	}
}

// solveFromEntries solves the unit from its entries.
func (u *unit) solveFromEntries() {
	u.reset()
	s := u.scratch()
	for _, k := range u.entries {
		if u.startSP == 0 {
			u.arch.entry(s)
		} else {
			u.arch.part(s, u.startSP)
		}
		u.enter(k, s)
	}
	u.solve()
	u.enterUnlisted()
}

// tentative solves a unit without a known entry: its first range that no jump leads to may be one. If jumps lead to all
// of them, it is one from which a return finds SP as it was there.
func (u *unit) tentative() {
	first, tries, entry := 0, min(len(u.parts), maxTentative), -u.arch.abi.EntryCFA
	for k := len(u.parts) - 1; k >= 0; k-- {
		if len(u.parts[k].code) > 0 && u.t.facts[u.parts[k].index].evidence&(Jumped|Pad) == 0 {
			first, tries = k, 1
		}
	}
	var ends ends
	for k := first + tries - 1; k >= first && (ends.mixed || ends.returns == 0 || ends.sp != entry); k-- {
		u.main, u.entries, ends.returns = k, u.entries[:0], 0
		if len(u.parts[k].code) > 0 {
			u.addEntry(k, 0)
			u.solveFromEntries()
			ends = u.ends()
		}
	}
	switch {
	case len(u.entries) == 0:
	case ends.mixed:
	case ends.returns > 0 && ends.sp == entry:
		u.proof, u.anchored = Returns, true
	case ends.returns > 0 && u.arch.onSP && ends.sp > entry:
		u.startSP = 2*entry - ends.sp
		u.solveFromEntries()
		u.proof, u.anchored = Released, true
	case ends.tails != 0 && ends.returns == 0:
		u.proof, u.anchored = Tail, true
	case u.t.named(int32(u.parts[u.main].index)):
		u.named, u.anchored = true, true
	default:
		u.relative = true
	}
}

// maxTentative is the number of ranges of a unit that may be its entry.
const maxTentative = 8

// agree reports whether no return contradicts the state on entry. Returns that agree are
// evidence besides, and so are calls at the end of the function.
func (u *unit) agree() bool {
	e := u.ends()
	if e.mixed || e.returns > 0 && e.sp != -u.arch.abi.EntryCFA {
		return false
	}
	if e.returns > 0 {
		u.proof = Returns
	} else if e.tails&Called != 0 {
		u.proof = Tail
	}
	return true
}

// ends are the ways out of a unit.
type ends struct {
	returns int      // at which SP is a distance from the CFA that is known
	sp      int64    // SP - CFA at them
	mixed   bool     // they disagree
	tails   Evidence // for the entries that jumps lead to with SP as on entry
}

// ends looks at all returns and jumps out of the unit.
func (u *unit) ends() (e ends) {
	entry := -u.arch.abi.EntryCFA
	for p := range u.parts {
		u.walk(p, func(k int32, s *state) {
			i := &u.ins[k]
			switch i.flow {
			case insn.Return, insn.Jump, insn.IndirectJump:
			default:
				return
			}
			after := u.stepped(k, s)
			sp := after.regs[u.arch.sp]
			if sp.Base != CFA || after.weak && i.flow != insn.Return {
				return
			}
			switch {
			case i.flow == insn.Return && u.returns(after, i, sp):
				if e.returns > 0 && e.sp != sp.Off && !after.weak {
					e.mixed = true
				}
				if e.returns == 0 || !after.weak {
					e.sp = sp.Off
				}
				e.returns++
			case i.flow == insn.Jump && i.out && sp.Off == entry:
				e.tails |= u.entryAt(i)
			}
		})
	}
	return e
}

// returns reports whether a return goes to the caller, as far as it is known.
func (u *unit) returns(s *state, i *ins, sp Value) bool {
	var v Value
	if u.arch.onSP {
		v, _ = s.word(CFA, 0, sp.Off)
		return v.from(u.arch.ra) || v.Base == Unknown && sp.Off >= 0
	}
	if i.via == insn.NoReg {
		return false
	}
	v = s.regs[i.via]
	return v.from(u.arch.ra)
}

// entryAt returns the evidence for the entry of a function that a jump leads to: Called for one in another file.
func (u *unit) entryAt(i *ins) Evidence {
	x, ok := u.t.find(i.place, i.target)
	switch {
	case !i.resolved: // an undefined symbol
		return Called
	case !ok: // perhaps a stub of a procedure linkage table
		return Taken
	case !u.t.ranges[x].starts(i.target):
		return 0
	case u.t.ranges[x].Block > 0:
		return Called
	}
	return u.t.facts[x].evidence & entered
}

// scratch returns a state for intermediate results, and stepped one as it is after the effects of an instruction.
func (u *unit) scratch() *state { return &u.temp }

func (u *unit) stepped(k int32, s *state) *state {
	after := u.scratch()
	after.copyFrom(s, u.arch.Regs)
	u.step(after, k, &u.ins[k])
	return after
}

// walk passes on the instructions of a part that were reached, with the state before each, block
// by block in the order of the addresses.
func (u *unit) walk(p int, yield func(k int32, s *state)) {
	part := &u.parts[p]
	s := &u.cur
	for off := 0; off < len(part.at); off++ {
		k := part.at[off]
		if k < 0 || !u.ins[k].leader || u.ins[k].state < 0 {
			continue
		}
		s.copyFrom(u.states[u.ins[k].state], u.arch.Regs)
		for first := k; k >= 0 && (k == first || !u.ins[k].leader) && int(u.ins[k].part) == p; {
			yield(k, s)
			k = u.replay(k, s)
		}
	}
}

// replay executes an instruction without entering what it leads to, and returns the next one.
func (u *unit) replay(k int32, s *state) int32 {
	i := &u.ins[k]
	u.step(s, k, i)
	switch {
	case i.flow == insn.Call && u.pushesPC(k, s):
	case !i.goesOn():
		return none
	case i.flow == insn.Branch:
		u.refine(s, k, i.equal == insn.ToNext, i.above == insn.ToTarget)
	case i.isCall():
		u.call(s, k, i)
	}
	return u.next(k)
}
