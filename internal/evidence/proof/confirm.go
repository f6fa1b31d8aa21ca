package proof

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// Confirm yields the address and size in bytes of each reached instruction with a row. It reports whether the code
// proves the row's rules for CFA, RA and FP, even during a signal and, at a call, until the callee returns. The rows
// must be sorted and must not overlap.
func (f *Function) Confirm(rows []Row, yield func(pc uint64, n int, right bool)) {
	u := f.u
	if len(u.parts[f.part].code) == 0 || !u.anchored {
		return
	}
	c := &checker{f: f, u: u, rows: rows}
	u.walk(f.part, func(k int32, s *state) {
		i, pc := &u.ins[k], u.pc(k)
		r := c.rowAt(pc)
		if r < 0 {
			return
		}
		right := !s.guess && c.right(&rows[r], s, u.arch.abi.RedZone)
		if right && i.isCall() {
			after := u.stepped(k, s)
			u.call(after, k, i)
			right = c.right(&rows[r], after, 0)
		}
		yield(pc, int(i.len), right)
	})
}

// right reports whether a state proves a row, whose slots are at most room bytes below SP.
func (c *checker) right(row *Row, s *state, room int64) bool {
	a := c.u.arch
	sp := s.regs[a.sp]
	if !row.ordinary() || c.describesOtherFrame(row, s) || sp.Base != CFA || c.cfa(row.CFA, s).answer != agrees {
		return false
	}
	for _, x := range [...]struct {
		rule model.Recovery
		reg  insn.Reg
	}{{row.RA, a.ra}, {row.FP, a.fp}} {
		f := c.value(x.rule, x.reg, s)
		if f.answer != agrees {
			return false
		}
		if x.rule.Deref && !c.stays(x.rule, s, sp.Off-room) {
			return false
		}
		if x.reg == a.ra && a.abi.Pauth && (f.got.Signed != row.Signed || row.Signed && f.got.KeyB != row.KeyB) {
			return false
		}
	}
	return true
}

// stays reports whether the slot of a rule is at an offset from the CFA or above it.
func (c *checker) stays(r model.Recovery, s *state, low int64) bool {
	off, ok := slotOf(r, s)
	return ok && off >= low
}

// slotOf returns the offset from the CFA of the word that a rule reads.
func slotOf(r model.Recovery, s *state) (off int64, ok bool) {
	switch {
	case !r.Deref:
		return 0, false
	case r.Kind == model.InRegister:
		v := s.regs[r.Reg]
		return r.Offset + v.Off, v.Base == CFA
	}
	return r.Offset, r.Kind == model.FromCFA
}
