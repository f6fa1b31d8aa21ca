package proof

import (
	"bytes"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// unreached judges code to which no known way leads, such as what a jump of unknown targets or a landing pad without a table
// enters: the rows of instructions that follow each other, or that a jump leads to, must differ by what the instructions
// do, and at a return SP must be where it was on entry.
func (c *checker) unreached() {
	p := &c.u.parts[c.f.part]
	if p.Block > 0 {
		return
	}
	code := false // what no row starts in may be data
	for off := 0; off < len(p.code); {
		if k := p.at[off]; k >= 0 && c.u.ins[k].owner >= 0 {
			off, code = off+int(c.u.ins[k].len), false
		} else {
			off, code = c.block(off, code)
		}
	}
}

// block judges instructions without a way in but the first, and returns the offset of the next block, and whether it is certain
// to be code: a row starts in it, or the block before it is.
func (c *checker) block(off int, code bool) (int, bool) {
	u, p := c.u, &c.u.parts[c.f.part]
	s, d := u.scratch(), &u.dec
	var found []Contradiction
	var stored []int64 // offsets from the CFA
	var leaves []Leaf
	begun, last, before := false, -1, uint64(0)
	for from := off; off < len(p.code) && (p.at[off] < 0 || u.ins[p.at[off]].owner < 0); off += int(d.Len) {
		u.work++
		pc := p.Start + uint64(off)
		u.arch.Decode(p.code[off:], pc, d)
		if d.Flow == insn.Bad {
			return off + int(d.Len), false // it is data
		}
		if d.Landing && off > from {
			break
		}
		r := c.rowAt(pc)
		if begun && r >= 0 && found == nil {
			found = c.follows(r, pc, before, s)
		}
		if before = pc; !begun && r >= 0 && !d.Pad {
			begun = u.arch.follow(s, &c.rows[r])
		}
		if begun && r >= 0 && found == nil {
			found = c.returns(r, pc, s, stored)
		}
		if r < 0 || d.Pad { // the row of what fills space is that before it or that after it
			begun = false
			off = c.repeated(off)
		}
		code = code || last >= 0 && r != last || r >= 0 && c.rows[r].Start == pc && off > 0 // no data begins with a row of its own
		last = r
		for k := range d.Ops[:d.N] {
			o := effect(&d.Ops[k])
			if o.do == insn.Const || o.do == insn.Element {
				o.place = none
			}
			if at := addOffset(s.regs[o.dst&31], o.off); o.do == insn.Store && at.Base == CFA {
				stored = append(stored, at.Off)
			}
			u.apply(s, 0, &o)
		}
		if begun && r >= 0 && found == nil {
			found = c.leads(r, pc, s)
		}
		if begun && r >= 0 {
			leaves = c.leaves(pc, s, leaves)
		}
		if d.Flow != insn.Next && d.Flow != insn.Branch {
			off += int(d.Len)
			r := c.rowAt(p.Start + uint64(off))
			// It is code that has just ended, or that ends the function with a return.
			code = code || r >= 0 && r != last || d.Flow == insn.Return && off == len(p.code)
			break
		}
	}
	if code {
		c.out, c.f.strays = append(c.out, found...), append(c.f.strays, leaves...)
	}
	return off, code
}

// leaves appends how the decoded instruction leaves the range: by a jump to code that no range has, or by going on after
// the end.
func (c *checker) leaves(pc uint64, s *state, all []Leaf) []Leaf {
	d, r := &c.u.dec, c.f.Range()
	l := Leaf{Kind: LeafFalls, PC: pc, Place: r.Place, Target: pc + uint64(d.Len), Resolved: true, State: c.u.state(s), Framed: c.u.framed(s)}
	switch place, target, ok := c.target(pc); {
	case ok:
		if _, covered := c.u.t.find(place, target); covered {
			return all
		}
		l.Kind, l.Place, l.Target = LeafJump, uint32(place), target
	case (d.Flow != insn.Next && d.Flow != insn.Branch) || l.Target != r.End || d.Pad:
		return all
	}
	return append(all, l)
}

// target returns where the decoded instruction jumps to, if it does.
func (c *checker) target(pc uint64) (place int32, target uint64, ok bool) {
	d, p := &c.u.dec, &c.u.parts[c.f.part]
	if d.Flow != insn.Jump && d.Flow != insn.Branch || d.TargetLen == 0 {
		return 0, 0, false
	}
	if rel, ok := c.u.relocation(p, pc, d); ok {
		return c.u.t.img.reach(rel, d.TargetOff, d.Len)
	}
	return int32(p.Place), d.Target, true
}

// repeated returns the last of several equal instructions without a way in that follow each other.
func (c *checker) repeated(off int) int {
	u, p := c.u, &c.u.parts[c.f.part]
	n, next := int(u.dec.Len), off
	for u.dec.Pad && next+2*n <= len(p.code) && p.code[next+n] == p.code[off] && (p.at[next+n] < 0 || u.ins[p.at[next+n]].owner < 0) &&
		(n == 1 || bytes.Equal(p.code[next+n:next+2*n], p.code[off:off+n])) {
		next += n
	}
	u.work += int64(next - off)
	return next
}

// leads judges a row by that of what the decoded jump leads to, in the same function or in a part of it.
func (c *checker) leads(r int, pc uint64, s *state) []Contradiction {
	t, p := c.u.t, &c.u.parts[c.f.part]
	place, target, ok := c.target(pc)
	if !ok {
		return nil
	}
	here := place == int32(p.Place)
	var to *Row
	if k := c.rowAt(target); k >= 0 && here {
		to = &c.rows[k]
	} else if x, ok := t.find(place, target); ok && t.rows != nil && !t.entered(x) {
		rows := t.rows(int(x), nil)
		c.u.work += int64(len(rows))
		if i := slices.IndexFunc(rows, func(row Row) bool { return row.Start <= target && target < row.End }); i >= 0 {
			to = &rows[i]
		}
	}
	if to == nil || to.RA.Kind == model.Undefined {
		return nil
	}
	f := c.judge(WrongCFA, to, s)
	o := c.beside(WrongCFA, r, pc, pc, f, c.rows[r].CFA)[0]
	o.Leads = true
	switch {
	case f.answer == agrees && here:
		return c.leadsToSlots(&o, target)
	case f.answer != wrong || !f.exact:
		return nil
	}
	o.Truth.Offset += f.by
	o.By = -f.by
	return []Contradiction{o}
}

// leadsToSlots judges the slots of the row of o where a jump leads: the function restores another register from a slot that
// has that one's value on all ways there.
func (c *checker) leadsToSlots(o *Contradiction, target uint64) []Contradiction {
	there := c.u.before(c.f.part, target)
	if there == nil || there.guess {
		return nil
	}
	for o.Kind = WrongRA; o.Kind <= WrongFP; o.Kind++ {
		o.Says = c.rowRule(o.Kind, &c.rows[o.Row])
		if f := c.judge(o.Kind, &c.rows[o.Row], there); f.answer == wrong && f.got.Base == Entry && o.Says.Kind == model.FromCFA {
			o.Got, o.Truth = f.got, c.truth(o.Kind, o.Says, there)
			return []Contradiction{*o}
		}
	}
	return nil
}

// before returns the state before an instruction that was reached, nil for another one.
func (u *unit) before(part int, pc uint64) *state {
	p, s := &u.parts[part], &u.cur
	off := int64(pc - p.Start)
	if off < 0 || off >= int64(len(p.at)) || p.at[off] < 0 || u.ins[p.at[off]].owner < 0 {
		return nil
	}
	for from := off; from >= 0 && u.pay(); from-- {
		u.work++
		k := p.at[from]
		if k < 0 || !u.ins[k].leader || u.ins[k].state < 0 {
			continue
		}
		s.copyFrom(u.states[u.ins[k].state], u.arch.Regs)
		for u.pay() && k >= 0 && u.pc(k) < pc {
			u.work++
			k = u.replay(k, s)
		}
		if k == p.at[off] {
			return s
		}
		return nil
	}
	return nil
}

// follow sets a state to what a row says, and reports whether that is enough to judge others.
func (a *arch) follow(s *state, row *Row) bool {
	cfa := row.CFA
	if !row.ordinary() || cfa.Kind != model.InRegister || cfa.Deref || cfa.Reg != uint32(a.sp) && cfa.Reg != uint32(a.fp) {
		return false
	}
	a.part(s, 0)
	s.regs[a.sp] = Value{Base: Stack}
	for _, v := range [...]struct {
		rule model.Recovery
		reg  insn.Reg
	}{{row.FP, a.fp}, {row.RA, a.ra}} {
		saved := Value{Base: Entry, Reg: v.reg}
		if v.reg == a.ra {
			saved.Signed, saved.KeyB = row.Signed, row.KeyB
		}
		switch {
		case v.rule.Kind == model.Unchanged && !(a.onSP && v.reg == a.ra):
			s.regs[v.reg] = saved
		case v.rule.Kind == model.FromCFA && v.rule.Deref:
			s.put(slot{base: CFA, off: v.rule.Offset, by: -1, v: saved})
		}
	}
	s.regs[cfa.Reg] = Value{Base: CFA, Off: -cfa.Offset}
	return true
}

// follows judges a row by the state that the rows and the instructions before it lead to, the last of which is at before.
func (c *checker) follows(r int, pc, before uint64, s *state) []Contradiction {
	for kind := WrongCFA; kind <= WrongFP; kind++ {
		if f := c.judge(kind, &c.rows[r], s); f.answer == wrong {
			return c.beside(kind, r, pc, before, f, c.truth(kind, c.rowRule(kind, &c.rows[r]), s))
		}
	}
	return nil
}

// returns judges a row at the decoded instruction, if that is a return: SP must be where it was on entry, unless the code
// before it has stored the word there.
func (c *checker) returns(r int, pc uint64, s *state, stored []int64) []Contradiction {
	a, d, cfa := c.u.arch, &c.u.dec, c.rows[r].CFA
	sp, entry := s.regs[a.sp], a.abi.EntryCFA
	if d.Flow != insn.Return || d.Cond || d.Via != insn.NoReg && d.Via != a.ra || sp.Base != CFA || sp.Off == -entry ||
		cfa.Reg != uint32(a.sp) || cfa.Deref || slices.Contains(stored, sp.Off) {
		return nil
	}
	return c.beside(WrongCFA, r, pc, pc, finding{got: sp, by: cfa.Offset - entry, exact: true}, model.Recovery{Kind: model.InRegister, Reg: cfa.Reg, Offset: entry})
}

// beside returns the contradiction of a row at the decoded instruction, and the instruction that proves it.
func (c *checker) beside(kind Aspect, r int, pc, proof uint64, f finding, truth model.Recovery) []Contradiction {
	n := uint64(c.u.dec.Len)
	return []Contradiction{{Kind: kind, Row: r, Start: pc, End: pc + n, PCs: n, Says: c.rowRule(kind, &c.rows[r]), Truth: truth,
		Got: f.got, By: f.by, Exact: f.exact, Inside: true, Beside: true, Proof: []uint64{proof}, at: none}}
}
