package proof

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// rowRule returns the rule that a contradiction is about.
func (c *checker) rowRule(kind Aspect, row *Row) model.Recovery {
	switch kind {
	case WrongCFA:
		return row.CFA
	case WrongFP, StaleFP:
		return row.FP
	}
	return row.RA
}

// judge judges one rule of a row.
func (c *checker) judge(kind Aspect, row *Row, s *state) finding {
	a := c.u.arch
	switch {
	case row.Signal || c.isAway(s) || c.describesOtherFrame(row, s) || c.innerFrame(row, s):
		return finding{}
	case row.RA.Kind == model.Undefined:
		if kind == WrongRA {
			return c.outermost(s)
		}
		return finding{}
	}
	switch kind {
	case WrongCFA:
		return c.cfa(row.CFA, s)
	case WrongRA:
		return c.slot(row, row.RA, a.ra, s)
	case WrongFP:
		return c.slot(row, row.FP, a.fp, s)
	case StaleFP:
		return c.judgeStaleFP(row.FP, s)
	}
	if !a.abi.Pauth {
		return finding{}
	}
	f := c.value(row.RA, a.ra, s)
	if f.answer != agrees {
		return finding{}
	}
	if f.got.Signed != row.Signed || row.Signed && f.got.KeyB != row.KeyB {
		f.answer = wrong
	}
	return f
}

// describesOtherFrame reports whether a row may describe another frame than the tracked one, as at a switch of stacks: its
// CFA counts from a register that may not point into the stack. With an unchanged SP it does not, unless FP or RA is stored
// elsewhere and FP has a result (libffi).
func (c *checker) describesOtherFrame(row *Row, s *state) bool {
	r := row.CFA
	if r.Kind != model.InRegister || r.Reg >= uint32(c.u.arch.Regs) {
		return false
	}
	if v := s.regs[r.Reg]; insn.Reg(r.Reg) == c.u.arch.fp {
		return c.u.relocates && !r.Deref && (v.plain() || c.u.varies(v))
	}
	return !s.regs[r.Reg].inStack() && (r.Deref || insn.Reg(r.Reg) != c.u.arch.sp && !c.leavesFrame(r.Reg, s))
}

// isAway reports whether SP has an address of another stack from which no instruction comes back to the function's
// own one: a row may describe a frame there.
func (c *checker) isAway(s *state) bool {
	return c.u.isAbroad(s.regs[c.u.arch.sp]) && !(c.back != nil && c.back[c.before])
}

// innerFrame reports whether a row describes the frame of a call in the same function.
func (c *checker) innerFrame(row *Row, s *state) bool {
	r := row.CFA
	if s.inner == 0 || r.Kind != model.InRegister || r.Deref || r.Reg >= uint32(c.u.arch.Regs) {
		return false
	}
	v := s.regs[r.Reg]
	return v.Base == CFA && v.Off+r.Offset == s.inner
}

// leavesFrame reports whether a register certainly has no address of the frame: SP is in the frame, and
// the register has a result, or a value of the caller's that is no argument: libffi passes its
// frame.
func (c *checker) leavesFrame(reg uint32, s *state) bool {
	a, v := c.u.arch, s.regs[reg]
	return s.regs[a.sp].Base == CFA && reg < a.abi.AddrRegs && (v.plain() || v.Base == Entry && a.Args&bit(v.Reg&31) == 0)
}

// cfa judges the rule of the CFA.
func (c *checker) cfa(r model.Recovery, s *state) (f finding) {
	a := c.u.arch
	if r.Kind != model.InRegister || r.Reg >= uint32(a.Regs) {
		return f
	}
	v := s.regs[r.Reg]
	f.proof = [2]int32{s.by[r.Reg], none}
	if r.Deref {
		off := v.Off + r.Offset
		above := v.from(a.fp) && s.by[a.fp] >= 0 // the function has restored FP
		if v.Base == CFA && off >= 0 {
			_, stored := s.find(CFA, 0, off)
			above = !stored
		}
		if above && c.f.evidence&(Called|Returns) != 0 { // a word of the caller's
			f.answer = wrong
			return f
		}
		if v.Base != CFA && v.Base != Aligned {
			return f
		}
		v, f.proof[1] = s.word(v.Base, v.At, off)
		r.Offset = 0
		if v.Base == Other || v.Base == Entry {
			f.answer, f.got = wrong, v
		}
	}
	if v.Base == Choice && (v.Off+r.Offset < 0 || v.At == 0 && v.Off+r.Offset > 0) {
		v.KeyB = false // that is not the CFA
	}
	f.got = v
	switch v.Base {
	case CFA:
		f.by, f.exact, f.answer = v.Off+r.Offset, true, agrees
		if f.by != 0 {
			f.answer = wrong
		}
	case Aligned:
		// The aligned value is from off-align+1 to off above the CFA.
		o, ok := c.u.origins[int32(v.At)]
		need := -(v.Off + r.Offset)
		if ok && (o.align > entryAlign || !o.many && (need > o.off || need <= o.off-o.align)) {
			f.answer = wrong
		}
	case Moving, Stack:
		if v.bounded() && v.Off+r.Offset < 0 || v.Base == Moving && c.steady() {
			f.answer = wrong
		}
	case Moved:
		if off := v.Off + r.Offset; (off == 0 || off < 0 && v.Signed) && c.steady() {
			f.answer = wrong
		}
	case Unknown:
	default:
		if !r.Deref && (insn.Reg(r.Reg) == a.sp || insn.Reg(r.Reg) == a.fp && c.noFrame(v, s) || c.leavesFrame(r.Reg, s)) {
			f.answer = wrong
		}
	}
	return f
}

