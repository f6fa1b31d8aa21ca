package track

import (
	"github.com/sframe-lint/sframe-lint/insn"
)

// op is an effect of a decoded instruction.
type op struct {
	do       insn.Do
	dst, src insn.Reg
	unsigned bool
	size     uint16
	// place is what the address off counts from, for Const and Element.
	place int32 // below 0: the address is not known
	off   int64
}

// elementValue is an entry of a table of addresses or differences.
type elementValue struct {
	place    int32
	table    uint64
	size     uint16
	unsigned bool
	shift    uint8
}

// targetValue is the sum of an entry of a table and an address.
type targetValue struct {
	elementValue
	basePlace int32
	base      uint64
	relative  bool // base is to be added
}

// kept returns a value, or another one for that of a register which no callee keeps: nobody restores
// that.
func (u *unit) kept(v Value) Value {
	if v.Base == Entry && v.Reg != u.arch.ra && u.arch.saved&bit(v.Reg&31) == 0 {
		return Value{Base: Other}
	}
	return v
}

// bit returns the bit of a register in a mask.
func bit(r insn.Reg) uint32 { return 1 << r }

// set sets a register.
func (u *unit) set(s *state, r insn.Reg, v Value, by int32) {
	s.regs[r], s.by[r] = v, by
}

// setSP sets SP to a value that was moved or loaded. What is not an address in the stack is
// another stack, of which nothing is known.
func (u *unit) setSP(s *state, v Value, by int32) {
	if !v.inStack() {
		s.lose()
		return
	}
	u.set(s, u.arch.sp, v, by)
}

// assign sets a register to a value that was moved or loaded.
func (u *unit) assign(s *state, r insn.Reg, v Value, by int32) {
	if r == u.arch.sp {
		u.setSP(s, v, by)
	} else {
		u.set(s, r, v, by)
	}
}

// step executes the effects of an instruction.
func (u *unit) step(s *state, at int32, i *ins) {
	if u.arch.ownFlags && i.ops > 0 && s.cmp.at >= 0 && s.cmp.at != at-1 && i.flow != insn.Branch {
		s.cmp.at = -1
	}
	for k := range u.ops[i.op : i.op+uint32(i.ops)] {
		u.apply(s, at, &u.ops[int(i.op)+k])
	}
}

func (u *unit) apply(s *state, at int32, o *op) {
	switch o.do {
	case insn.Move:
		u.assign(s, o.dst, plus(s.regs[o.src], o.off), at)
	case insn.Load:
		v := u.load(s, plus(s.regs[o.src], o.off))
		u.assign(s, o.dst, v, at)
	case insn.Store:
		u.store(s, at, o)
	case insn.Clobber:
		u.assign(s, o.dst, Value{Base: Other}, at)
	case insn.Lose:
		u.assign(s, o.dst, Value{}, at)
	case insn.Either:
		v := Value{Base: Other}
		if o.src != insn.NoReg {
			v = u.kept(s.regs[o.src])
		}
		u.assign(s, o.dst, join(u.kept(s.regs[o.dst]), v), at)
	case insn.Const:
		v := Value{Base: Other}
		if o.place >= 0 {
			v = Value{Base: Const, At: uint32(o.place), Off: o.off}
		}
		u.assign(s, o.dst, v, at)
	case insn.Forget:
		u.forget(s, plus(s.regs[o.dst], o.off), int64(o.size))
	case insn.Compare:
		s.cmp = compare{o.dst, o.src, o.off, at}
		if o.dst == insn.NoReg && o.src == insn.NoReg && o.off == 0 {
			s.cmp.at = -1
		}
	case insn.Limit:
		s.bound = o.off + 1
	case insn.Sign, insn.Auth, insn.Strip:
		v := &s.regs[o.dst]
		if v.Base == Entry {
			v.Signed = o.do == insn.Sign
			v.KeyB = v.Signed && o.off != 0
			s.by[o.dst] = at
		}
	default:
		u.compute(s, at, o)
	}
}

// compute applies the effects that are results of arithmetic.
func (u *unit) compute(s *state, at int32, o *op) {
	dst := s.regs[o.dst]
	v := Value{Base: Other}
	switch o.do {
	case insn.Add:
		v = u.sum(dst, s.regs[o.src], uint(o.off))
	case insn.Sub:
		v = difference(dst, shifted(s.regs[o.src], o.off))
	case insn.Align:
		v = u.align(dst, at, o.off)
	case insn.Insert:
		if dst.Base == Const && dst.At == 0 {
			v = dst
			v.Off = v.Off&^(0xffff<<o.src) | o.off<<o.src
		}
	case insn.Scale:
		v = u.scale(dst, o)
	case insn.Element:
		v = u.element(s, o)
	case insn.Mix:
		if o.src != insn.NoReg {
			v = s.regs[o.src]
		}
		v = mix(dst, v)
	}
	if o.dst == u.arch.sp && !v.inStack() && dst.inStack() {
		v = Value{Base: Stack} // an amount that is not known
	}
	u.assign(s, o.dst, v, at)
}

// isTable reports whether a value may be the address of a table, rather than a number.
func (u *unit) isTable(v Value) bool {
	return v.Base == Const && (v.At != 0 || uint64(v.Off) >= minTable)
}

// leadsTo reports whether an indirect jump may come of a value: a table, or what was read of one.
func (u *unit) leadsTo(v Value) bool { return v.Base >= indexed || u.isTable(v) }

// minTable is the least address of a table in a linked file: what is below it is a number.
const minTable = 1 << 12

// plus returns v + off.
func plus(v Value, off int64) Value {
	if off == 0 {
		return v
	}
	switch v.Base {
	case CFA, Entry, Aligned, Const:
		v.Off += off
	case indexed, element, target:
		v = Value{Base: Other}
	}
	return v
}

