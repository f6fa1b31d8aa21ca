package proof

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// answer is what a state proves of a rule.
type answer uint8

const (
	open   answer = iota // nothing
	agrees               // it is right
	wrong
)

// finding is the outcome of judging one rule.
type finding struct {
	answer answer
	got    Value
	by     int64
	exact  bool
	from   int64    // how far the CFA of the row is above that of the state from its first instruction on
	saved  bool     // only a slot is right, though a register has the value, too
	proof  [2]int32 // the instructions that prove it; below 0: none, or the entry
}

// checker judges rows of a part.
type checker struct {
	f      *Function
	u      *unit
	rows   []Row
	out    []Contradiction
	last   map[key]int // index in out of the contradiction of a row and kind
	bad    []uint64    // the instructions at which a row is wrong; nil for Points
	row    int
	before int32   // the instruction before, if it was executed before this one
	drop   []int32 // calls that presumably do not return
	keep   []int32 // calls that must return
	even   answer  // of steady, once it is known
	begun  int     // the row whose first instruction was judged last
	sound  bool    // the CFA of a row is right that does not begin at the entry
	begin  [WrongSigning + 1]finding
	called bool             // there is no more than padding since a call, which may not return
	open   []Reason         // of each row: see [checker.judged]
	back   []bool           // see [unit.excursions]
	marks  map[uint64]uint8 // of Points: by PC, the kinds that are wrong there, and proven; nil for Check

	paths    *paths // of the unit as it is solved, once they are needed
	replayed int    // instructions, by joined

	// redirects are the redirected returns, once a row of RA is wrong; see findRedirects.
	redirects *redirects
}

type key struct {
	row  int
	kind Aspect
}

// Marks of a PC besides the aspects that are wrong there.
const (
	all    = 1<<WrongCFA | 1<<WrongRA | 1<<WrongFP
	proven = 1 << 7 // the code proves all rules of the row right
)

// maxRounds bounds how often a unit is solved again because of calls that do not return.
const maxRounds = budget.TrackRounds

// Check reports the rows that the code proves wrong. The rows must be sorted by address and must not overlap. Check
// may report a row once for each kind.
func (f *Function) Check(rows []Row, report func(Contradiction)) {
	c := &checker{f: f, u: f.u, rows: rows}
	f.check(c, func() {
		c.disagrees()
		f.repairs = c.correction()
		c.inside()
		f.atCalls = c.atCalls()
		slices.SortStableFunc(c.out, func(a, b Contradiction) int { return a.Row - b.Row })
		for i := range c.out {
			report(c.out[i])
		}
	})
}

// check judges the rows, and calls use while the states are those that they were judged by.
func (f *Function) check(c *checker, use func()) {
	u, rows := f.u, c.rows
	c.open = slices.Repeat([]Reason{NoCode}, len(rows))
	f.repairs, f.atCalls, f.unconfirmed, f.open, f.strays = nil, false, [Inside + 1]bool{}, c.open, nil
	if len(u.parts[f.part].code) == 0 {
		return
	}
	var dropped []int32
	for {
		c.out, c.last, c.before, c.drop, c.even, c.begun, c.paths = nil, map[key]int{}, none, c.drop[:0], open, -1, nil
		clear(c.marks)
		c.bad = c.bad[:0]
		c.sound = false
		for r := range c.open {
			c.open[r] = unseen
		}
		if u.anchored || u.relative {
			c.back = u.excursions()
			if slices.ContainsFunc(rows, func(r Row) bool { return r.RA.Kind == model.Undefined }) {
				has, framed := c.hasCaller(), c.framed()
				u.findReturns(func(i *ins) bool { return has || c.leadsToCaller(i, framed) })
			}
			u.walk(f.part, c.insn)
			if c.redirects == nil && slices.ContainsFunc(c.out, func(o Contradiction) bool { return o.Kind == WrongRA }) {
				if c.redirects = u.findRedirects(); len(c.redirects.slots) > 0 {
					continue
				}
			}
		}
		if len(c.drop) == 0 || u.rounds >= maxRounds {
			break
		}
		dropped = append(dropped, c.drop...)
		c.stop()
	}
	c.confirm()
	c.unreached()
	c.close()
	use()
	if len(dropped) > 0 {
		for _, k := range dropped {
			u.ins[k].stops = false
		}
		u.solveFromEntries()
	}
}