// entryAlign is a multiple of which the CFA certainly is by the ABIs. If SP is rounded down to one
// of more, its distance from the CFA is not always the same.
const entryAlign = 16

// noFrame reports whether a value of FP is certainly no address in the frame. A register of an argument
// may have one if the frame is elsewhere: libffi passes its frame.
func (c *checker) noFrame(v Value, s *state) bool {
	u := c.u
	switch here := s.regs[u.arch.sp].Base == CFA && !u.relocates; v.Base {
	case Entry:
		return v.Reg == u.arch.fp || here
	case Scratch:
		return here
	case Choice:
		return here && !v.KeyB
	case Mixed:
		return here && c.steady()
	case Other, Varying:
		return !u.relocates
	}
	return true
}

// steady reports whether the ways through the unit are independent of each other, as far as is
// known: at each return, SP and FP are what they were on entry. Otherwise what one condition has
// changed another one may restore, and values that differ by the path prove nothing.
func (c *checker) steady() bool {
	if c.even == open {
		c.even = agrees
		u := c.u
		var here state // walk uses the same one
		here.copyFrom(&u.cur, u.arch.Regs)
		defer u.cur.copyFrom(&here, u.arch.Regs)
		for p := range u.parts {
			u.walk(p, func(k int32, s *state) {
				flow, sp, fp := u.ins[k].flow, s.regs[u.arch.sp], s.regs[u.arch.fp]
				if !s.guess && (flow == insn.Return && fp.Base == Mixed || (flow == insn.Return || flow == insn.IndirectJump) && (sp.Base == Moving || sp.Base == Moved)) {
					c.even = wrong
				}
			})
		}
	}
	return c.even == agrees
}

// slot is value for a rule of a row. Where a slot is, is not known if the CFA of the row is not.
func (c *checker) slot(row *Row, r model.Recovery, reg insn.Reg, s *state) finding {
	f := c.value(r, reg, s)
	if f.answer == wrong && r.Kind == model.FromCFA && c.cfa(row.CFA, s).answer == open {
		f.answer = open
	}
	return f
}

// value judges where the caller's value of a register is.
func (c *checker) value(r model.Recovery, reg insn.Reg, s *state) (f finding) {
	a := c.u.arch
	switch {
	case r.Kind == model.Unchanged && int(reg) < a.Regs && !(a.onSP && reg == a.ra):
		f.got, f.proof = s.regs[reg], [2]int32{s.by[reg], none}
	case r.Kind == model.FromCFA && r.Deref:
		var by int32
		f.got, by = s.word(CFA, 0, r.Offset)
		f.proof = [2]int32{by, none}
	case r.Kind == model.InRegister && r.Reg < uint32(a.Regs) && !r.Deref && r.Offset == 0:
		f.got, f.proof = s.regs[r.Reg], [2]int32{s.by[r.Reg], none}
	case r.Kind == model.InRegister && r.Reg < uint32(a.Regs) && r.Deref:
		v := s.regs[r.Reg]
		if reg == a.fp && insn.Reg(r.Reg) == reg && v.from(reg) && s.by[reg] < 0 {
			f.answer, f.got, f.proof = wrong, another, [2]int32{none, none} // a word of the caller's; stale judges what comes after
			return f
		}
		if v.Base != CFA && v.Base != Aligned {
			return f
		}
		var by int32
		f.got, by = s.word(v.Base, v.At, v.Off+r.Offset)
		f.proof = [2]int32{s.by[r.Reg], by}
	default:
		return f
	}
	switch v := f.got; v.Base {
	case Unknown:
	case Choice:
		if reg == a.fp && !v.Signed {
			f.answer = wrong
		}
	case Entry:
		f.answer = wrong
		if v.Reg == reg && v.Off == 0 {
			f.answer = agrees
		}
	case Mixed: // what a function jumps to with an RA of its own returns there
		if reg == a.fp && c.steady() {
			f.answer = wrong
		}
	default:
		f.answer = wrong
	}
	return f
}

