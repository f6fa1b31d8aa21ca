package proof

import (
	"math/bits"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// effects executes what an instruction does, as tracking does it: on a state that has what the frame and the known
// registers have, and no more.
func (c *certifier) effects(d *insn.Insn) {
	ops := d.Ops[:d.N]
	touched := uint32(0)
	for k := range ops {
		touched |= bit(ops[k].Dst) | bit(ops[k].Src)
		c.failed = c.failed || ops[k].Do == insn.Fill && c.mayFill(ops[k].Dst)
	}
	if touched&(c.busy|c.known) == 0 {
		return
	}
	if touched&c.known != 0 {
		c.execute(ops)
		return
	}
	known := c.known
	c.recall(&c.memo.insns, codeKey(c.code, d.Len), func() bool {
		c.execute(ops)
		return c.known == known
	})
}

// nearFill is the distance in bytes up to which what is filled may reach: a certificate has no numbers.
const nearFill = 64

// mayFill reports whether what is filled from an address in a register on may be saved registers. Compilers fill arrays
// below them; only tracking knows how long they are.
func (c *certifier) mayFill(r insn.Reg) bool {
	from := c.regs[r]
	near := func(slot int32) bool { return slot != 0 && slot >= int32(from) && slot-int32(from) < nearFill }
	return c.known&bit(r) != 0 && from >= leastOffset && (near(c.cur.fpAt) || near(c.cur.raAt))
}

// execute lets tracking execute effects.
func (c *certifier) execute(ops []insn.Op) {
	s := c.open()
	for k := range ops {
		o := &ops[k]
		e := effect(o)
		if o.Do == insn.Const || o.Do == insn.Element {
			e.place = none
		}
		reads, w := c.reads(o), anything
		if o.Do == insn.Store && o.Src != insn.NoReg && c.a.word(s.regs[o.Dst]) != anything {
			w = c.a.word(s.regs[o.Src])
		}
		c.engine.apply(s, int32(k), &e)
		switch {
		case assigns(o.Do):
			c.assigned(o, c.a.word(s.regs[o.Dst]), reads)
		case w != anything:
			c.relyOn(reads)
		}
	}
	c.close(ops)
}

// reads returns the known registers that an effect reads.
func (c *certifier) reads(o *insn.Op) uint32 {
	m := bit(o.Src)
	if o.Do != insn.Move && o.Do != insn.Load {
		m |= bit(o.Dst)
	}
	return m & c.known
}

// assigned notes what an effect that reads known registers has set a register to.
func (c *certifier) assigned(o *insn.Op, w word, reads uint32) {
	r, copies := o.Dst, o.Do == insn.Move && c.a.framed&bit(o.Dst) == 0
	if w != anything && !copies {
		c.relyOn(reads)
	}
	if c.a.framed&bit(r) != 0 {
		return
	}
	if c.known &^= bit(r); w == anything {
		return
	}
	set := c.at
	if copies && reads != 0 {
		set = c.set[o.Src]
	}
	c.regs[r], c.set[r] = w, set
	c.known |= bit(r)
}

// relyOn records that the state rests on known registers.
func (c *certifier) relyOn(regs uint32) {
	for ; regs != 0; regs &= regs - 1 {
		r := insn.Reg(bits.TrailingZeros32(regs))
		c.uses = append(c.uses, regUse{r, c.set[r], c.at})
	}
}

// open returns the state that has what the frame and the known registers have.
func (c *certifier) open() *state {
	s := &c.state
	c.a.expand(&c.cur, s)
	for m := c.known; m != 0; m &= m - 1 {
		r := bits.TrailingZeros32(m)
		s.regs[r] = c.a.value(c.regs[r])
	}
	return s
}

// close makes the frame what the state has after effects.
func (c *certifier) close(ops []insn.Op) {
	if c.state.regs[c.a.sp].Base == Unknown {
		c.known = 0 // another stack
	}
	f := c.cur
	c.a.reduce(&c.state, &f, ops)
	c.setState(f)
}
