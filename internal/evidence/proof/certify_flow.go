package proof

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// dest is where a jump or call leads to.
type dest struct {
	place int32
	addr  uint64
	ok    bool // it is known
	in    bool // it is in the function
	open  bool // it is code that no range has
	stops bool // it is a function that does not return
}

// flow passes the state on to what follows an instruction.
func (c *certifier) flow(d *insn.Insn, to dest) {
	falls := true
	switch d.Flow {
	case insn.Next:
	case insn.Branch:
		c.leads(to)
	case insn.Jump:
		c.leads(to)
		falls = false
	case insn.Call, insn.IndirectCall:
		if c.in && c.claims.ra != anything && c.cur.raAt != 0 && d.Sets(c.a.ra) {
			c.failed = true // RA is in its slot while the callee runs, not in the register
			return
		}
		if d.Flow == insn.Call && to.ok && to.place == c.place && to.addr == c.pc(c.at)+uint64(d.Len) {
			c.failed = true // the code finds its own address
			return
		}
		if to.stops { // but it may throw an exception
			before := c.cur
			c.call(d)
			c.setState(before)
			falls = false
			break
		}
		c.call(d)
		c.changed = true
	case insn.Return:
		c.leaves(d)
		falls = d.Cond
	case insn.IndirectJump:
		if d.Via != insn.NoReg {
			c.indirect()
		}
		falls = d.Cond
	case insn.Stop:
		falls = false
	default:
		c.failed = true
	}
	c.live = falls
	if falls && c.at+uint32(d.Len) >= c.end && d.Flow != insn.Call && d.Flow != insn.IndirectCall {
		c.goesTo(c.place, c.pc(c.at)+uint64(d.Len))
	}
}

// leads passes the state on to the target of a jump.
func (c *certifier) leads(to dest) {
	if to.in {
		c.goesTo(to.place, to.addr)
	} else if to.open && c.cur.sp != c.a.entrySP() {
		c.failed = true
	}
}

// goesTo passes the state on to an instruction, which must be in the function.
func (c *certifier) goesTo(place int32, addr uint64) {
	to, ok := c.cell(place, addr)
	if !ok {
		c.failed = true
		return
	}
	c.enter(to)
}

// enter passes the state on to an instruction of the function.
func (c *certifier) enter(at uint32) {
	s, cell := &c.cur, &c.cells[at]
	switch {
	case at <= c.at:
		p := &c.frames[*cell]
		if *cell == 0 || p.head {
			c.failed = true
			return
		}
		if *cell == c.id && len(c.uses) == 0 {
			return
		}
		if !s.within(p) || !c.keeps(at) {
			h := head{at, *s}
			h.head = true
			c.heads = append(c.heads, h)
			c.failed = c.failed || len(c.heads) > maxHeads
		}
		if g := p.guess; g != s.guess && c.guesses[g].at == at {
			c.ways = append(c.ways, [2]int32{s.guess, g})
		}
	case *cell <= 0:
		*cell = c.current()
		c.ahead++
	case *cell == c.id:
	default:
		p := c.frames[*cell]
		if p.head {
			p = c.loses(s, &p)
		} else {
			p = c.meet(&p, s)
		}
		*cell = c.keep(&p)
	}
}

// maxHeads is the number of jumps back to the start of a loop that may bring another state.
const maxHeads = 1 << 10

// keeps reports whether the instructions from a cell on find the registers that they use as they were
// when they came to the cell for the first time.
func (c *certifier) keeps(at uint32) bool {
	for _, u := range c.uses {
		if u.set < at && at <= u.at && (c.known&bit(u.reg) == 0 || c.set[u.reg] >= at) {
			return false
		}
	}
	return true
}

// indirect records the state at an indirect jump. It may lead to all code whose state was guessed.
func (c *certifier) indirect() {
	s := c.cur
	from := s.guess
	s.guess = 0
	if !c.jumps {
		c.jump, c.jumps = s, true
	} else if less := c.meet(&c.jump, &s); less != c.jump {
		c.jump, c.fewer = less, true
	}
	if n := len(c.jumpers); n == 0 || c.jumpers[n-1] != from {
		c.jumpers = append(c.jumpers, from)
	}
}

// leaves checks a return: SP and the return address must be what they were on entry.
func (c *certifier) leaves(d *insn.Insn) {
	s := c.open()
	ra := s.regs[c.a.ra]
	switch {
	case c.a.onSP:
		ra, _ = s.word(CFA, 0, s.regs[c.a.sp].Off)
	case d.Via != insn.NoReg:
		ra = s.regs[d.Via]
		c.relyOn(bit(d.Via) & c.known)
	}
	c.failed = c.failed || c.cur.sp != c.a.entrySP() || c.a.word(ra) != callersRA
}

// call makes unknown what a callee may use, and passes the state on to the landing pad of the
// exceptions that it throws.
func (c *certifier) call(d *insn.Insn) {
	if c.cur.spAt != 0 && c.known&^c.a.Saved != 0 {
		c.called() // it may get an address of the frame
	} else {
		c.recall(&c.memo.steps, aCall, c.called)
	}
	c.known &= c.a.Saved
	if len(c.sites) > 0 {
		c.enterPad(d)
	}
}

// called executes what a callee does.
func (c *certifier) called() bool {
	c.engine.callee(c.open(), none, c.a.Saved)
	c.close(nil)
	return true
}

// enterPad passes the state after a call on to its landing pad.
func (c *certifier) enterPad(d *insn.Insn) {
	if site, ok := siteAt(c.sites, c.pc(c.at)+uint64(d.Len)); ok {
		c.goesTo(site.pad.place, site.pad.addr)
	}
}

// setState makes a state the current one.
func (c *certifier) setState(s frame) {
	if s != c.cur {
		c.cur, c.id, c.changed = s, 0, true
	}
}
