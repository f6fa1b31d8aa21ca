package proof

import (
	"math"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// word is what a register or a word of the stack has: the CFA plus so many bytes, or a value below.
type word int32

const (
	anything word = math.MinInt32 + iota
	callersFP
	callersRA
	signedRA // with key A
	signedRAWithB
	leastOffset
)

// frame is the state before an instruction, as far as rows state it. As the claims of a row it has
// anything, or 0, for what the row does not say.
type frame struct {
	sp, fp, ra word
	// fpAt is where the caller's FP is, an offset from the CFA, or 0; raAt and spAt are where raIn
	// and spIn are.
	fpAt, raAt, spAt int32
	raIn, spIn       word
	// fpReg, raReg and spReg are the floating-point registers that have the caller's FP, the return
	// address, and SP as it was on entry (s390x), or 0.
	fpReg, raReg, spReg insn.Reg
	// fpLoaded and raLoaded say that the registers have been loaded since their slots were claimed.
	fpLoaded, raLoaded bool
	head               bool // what a loop keeps; the state at its start has no more
	// guess is what the state rests on: an index in guesses, or 0 for the entry.
	guess int32
}

// unknown is the state of which nothing is known.
var unknown = frame{sp: anything, fp: anything, ra: anything, raIn: anything, spIn: anything}

// pc returns the address of a cell of the part that is looked at.
func (c *certifier) pc(cell uint32) uint64 { return c.from + uint64(cell-c.base) }

// cell returns the cell of an address.
func (c *certifier) cell(place int32, addr uint64) (uint32, bool) {
	for i := range c.parts {
		if p := &c.parts[i]; p.place == place && addr >= p.from && addr-p.from < uint64(p.end-p.base) {
			return p.base + uint32(addr-p.from), true
		}
	}
	return 0, false
}

// advance finds the row in force at the current instruction, of n bytes. No row may start inside it.
func (c *certifier) advance(n uint64) {
	pc := c.pc(c.at)
	for c.row < len(c.rows) && c.rows[c.row].End <= pc {
		c.row++
		c.in = false
	}
	if c.row == len(c.rows) {
		c.until = math.MaxUint64
		return
	}
	r := &c.rows[c.row]
	c.until = r.End
	switch {
	case r.Start > pc:
		c.until = r.Start
		if r.Start < pc+n {
			c.failed = true
		}
		return
	case r.End < pc+n && c.row+1 < len(c.rows) && c.rows[c.row+1].Start < pc+n:
		c.failed = true
		return
	case !c.in:
		if c.in, c.changed = true, true; !c.claim(r) {
			c.failed = true
		}
	}
}

// claim sets the claims to those of a row. It reports false for rows that only tracking judges.
func (c *certifier) claim(r *Row) bool {
	m := &c.memo.claims[hashBits(r.Key, 0, claimBits)]
	c.memo.row = r.Key
	if r.Key == 0 || m.key != r.Key {
		m.key = r.Key
		m.claims, m.ok = c.claimsOf(r)
	}
	if !m.ok {
		return false
	}
	c.claims = m.claims
	// What the row does not need is forgotten, unless it was restored for a later row.
	s := &c.cur
	fp := c.claims.fp == anything && s.fp == callersFP && !s.fpLoaded
	ra := c.claims.ra == anything && s.ra < leastOffset && s.ra != anything && !s.raLoaded
	if fp || ra {
		c.recall(&c.memo.steps, r.Key, func() bool {
			c.id = 0
			if fp {
				s.fp = anything
			}
			if ra {
				s.ra = anything
			}
			return true
		})
	}
	return true
}

// claimsOf returns what a row claims, false for those that only tracking judges.
func (c *certifier) claimsOf(r *Row) (f frame, ok bool) {
	f = unknown
	if r.Signal || r.CFA.Kind != model.InRegister || r.CFA.Deref || c.a.hasSlotOutside(r) {
		return f, false
	}
	switch cfa := word(-r.CFA.Offset); insn.Reg(r.CFA.Reg) {
	case c.a.sp:
		f.sp = cfa
	case c.a.fp:
		f.fp = cfa
	default:
		return f, false
	}
	ra := callersRA
	if r.Signed && c.a.abi.Pauth {
		if ra = signedRA; r.KeyB {
			ra = signedRAWithB
		}
	}
	switch {
	case r.RA.Kind == model.Unchanged && !c.a.onSP:
		f.ra = ra
	case r.RA.Kind == model.FromCFA && r.RA.Deref:
		f.raAt, f.raIn = int32(r.RA.Offset), ra
	case c.isRestored(r.RA):
		f.raReg = insn.Reg(r.RA.Reg)
	default:
		return f, false
	}
	switch {
	case r.FP.Kind == model.Unchanged:
		if f.fp != anything {
			return f, false // it has the CFA
		}
		f.fp = callersFP
	case r.FP.Kind == model.FromCFA && r.FP.Deref:
		f.fpAt = int32(r.FP.Offset)
	case c.isRestored(r.FP):
		f.fpReg = insn.Reg(r.FP.Reg)
	default:
		return f, false
	}
	return f, true
}

// isRestored reports whether a register has what a row restores, as those of c.a.Floats may.
func (c *certifier) isRestored(r model.Recovery) bool {
	return r.Kind == model.InRegister && !r.Deref && r.Offset == 0 && r.Reg < insn.MaxRegs && c.a.Floats&bit(insn.Reg(r.Reg)) != 0
}

// check reports whether the state has what the row in force claims.
func (c *certifier) check() bool {
	c.changed = false
	var known *checked
	if c.in && c.memo.row != 0 {
		id := c.current()
		known = &c.memo.checks[hashBits(c.memo.row, uint64(id), checkBits)]
		if known.key == c.memo.row && known.id == id {
			c.busy, c.watch.Slots = known.busy, known.slots
			return true
		}
	}
	if c.allowed(&c.cur) {
		c.use()
		if known != nil {
			*known = checked{c.memo.row, c.id, c.busy, c.watch.Slots}
		}
		return true
	}
	return false
}

// use notes the registers that have something of the frame, and where its slots are.
func (c *certifier) use() {
	s := &c.cur
	c.busy = bit(c.a.sp)
	if s.fp != anything {
		c.busy |= bit(c.a.fp)
	}
	if s.ra != anything && !c.a.onSP {
		c.busy |= bit(c.a.ra)
	}
	if s.fpReg|s.raReg|s.spReg != 0 {
		c.busy |= (bit(s.fpReg) | bit(s.raReg) | bit(s.spReg)) &^ 1
	}
	low, high := s.fpAt, s.fpAt
	if s.raAt != 0 {
		low, high = min(low, s.raAt), max(high, s.raAt)
		if s.fpAt == 0 {
			low, high = s.raAt, s.raAt
		}
	}
	if s.spAt != 0 {
		low, high = min(low, s.spAt), max(high, s.spAt)
	}
	c.watch.Slots[0], c.watch.Slots[1] = slotsFrom(c.a.sp, s.sp, low, high), slotsFrom(c.a.fp, s.fp, low, high)
}

// slotsFrom returns where the slots from low to high, if they are not 0, are from a register that has v.
func slotsFrom(r insn.Reg, v word, low, high int32) insn.Slots {
	if v < leastOffset || low == 0 {
		return insn.Slots{Base: r}
	}
	return insn.Slots{Base: r, From: low - int32(v) - insn.PlainSize + 1, To: high - int32(v) + 8}
}

// has reports whether a state has what a row claims.
func (s *frame) has(claims *frame) bool {
	return (claims.sp == anything || claims.sp == s.sp) && (claims.fp == anything || claims.fp == s.fp) &&
		(claims.ra == anything || claims.ra == s.ra) && (claims.fpAt == 0 || claims.fpAt == s.fpAt) &&
		(claims.raAt == 0 || claims.raAt == s.raAt && claims.raIn == s.raIn) &&
		(claims.fpReg == 0 || claims.fpReg == s.fpReg) && (claims.raReg == 0 || claims.raReg == s.raReg)
}

// within reports whether a state that a jump has is one of those that its target was checked for.
func (s *frame) within(at *frame) bool {
	return s.has(at) && (at.spAt == 0 || at.spAt == s.spAt && at.spIn == s.spIn) && (at.spReg == 0 || at.spReg == s.spReg)
}
