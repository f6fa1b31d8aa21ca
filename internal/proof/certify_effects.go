package proof

import "github.com/sframe-lint/sframe-lint/internal/insn"

// effects executes what an instruction does to the registers and slots that rows state.
func (c *certifier) effects(d *insn.Insn) {
	for k := range d.Ops[:d.N] {
		o := &d.Ops[k]
		switch o.Do {
		case insn.Compare, insn.Limit:
		case insn.Store, insn.Forget:
			c.store(o)
		case insn.Move:
			c.move(o.Dst, o.Src, o.Off)
		case insn.Load:
			c.load(o)
		case insn.Sign, insn.Auth, insn.Strip:
			c.sign(o)
		default:
			c.assign(o.Dst, anything)
		}
	}
}

// plus returns w + n.
func (w word) plus(n int64) word {
	switch {
	case n == 0:
		return w
	case w < leastOffset || n != int64(int32(n)) || int64(w)+n > -int64(leastOffset) || int64(w)+n < int64(leastOffset):
		return anything
	}
	return w + word(n)
}

// value returns what a register has.
func (c *certifier) value(r insn.Reg) word {
	switch {
	case r == c.a.sp:
		return c.cur.sp
	case r == c.a.fp:
		return c.cur.fp
	case r == c.a.ra && !c.a.onSP:
		return c.cur.ra
	case r < insn.MaxRegs && c.known&bit(r) != 0:
		return c.regs[r]
	case r == insn.NoReg || r == 0:
	case r == c.cur.fpReg:
		return callersFP
	case r == c.cur.raReg:
		return callersRA
	case r == c.cur.spReg:
		return word(-c.a.abi.EntryCFA)
	}
	return anything
}

// rests records that the state rests on a register, unless that is one of the frame.
func (c *certifier) rests(r insn.Reg) {
	if !c.framed(r) && r < insn.MaxRegs && c.known&bit(r) != 0 {
		c.uses = append(c.uses, regUse{r, c.set[r], c.at})
	}
}

// framed reports whether a register belongs to the frame.
func (c *certifier) framed(r insn.Reg) bool {
	return r == c.a.sp || r == c.a.fp || r == c.a.ra && !c.a.onSP
}

// move sets a register to another one + n.
func (c *certifier) move(dst, src insn.Reg, n int64) {
	v, copied := c.value(src).plus(n), !c.framed(src) && src < insn.MaxRegs
	if copied && v != anything && c.framed(dst) {
		c.rests(src)
	}
	set := c.set[src&31]
	if c.assign(dst, v); copied {
		c.set[dst&31] = set
	}
}

// assign sets a register.
func (c *certifier) assign(r insn.Reg, v word) {
	s := &c.cur
	if r < insn.MaxRegs && c.a.floats&bit(r) != 0 {
		c.hold(r, v)
	}
	switch {
	case r == c.a.sp:
		s.sp = v
	case r == c.a.fp:
		s.fp, s.fpLoaded = v, false
	case r == c.a.ra && !c.a.onSP:
		s.ra, s.raLoaded = v, false
	case v == anything:
		c.known &^= bit(r & 31)
		return
	default:
		c.regs[r&31], c.set[r&31] = v, c.at
		c.known |= bit(r & 31)
		return
	}
	c.id, c.changed = 0, true
}

// hold sets a floating-point register.
func (c *certifier) hold(r insn.Reg, v word) {
	s := c.cur
	s.leave(s.fpReg == r, s.raReg == r, s.spReg == r)
	switch v {
	case callersFP:
		s.fpReg = r
	case callersRA:
		s.raReg = r
	case word(-c.a.abi.EntryCFA):
		s.spReg = r
	}
	c.become(s)
}

// load sets a register to a word of the stack.
func (c *certifier) load(o *insn.Op) {
	s := &c.cur
	at, v := c.value(o.Src).plus(o.Off), anything
	if at >= leastOffset {
		switch off := int32(at); {
		case off == 0:
		case off == s.fpAt:
			v = callersFP
		case off == s.raAt:
			v = s.raIn
		case off == s.spAt:
			v = s.spIn
		}
	}
	if v != anything {
		c.rests(o.Src)
	}
	c.assign(o.Dst, v)
	if v != anything {
		s.fpLoaded = s.fpLoaded || o.Dst == c.a.fp
		s.raLoaded = s.raLoaded || o.Dst == c.a.ra
	}
}

// store sets words of the stack. Those that it covers a part of are lost.
func (c *certifier) store(o *insn.Op) {
	at := c.value(o.Dst).plus(o.Off)
	if at < leastOffset {
		return
	}
	n := int32(o.Size)
	v := anything
	if o.Do == insn.Store && o.Src != insn.NoReg {
		n, v = 8, c.value(o.Src)
	}
	s := c.cur
	off := int32(at)
	s.forget(s.covered(off, n))
	if v != anything {
		c.rests(o.Src)
		c.rests(o.Dst)
	}
	switch {
	case off == 0 || v == anything:
	case v == callersFP:
		s.fpAt = off
	case v < leastOffset:
		s.raAt, s.raIn = off, v
	case o.Src == c.a.sp:
		s.spAt, s.spIn = off, v
	}
	c.become(s)
}

// sign adds a pointer authentication code to the return address, or removes one.
func (c *certifier) sign(o *insn.Op) {
	v := c.value(o.Dst)
	if v != callersRA && v != signedRA && v != signedRAWithB {
		return
	}
	c.rests(o.Dst)
	switch {
	case o.Do != insn.Sign:
		v = callersRA
	case o.Off != 0:
		v = signedRAWithB
	default:
		v = signedRA
	}
	loaded := c.cur.raLoaded
	c.assign(o.Dst, v)
	c.cur.raLoaded = loaded
}