// sum returns a + b<<shift.
func (u *unit) sum(a, b Value, shift uint) Value {
	if shift >= 64 {
		return Value{}
	}
	switch {
	case a.Base == Other && u.isTable(b) && shift == 0: // an index and a table
		return Value{Base: indexed, At: b.At, Off: b.Off}
	case b.Base == Other && u.isTable(a):
		return Value{Base: indexed, At: a.At, Off: a.Off}
	case b.Base == Const && b.At == 0 && a.Base != Unknown && a.Base != element:
		return plus(a, b.Off<<shift)
	case a.Base == Const && a.At == 0 && shift == 0 && b.Base != Unknown && b.Base != element:
		return plus(b, a.Off)
	case a.Base == element && b.Base == Const && shift == 0:
		return u.target(a, b, 0)
	case a.Base == Const && b.Base == element:
		return u.target(b, a, shift)
	case u.isTable(a) && !b.inStack():
		return Value{Base: indexed, At: a.At, Off: a.Off}
	case u.isTable(b) && !a.inStack() && shift == 0:
		return Value{Base: indexed, At: b.At, Off: b.Off}
	case a.inStack() && b.inStack(), a.Base == Unknown, b.Base == Unknown:
		return Value{}
	case a.inStack(), b.inStack():
		return Value{Base: Stack}
	}
	return Value{Base: Other}
}

// mix returns a result of a and b that is no plain sum. A rounded or scaled address of the stack
// counts as one.
func mix(a, b Value) Value {
	switch {
	case a.inStack() || b.inStack():
		return Value{Base: Stack}
	case a.Base == Unknown || b.Base == Unknown:
		return Value{}
	}
	return Value{Base: Other}
}

// shifted returns v<<n.
func shifted(v Value, n int64) Value {
	switch {
	case n == 0 || v.Base == Unknown:
		return v
	case v.Base == Const && v.At == 0:
		v.Off <<= uint(n) & 63
		return v
	case v.inStack():
		return Value{}
	}
	return Value{Base: Other}
}

// difference returns a - b.
func difference(a, b Value) Value {
	switch {
	case a.Base == CFA && b.Base == CFA:
		return Value{Base: Const, Off: a.Off - b.Off}
	case b.Base == Const && b.At == 0 && a.Base != Unknown:
		return plus(a, -b.Off)
	case a.Base == Unknown || b.Base == Unknown || a.inStack() && b.inStack():
		return Value{}
	case a.inStack():
		return Value{Base: Stack}
	}
	return Value{Base: Other}
}

// align returns v rounded down to a multiple of -mask bytes.
func (u *unit) align(v Value, at int32, mask int64) Value {
	switch {
	case v.Base == CFA:
		u.origin(at, v.Off, mask)
		return Value{Base: Aligned, At: uint32(at)}
	case v.inStack():
		return Value{Base: Stack}
	case v.Base == Unknown:
		return v
	}
	return Value{Base: Other}
}

// load returns the word at an address.
func (u *unit) load(s *state, p Value) Value {
	switch p.Base {
	case CFA, Aligned:
		v, _ := s.word(p.Base, p.At, p.Off)
		return v
	case Unknown, Stack:
		return Value{}
	case indexed:
		e := elementValue{place: int32(p.At), table: uint64(p.Off), size: 8}
		return e.pack()
	}
	return Value{Base: Other}
}

// store executes a Store.
func (u *unit) store(s *state, at int32, o *op) {
	p := plus(s.regs[o.dst], o.off)
	v, size := Value{Base: Other}, int64(o.size)
	if o.src != insn.NoReg {
		v, size = s.regs[o.src], 8
	}
	switch p.Base {
	case Stack:
		s.floor = max(s.floor, 0)
	case CFA, Aligned:
		s.erase(p.Base, p.At, p.Off, size, at)
		if v.plain() && !u.leadsTo(v) {
			v = Value{Base: Other}
		}
		if size == 8 && v != s.absent(p.Base, p.Off) {
			s.put(slot{p.Base, p.At, p.Off, at, v})
		}
	}
}

// forget makes n bytes of the stack unknown.
func (u *unit) forget(s *state, p Value, n int64) {
	switch p.Base {
	case Stack:
		s.floor = max(s.floor, 0)
	case CFA, Aligned:
		k := 0
		for _, q := range s.slots {
			if q.base != p.Base || q.at != p.At || q.off+8 <= p.Off || q.off >= p.Off+n {
				s.slots[k] = q
				k++
			}
		}
		s.slots = s.slots[:k]
		if p.Base == CFA && p.Off < 0 {
			s.floor = max(s.floor, min(p.Off+n, 0))
		}
	}
}

// call executes what a callee does: registers that it may use are unknown afterwards, and so
// is the stack below SP.
func (u *unit) call(s *state, at int32, i *ins) {
	kept := u.arch.saved
	for k := range u.ops[i.op : i.op+uint32(i.ops)] {
		kept |= bit(u.ops[int(i.op)+k].dst & 31) // what the instruction sets itself, the link register
	}
	for r := range s.regs[:u.arch.n] {
		if kept&(1<<r) == 0 {
			s.regs[r], s.by[r] = Value{}, at
		}
	}
	switch sp := s.regs[u.arch.sp]; sp.Base {
	case CFA:
		s.clip(sp.Off + u.arch.save)
	case Aligned:
		s.floor = 0
		s.clipAligned(sp.At, sp.Off+u.arch.save)
	default:
		s.floor = 0
	}
	s.cmp.at, s.bound, s.weak = -1, 0, true
}