// stop solves the unit again without the ways after the calls in drop. If nothing else leads to
// the code after one, and no indirect jump may, it does return.
func (c *checker) stop() {
	u := c.u
	for _, k := range c.drop {
		u.ins[k].stops = true
	}
	u.solveAgain()
	back := false
	var jumps *state // what all open jumps have
	for _, k := range c.drop {
		next := u.next(k)
		if next < 0 || u.ins[next].owner >= 0 {
			continue
		}
		if jumps == nil {
			jumps = u.jumpsHave()
		}
		if jumps.guess { // there are none
			u.ins[k].stops, back = false, true
			c.keep = append(c.keep, k)
		} else {
			u.openTo(next)
			u.enter(next, jumps)
		}
	}
	if back {
		u.solveAgain()
	} else if jumps != nil {
		u.solve()
	}
}

// openTo records that all open jumps lead to an instruction.
func (u *unit) openTo(to int32) {
	for k := range u.ins {
		if u.open(int32(k)) {
			u.jumpsTo(int32(k), to)
		}
	}
}

// jumpsHave returns the state that all open jumps have in common: what they lead to has it. It is a guess if
// there are none.
func (u *unit) jumpsHave() *state {
	var all state
	all.forgetAll()
	all.guess = true
	for p := range u.parts {
		u.walk(p, func(k int32, s *state) {
			switch {
			case !u.open(k) || s.guess:
			case all.guess:
				all.copyFrom(s, u.arch.Regs)
			default:
				all.merge(s, u.arch.Regs, u.arch.joiner())
				all.weak = all.weak && s.weak
			}
		})
	}
	return &all
}

// solveAgain solves the unit again for a check.
func (u *unit) solveAgain() {
	u.rounds++
	if u.solveFromEntries(); u.reason != Known { // the states are not complete
		u.anchored, u.relative = false, false
		u.reset()
	}
}

// opaque reports whether the unit has an indirect jump that may lead to any of its
// instructions.
func (u *unit) opaque() bool {
	for k := range u.ins {
		if u.open(int32(k)) {
			return true
		}
	}
	return false
}

// open reports whether an instruction is an indirect jump that may lead to any instruction of the unit: it is not known
// where it leads, and it does not leave the function with SP as on entry.
func (u *unit) open(k int32) bool {
	i := &u.ins[k]
	return i.flow == insn.IndirectJump && i.owner >= 0 && !i.resolved && !i.tail && i.via != insn.NoReg
}

// insn judges the rows at an instruction.
func (c *checker) insn(k int32, s *state) {
	u := c.u
	pc, n := u.pc(k), uint64(u.ins[k].len)
	before := c.before
	c.before = k
	c.called = before >= 0 && u.next(before) == k && (u.ins[before].isCall() || c.called && u.ins[before].pads())
	r := c.rowAt(pc)
	if r < 0 || s.guess {
		return
	}
	row := &c.rows[r]
	proved, refutes := uint8(0), false
	for kind := WrongCFA; kind <= WrongSigning; kind++ {
		f := c.judge(kind, row, s)
		if kind == WrongRA && f.answer == agrees && c.overwrites(k, row, s) || kind == WrongCFA && f.answer == open && c.losesCFA(k, row) {
			f = finding{answer: wrong, got: another, saved: true, proof: [2]int32{k, none}}
		} else if kind == WrongCFA && f.answer == open && c.returnsBy(k, row, s) {
			f = finding{answer: wrong, got: s.regs[row.CFA.Reg], proof: [2]int32{s.by[row.CFA.Reg], none}}
		}
		if kind == WrongCFA && r > 0 && f.answer == agrees && f.exact && u.anchored && s.rank() == 0 {
			c.sound = true
		}
		if f.answer == wrong && row.RA.Kind == model.Undefined {
			f = c.checkOutermost(k, f)
		}
		if f.answer == agrees {
			proved |= 1 << kind
		}
		inside := c.within(kind, r, row.Start == c.fold(pc), &f) || f.answer == wrong && row.RA.Kind == model.Undefined && c.goesOn(r)
		refutes = refutes || f.answer == wrong
		if f.answer != wrong || kind == WrongRA && c.redirected(row.RA, s, &f) {
			continue
		}
		if s.weak && row.Start == pc && before >= 0 && u.ins[before].isCall() && u.next(before) == k && u.comesBack(before) == perhaps && !slices.Contains(c.keep, before) {
			c.drop = append(c.drop, before)
			return
		}
		if inside || !u.relative {
			c.add(kind, r, k, n, s, f, inside)
		}
	}
	right := u.anchored && proved&all == all && !refutes
	if right && c.marks != nil {
		c.marks[pc] |= proven
	}
	c.judged(r, right, s)
	if u.ins[k].leader {
		c.joined(k, r, row, s)
	}
}