// judgeStaleFP judges a rule by which the caller's FP is in memory at FP, where the function has restored FP.
func (c *checker) judgeStaleFP(r model.Recovery, s *state) (f finding) {
	fp := c.u.arch.fp
	if r.Kind != model.InRegister || !r.Deref || r.Reg != uint32(fp) {
		return f
	}
	if v := s.regs[fp]; v.Base == Entry && v.Reg == fp && v.Off == 0 && s.by[fp] >= 0 {
		f.answer, f.got, f.proof = wrong, v, [2]int32{s.by[fp], none}
	}
	return f
}

// outermost judges a row that says that there is no caller: it is wrong where the return address
// is known, if the function has one.
func (c *checker) outermost(s *state) (f finding) {
	f.proof = [2]int32{none, none}
	if c.truth(WrongRA, model.Recovery{}, s).Kind != model.Invalid {
		f.answer, f.got = wrong, Value{Base: Entry, Reg: c.u.arch.ra}
	}
	return f
}

// hasCaller reports whether the function has a caller by a call or by one of its rows.
func (c *checker) hasCaller() bool {
	return c.f.evidence&Called != 0 || slices.ContainsFunc(c.rows, func(r Row) bool { return r.ordinary() })
}

// framed reports whether the function has a frame somewhere, which is gone where it jumps to another. The first function
// of a thread saves nothing, and may jump to exit, as the C library's __startcontext does.
func (c *checker) framed() (found bool) {
	c.u.walk(c.f.part, func(_ int32, s *state) { found = found || c.u.framed(s) })
	return found
}

// leadsToCaller reports whether a jump leads to a function whose rows recover a caller: that of this one. That function
// has a return, or this one has a frame.
func (c *checker) leadsToCaller(i *ins, framed bool) bool {
	t := c.u.t
	x, ok := t.find(i.place, i.target)
	if !ok || t.rows == nil {
		return false
	}
	if !c.u.pay() || !framed && c.u.outlook(x) < returns {
		return false
	}
	rows := t.rows(int(x), nil)
	c.u.work += int64(len(rows))
	return len(rows) > 0 && rows[0].ordinary()
}

// checkOutermost drops the finding of outermost unless an instruction has a caller: it leads to a return,
// or a call leads to the function or to that whose part it is. The one at which a program starts has none.
func (c *checker) checkOutermost(k int32, f finding) finding {
	if t := c.u.t; !t.img.rel && c.f.Range().Start == t.img.e.Entry {
		return finding{} // it may jump to another function, which has rows as all have
	}
	if to := c.u.exits[k]; to >= 0 {
		f.proof[0] = to
	} else if !slices.ContainsFunc(c.u.parts, func(p part) bool { return c.u.t.facts[p.index].evidence&Called != 0 }) {
		return finding{}
	}
	return f
}

// truth returns the rule that would be right in place of another one, as far as it is known. A slot is
// replaced by a slot: the register may still have the value, until the function changes it.
func (c *checker) truth(kind Aspect, says model.Recovery, s *state) model.Recovery {
	a := c.u.arch
	if kind == WrongCFA {
		for _, reg := range [...]insn.Reg{a.sp, a.fp} {
			if v := s.regs[reg]; v.Base == CFA {
				return model.Recovery{Kind: model.InRegister, Reg: uint32(reg), Offset: -v.Off}
			}
		}
		return model.Recovery{}
	}
	want := a.fp
	if kind != WrongFP && kind != StaleFP {
		want = a.ra
	}
	is := func(v Value) bool { return v.from(want) && v.Off == 0 }
	kept := int(want) < a.Regs && !(a.onSP && want == a.ra) && is(s.regs[want])
	if kept && (!says.Deref || kind == StaleFP) {
		return model.Recovery{Kind: model.Unchanged}
	}
	for i := range s.slots {
		if p := &s.slots[i]; p.base == CFA && is(p.v) {
			return model.Recovery{Kind: model.FromCFA, Deref: true, Offset: p.off}
		}
	}
	if kept {
		return model.Recovery{Kind: model.Unchanged}
	}
	for i := range s.slots {
		for _, reg := range [...]insn.Reg{a.fp, a.sp} {
			if p, v := &s.slots[i], s.regs[reg]; p.base == Aligned && is(p.v) && v.Base == Aligned && v.At == p.at {
				return model.Recovery{Kind: model.InRegister, Reg: uint32(reg), Deref: true, Offset: p.off - v.Off}
			}
		}
	}
	for r := range s.regs[:a.Regs] {
		if is(s.regs[r]) && !(a.onSP && r >= 16) {
			return model.Recovery{Kind: model.InRegister, Reg: uint32(r)}
		}
	}
	return model.Recovery{}
}
