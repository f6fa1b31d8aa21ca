package proof

import "github.com/sframe-lint/sframe-lint/internal/evidence/insn"

// value returns what a word stands for.
func (a *arch) value(w word) Value {
	switch w {
	case anything:
		return Value{}
	case callersFP:
		return Value{Base: Entry, Reg: a.fp}
	case callersRA, signedRA, signedRAWithB:
		return Value{Base: Entry, Reg: a.ra, Signed: w != callersRA, KeyB: w == signedRAWithB}
	}
	return Value{Base: CFA, Off: int64(w)}
}

// word returns the word that stands for a value, or anything.
func (a *arch) word(v Value) word {
	switch {
	case v.Base == CFA && v.Off >= int64(leastOffset) && v.Off <= -int64(leastOffset):
		return word(v.Off)
	case v.Base != Entry || v.Off != 0:
	case v.Reg == a.fp:
		return callersFP
	case v.Reg != a.ra:
	case v.KeyB:
		return signedRAWithB
	case v.Signed:
		return signedRA
	default:
		return callersRA
	}
	return anything
}

// entrySP is the word of SP on entry.
func (a *arch) entrySP() word { return word(-a.abi.EntryCFA) }

// expand sets a state to what a frame has. All else is unknown, but SP is an address in the stack.
func (a *arch) expand(f *frame, s *state) {
	s.forgetAll()
	s.regs[a.fp], s.regs[a.ra], s.regs[a.sp] = a.value(f.fp), a.value(f.ra), Value{Base: Stack}
	if f.sp != anything {
		s.regs[a.sp] = a.value(f.sp)
	}
	if f.fpReg != 0 {
		s.regs[f.fpReg] = a.value(callersFP)
	}
	if f.raReg != 0 {
		s.regs[f.raReg] = a.value(callersRA)
	}
	if f.spReg != 0 {
		s.regs[f.spReg] = a.value(a.entrySP())
	}
	a.slot(s, f.fpAt, callersFP)
	a.slot(s, f.raAt, f.raIn)
	a.slot(s, f.spAt, f.spIn)
}

// slot sets a word of the stack, unless it is at 0.
func (a *arch) slot(s *state, off int32, w word) {
	if off == 0 {
		return
	}
	s.slots = append(s.slots, slot{})
	i := len(s.slots) - 1
	for ; i > 0 && s.slots[i-1].off > int64(off); i-- {
		s.slots[i] = s.slots[i-1]
	}
	s.slots[i] = slot{base: CFA, off: int64(off), by: none, v: a.value(w)}
}

// reduce sets a frame to what a state has. Of several slots that have the same, it is the one that the last of
// the effects has stored.
func (a *arch) reduce(s *state, f *frame, ops []insn.Op) {
	f.sp, f.fp, f.ra = a.word(s.regs[a.sp]), a.word(s.regs[a.fp]), a.word(s.regs[a.ra])
	if f.fpReg != 0 && a.word(s.regs[f.fpReg]) != callersFP {
		f.fpReg = 0
	}
	if f.raReg != 0 && a.word(s.regs[f.raReg]) != callersRA {
		f.raReg = 0
	}
	if f.spReg != 0 && a.word(s.regs[f.spReg]) != a.entrySP() {
		f.spReg = 0
	}
	f.fpAt, f.raAt, f.raIn, f.spAt, f.spIn = 0, 0, anything, 0, anything
	for k := range ops {
		if o := &ops[k]; assigns(o.Do) && (a.framed|a.Floats)&bit(o.Dst) != 0 {
			a.assigned(s, f, o)
		}
	}
	fp, ra, sp := int32(none), int32(none), int32(none)
	for i := range s.slots {
		p := &s.slots[i]
		off := int32(p.off)
		if p.base != CFA || off == 0 || int64(off) != p.off {
			continue
		}
		switch w := a.word(p.v); {
		case w == anything:
		case w == callersFP:
			if p.by >= fp {
				f.fpAt, fp = off, p.by
			}
		case w < leastOffset:
			if p.by >= ra {
				f.raAt, f.raIn, ra = off, w, p.by
			}
		case p.by >= sp && (p.by < 0 || ops[p.by].Src == a.sp):
			f.spAt, f.spIn, sp = off, w, p.by
		}
	}
}

// assigned notes in a frame what has been loaded, and which floating-point register has been set.
func (a *arch) assigned(s *state, f *frame, o *insn.Op) {
	w := a.word(s.regs[o.Dst])
	loaded := o.Do == insn.Load && w != anything
	switch {
	case o.Dst == a.sp:
	case o.Dst == a.fp:
		f.fpLoaded = loaded
	case o.Dst == a.ra:
		f.raLoaded = loaded || f.raLoaded && (o.Do == insn.Sign || o.Do == insn.Auth || o.Do == insn.Strip)
	case w == callersFP:
		f.fpReg = o.Dst
	case w == callersRA:
		f.raReg = o.Dst
	case w == a.entrySP():
		f.spReg = o.Dst
	}
}

// meet returns what two frames have in common.
func (c *certifier) meet(x, y *frame) frame {
	s, t := &c.state, &c.other
	c.a.expand(x, s)
	c.a.expand(y, t)
	s.merge(t, c.a.Regs, c.a.joiner())
	f := *x
	f.guess, f.head = min(x.guess, y.guess), false
	f.fpLoaded, f.raLoaded = x.fpLoaded || y.fpLoaded, x.raLoaded || y.raLoaded
	c.a.reduce(s, &f, nil)
	return f
}

// loses returns a frame without what a loop that starts there does not keep.
func (c *certifier) loses(x, loop *frame) frame {
	f := c.meet(x, loop)
	f.guess = x.guess
	return f
}