// goesOn reports whether a row before or after one has the frame of a caller.
func (c *checker) goesOn(r int) bool {
	has := func(k int) bool {
		return k >= 0 && k < len(c.rows) && c.rows[k].RA.Kind != model.Undefined && c.rows[k].RA.Kind != model.Invalid
	}
	return has(r-1) && c.rows[r-1].End == c.rows[r].Start || has(r+1) && c.rows[r+1].Start == c.rows[r].End
}

// overwrites reports whether an instruction calls a function, which overwrites the register that has RA by the
// row, although RA is in a slot: the row describes the frame while the callee runs as well.
func (c *checker) overwrites(k int32, row *Row, s *state) bool {
	u := c.u
	i, sp := &u.ins[k], s.regs[u.arch.sp]
	if row.RA.Kind != model.Unchanged || u.arch.onSP || !i.isCall() || sp.Base != CFA {
		return false
	}
	links := slices.ContainsFunc(u.effects(i), func(o op) bool { return o.dst == u.arch.ra })
	return links && slices.ContainsFunc(s.slots, func(p slot) bool {
		return p.base == CFA && p.off >= sp.Off && p.v.from(u.arch.ra) && p.v.Off == 0
	})
}

// losesCFA reports whether the CFA of a row is in a word below SP, where the frame of a callee is or was: the instruction is
// a call, or a landing pad.
func (c *checker) losesCFA(k int32, row *Row) bool {
	i, cfa := &c.u.ins[k], row.CFA
	return (i.isCall() || i.catches) && cfa.Kind == model.InRegister && cfa.Deref && cfa.Reg == uint32(c.u.arch.sp) && cfa.Offset < 0 && row.ordinary()
}

// returnsBy reports whether an instruction returns to the caller while the CFA of a row counts from a register that has
// what a callee left there.
func (c *checker) returnsBy(k int32, row *Row, s *state) bool {
	u, i, sp, cfa := c.u, &c.u.ins[k], s.regs[c.u.arch.sp], row.CFA
	return i.flow == insn.Return && !i.cond && sp.Base == CFA && sp.Off == -u.arch.abi.EntryCFA && u.returns(s, i, sp) &&
		cfa.Kind == model.InRegister && !cfa.Deref && cfa.Reg < uint32(u.arch.Regs) && s.regs[cfa.Reg].Base == Scratch && row.ordinary()
}

// disagrees marks a CFA that is wrong in the first row and right in another one: whatever is on the stack at
// the entry, one of them is wrong.
func (c *checker) disagrees() {
	for i := range c.out {
		if o := &c.out[i]; c.sound && o.Kind == WrongCFA && o.Exact && o.Row == 0 {
			o.Inside = o.Inside || !slices.ContainsFunc(c.out, func(x Contradiction) bool {
				return x.Kind == WrongCFA && x.Row > 0 && x.Exact && x.By == o.By
			})
		}
	}
}

// within reports whether a row has become wrong since its first instruction: it was right there, or
// had its CFA another distance away. In a unit without a known state at its start, that is what the
// finding says.
func (c *checker) within(kind Aspect, r int, first bool, f *finding) bool {
	if first {
		if kind == WrongCFA {
			if c.begun, c.begin = r, [WrongSigning + 1]finding{}; c.called {
				c.begun = -1
			}
		}
		c.begin[kind] = *f
	}
	b := &c.begin[kind]
	if c.begun != r || first {
		return false
	}
	switch {
	case kind != WrongCFA && c.rowRule(kind, &c.rows[r]).Kind != model.Unchanged:
		return false // the state at the start decides where the slots are
	case kind != WrongCFA || !b.exact || !f.exact:
		return b.answer == agrees
	}
	if f.by == b.by {
		return false
	}
	if i, ok := c.last[key{r, kind}]; ok {
		c.out[i].Inside = true
	}
	if c.u.relative {
		f.by, f.from, f.answer = f.by-b.by, b.by, wrong
	}
	return true
}

