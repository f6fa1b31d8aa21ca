package proof

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// AtCalls reports whether the rows that the last Check found wrong suggest CFI that is valid only at calls. In such
// CFI, one row is valid until the frame is set up, and others until the function is left. The rows are wrong in
// prologues, in epilogues and in code without a frame.
func (f *Function) AtCalls() bool { return f.atCalls }

// timing follows the instructions of a part, to tell rows for calls only from others.
type timing struct {
	*checker
	right []bool // rows that are right with a frame
	wrong []bool // rows that are wrong
	open  int32  // the row that is wrong since some instructions, below 0: none
	next  int32  // the instruction after the last one
	other bool   // there is another cause

	framed bool // a row was right with a frame
	hooked bool // the function has called a profiler that returns by another register and keeps RA, as __fentry__
}

// atCalls decides what [Function.AtCalls] reports.
func (c *checker) atCalls() bool {
	inside := func(x Contradiction) bool { return x.Kind == Inside }
	if len(c.out) == 0 || slices.ContainsFunc(c.out, inside) || !c.u.anchored || !c.u.arch.entryRow(&c.rows[0]) {
		return false
	}
	t := &timing{checker: c, right: make([]bool, len(c.rows)), wrong: make([]bool, len(c.rows)), open: none, next: none}
	c.u.walk(c.f.part, t.insn)
	for r := 1; r < len(c.rows); r++ {
		t.other = t.other || t.wrong[r] && !t.right[r]
	}
	return !t.other && t.open < 0
}

func (t *timing) insn(k int32, s *state) {
	u, pc := t.u, t.u.pc(k)
	i, r := &u.ins[k], t.rowAt(pc)
	if r < 0 || s.guess || t.other {
		return
	}
	_, bad := slices.BinarySearch(t.bad, pc)
	entry := u.arch.atEntry(s, t.hooked)
	switch {
	case bad:
		t.wrong[r] = true
	case t.framed && entry && !i.pads() && t.judge(WrongCFA, &t.rows[r], s).answer == agrees:
		t.other = true // the rows describe that the frame is gone
	case !entry && t.judge(WrongCFA, &t.rows[r], s).answer == agrees:
		t.right[r], t.framed = true, true
	}
	if i.isCall() && i.ops > 0 && !u.arch.onSP && int(u.ops[i.op].dst) != int(u.arch.ra) {
		t.hooked = true
	}
	if t.open > 0 && entry && k == t.next {
		t.open = none // the frame is gone
	}
	if t.other = t.other || t.open >= 0 && (k != t.next || !bad) || bad && i.isCall(); bad && !entry && t.open < 0 {
		t.open = int32(r)
	}
	if t.open < 0 {
		return
	}
	t.next = u.next(k)
	switch end := pc + uint64(i.len); {
	case i.flow != insn.Next:
		t.other = true
	case r == 0 && end == t.rows[0].End && end < u.parts[t.f.part].End:
		t.open = none // the frame is set up
	}
}

// entryRow reports whether a row describes the state at the entry.
func (a *arch) entryRow(r *Row) bool {
	v := r.CFA
	return v.Kind == model.InRegister && !v.Deref && v.Reg == uint32(a.sp) && v.Offset == a.abi.EntryCFA && r.FP.Kind == model.Unchanged &&
		(a.onSP || r.RA.Kind == model.Unchanged)
}

// atEntry reports whether the frame is that of the entry: SP, FP and RA have the values of the caller. RA of a hooked
// function counts as kept.
func (a *arch) atEntry(s *state, hooked bool) bool {
	sp := s.regs[a.sp]
	return sp.Base == CFA && sp.Off == -a.abi.EntryCFA && s.regs[a.fp].from(a.fp) && s.regs[a.fp].Off == 0 &&
		(a.onSP || hooked || s.regs[a.ra].from(a.ra) && s.regs[a.ra].Off == 0)
}