// pads reports whether an instruction has no effect.
func (i *ins) pads() bool { return i.ops == 0 && i.flow == insn.Next }

func (i *ins) isCall() bool { return i.flow == insn.Call || i.flow == insn.IndirectCall }

// fold returns the PC of the first block that has the rows of a PC, in a range of blocks.
func (c *checker) fold(pc uint64) uint64 {
	if p := &c.u.parts[c.f.part]; p.Block > 0 {
		return p.Start + (pc-p.Start)%uint64(p.Block)
	}
	return pc
}

// rowAt returns the index of the row that contains a PC, below 0 if there is none.
func (c *checker) rowAt(pc uint64) int {
	pc = c.fold(pc)
	if c.row < len(c.rows) && pc >= c.rows[c.row].Start && pc < c.rows[c.row].End {
		return c.row
	}
	i, ok := slices.BinarySearchFunc(c.rows, pc, func(r Row, pc uint64) int {
		switch {
		case r.Start < pc:
			return -1
		case r.Start > pc:
			return 1
		}
		return 0
	})
	if !ok {
		i--
	}
	if i < 0 || pc >= c.rows[i].End {
		return -1
	}
	c.row = i
	return i
}

// add records that a row is wrong at an instruction.
func (c *checker) add(kind Aspect, r int, k int32, n uint64, s *state, f finding, inside bool) {
	pc := c.u.pc(k)
	if c.marks != nil {
		c.marks[pc] |= 1 << kind
	} else if n := len(c.bad); n == 0 || c.bad[n-1] != pc {
		c.bad = append(c.bad, pc)
	}
	if i, ok := c.last[key{r, kind}]; ok {
		o := &c.out[i]
		o.PCs += n
		if o.End == pc {
			o.End = pc + n
		}
		if o.Shift == Early || o.Shift == Late && o.End != c.rows[r].End {
			o.Shift = NoShift
		}
		return
	}
	row := &c.rows[r]
	o := Contradiction{Kind: kind, Row: r, Start: pc, End: pc + n, PCs: n, Got: f.got, By: f.by, Exact: f.exact, Inside: inside, at: k, from: f.from, saved: f.saved}
	o.Says = c.rowRule(kind, row)
	says := o.Says
	says.Deref = says.Deref || f.saved
	if o.Truth = c.truth(kind, says, s); kind == WrongCFA && o.Truth.Kind != model.Invalid {
		o.Truth.Offset += f.from
	}
	if o.Truth == o.Says {
		o.Truth = model.Recovery{} // of another way there
	}
	for _, k := range f.proof {
		if k >= 0 {
			o.Proof = append(o.Proof, c.u.pc(k))
		}
	}
	slices.Sort(o.Proof)
	o.Proof = slices.Compact(o.Proof)
	switch {
	case pc == row.Start && pc+n < row.End && r > 0 && c.rows[r-1].End == pc && c.judge(kind, &c.rows[r-1], s).answer == agrees:
		o.Shift = Early
	case pc+n == row.End && pc > row.Start && r+1 < len(c.rows) && c.rows[r+1].Start == pc+n && c.judge(kind, &c.rows[r+1], s).answer == agrees:
		o.Shift = Late
	}
	c.last[key{r, kind}] = len(c.out)
	c.out = append(c.out, o)
}

// inside finds rows that start inside an instruction.
func (c *checker) inside() {
	p := &c.u.parts[c.f.part]
	for i := range c.rows {
		start := c.rows[i].Start
		if start <= p.Start || start >= p.End {
			continue
		}
		off := int(start - p.Start)
		if off >= len(p.at) || p.at[off] >= 0 {
			continue
		}
		for back := 1; back < 16 && back <= off; back++ {
			k := p.at[off-back]
			if k < 0 || c.u.ins[k].owner < 0 {
				continue
			}
			if n := int(c.u.ins[k].len); n > back && c.u.ins[k].flow != insn.Bad {
				c.out = append(c.out, Contradiction{Kind: Inside, Row: i, Start: c.u.pc(k), End: c.u.pc(k) + uint64(n),
					PCs: uint64(n), Proof: []uint64{c.u.pc(k)}})
			}
			break
		}
	}
}
