package proof

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
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

// ifPreserved returns a value, or another one for that of a register which no callee keeps: no function restores
// that.
func (u *unit) ifPreserved(v Value) Value {
	if v.Base == Entry && v.Reg != u.arch.ra && u.arch.Saved&bit(v.Reg&31) == 0 {
		return u.part(v)
	}
	return v
}

// bit returns the bit of a register in a mask.
func bit(r insn.Reg) uint32 { return 1 << r }

// set sets a register.
func (s *state) set(r insn.Reg, v Value, by int32) { s.regs[r], s.by[r] = v, by }

// setSP sets SP to a value that was moved or loaded. What is not an address in the stack is
// another stack, of which nothing is known; see abroad.
func (u *unit) setSP(s *state, v Value, by int32) {
	if u.partial && v.Base == Unknown {
		v = Value{Base: Stack}
	}
	switch {
	case !u.partial && u.isAbroad(v):
		u.abroad = true
	case !v.inStack():
		s.forgetAll()
		return
	}
	s.set(u.arch.sp, v, by)
}

// isAbroad reports whether a value of SP is that of another stack: what the function had in its own one stays.
func (u *unit) isAbroad(v Value) bool { return v.plain() || v.Base == Scratch || u.varies(v) }

// assign sets a register to a value that was moved or loaded.
func (u *unit) assign(s *state, r insn.Reg, v Value, by int32) {
	if r == u.arch.sp {
		u.setSP(s, v, by)
	} else {
		s.set(r, v, by)
	}
}

// assigns reports whether an effect sets its register Dst.
func assigns(do insn.Do) bool {
	return do != insn.Store && do != insn.Forget && do != insn.Fill && do != insn.Compare && do != insn.Limit
}

// step executes the effects of an instruction.
func (u *unit) step(s *state, at int32, i *ins) {
	if u.arch.OwnFlags && i.ops > 0 && s.cmp.at >= 0 && s.cmp.at != at-1 && i.flow != insn.Branch {
		s.cmp.at = -1
	}
	all := u.effects(i)
	for k := range all {
		u.apply(s, at, &all[k])
	}
}

func (u *unit) apply(s *state, at int32, o *op) {
	switch o.do {
	case insn.Move:
		u.assign(s, o.dst, addOffset(s.regs[o.src], o.off), at)
	case insn.Load:
		v := u.load(s, addOffset(s.regs[o.src], o.off))
		if o.size != 0 {
			v = u.part(v)
		}
		u.assign(s, o.dst, v, at)
	case insn.Store:
		u.store(s, at, o)
	case insn.Clobber:
		v := another
		if o.off == insn.Varies {
			v.Base = Varying
		}
		u.assign(s, o.dst, v, at)
	case insn.Derive:
		u.assign(s, o.dst, u.derive(s, o), at)
	case insn.Lose:
		u.assign(s, o.dst, Value{}, at)
	case insn.Either:
		v := another
		switch {
		case o.src == insn.NoReg:
		case o.size != 0:
			v = u.load(s, addOffset(s.regs[o.src], o.off))
		default:
			v = u.ifPreserved(s.regs[o.src])
		}
		by := u.arch.joiner()
		by.both = s.rank() == 0
		u.assign(s, o.dst, by.join(u.ifPreserved(s.regs[o.dst]), v), at)
	case insn.Const:
		v := another
		if o.place >= 0 {
			v = Value{Base: Const, At: uint32(o.place), Off: o.off}
		}
		u.assign(s, o.dst, v, at)
	case insn.Forget:
		by := u.arch.joiner()
		if o.unsigned && by.isUnrelated(s.regs[insn.Vectors]) || o.src != insn.NoReg && s.regs[o.src].Base != Scratch && by.isUnrelated(s.regs[o.src]) {
			u.store(s, at, &op{dst: o.dst, src: insn.NoReg, size: o.size, off: o.off})
		} else {
			u.forget(s, addOffset(s.regs[o.dst], o.off), int64(o.size))
		}
	case insn.Fill:
		if n := s.regs[o.src]; n.Base == Const && n.At == 0 && n.Off > 0 && n.Off <= insn.MaxFill {
			u.store(s, at, &op{dst: o.dst, src: insn.NoReg, size: o.size * uint16(n.Off)})
		}
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
	v := another
	switch o.do {
	case insn.Add:
		v = u.sum(dst, s.regs[o.src], uint(o.off))
	case insn.Sub:
		v = u.difference(dst, u.shift(s.regs[o.src], o.off))
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
		if o.off == insn.Varies {
			v = Value{Base: Varying}
		}
		v = u.mix(dst, v)
		if o.off == 1 && dst.Base == Entry {
			v = Value{}
		}
	}
	if o.dst == u.arch.sp && !v.inStack() && dst.inStack() {
		v = Value{Base: Stack} // an amount that is not known
	}
	u.assign(s, o.dst, v, at)
}

// load returns the word at an address.
func (u *unit) load(s *state, p Value) Value {
	switch p.Base {
	case CFA, Aligned:
		v, _ := s.word(p.Base, p.At, p.Off)
		return v
	case Unknown, Stack, Moving, Moved, Mixed, Choice:
		return Value{}
	case Scratch:
		return p
	case Varying, Entry:
		if p.from(u.arch.Shadow) {
			v, _ := s.word(Entry, 0, p.Off)
			return v
		}
		if i, ok := s.find(Entry, place(p), p.Off); ok {
			return s.slots[i].v
		}
		if u.varies(p) && !s.wrote {
			return Value{Base: Varying}
		}
	case indexed:
		e := elementValue{place: int32(p.At), table: uint64(p.Off), size: 8}
		return e.pack()
	}
	return another
}

// store executes a Store.
func (u *unit) store(s *state, at int32, o *op) {
	p := addOffset(s.regs[o.dst], o.off)
	v, size := another, int64(o.size)
	switch {
	case o.src != insn.NoReg && size == 0:
		v, size = s.regs[o.src], 8
	case o.src != insn.NoReg:
		v = u.part(s.regs[o.src])
	case s.overruns(p, size):
		u.forget(s, p, size)
		return
	}
	switch p.Base {
	case Stack, Moving, Moved:
		if s.dead = nowhere; p.bounded() {
			s.raise(u.bounds(p.Off + size))
		} else {
			s.raise(0, 0)
		}
	case CFA, Aligned:
		s.erase(p.Base, p.At, p.Off, size, at)
		s.args = s.args && (p.Base != CFA || p.Off+size <= 0 || v.Base == Varying)
		if v.plain() && v.Base != Varying && !u.leadsTo(v) {
			v = another
		}
		if (size == 8 || v.Base == Varying) && v != s.absent(p.Base, p.Off) {
			s.put(slot{p.Base, p.At, p.Off, at, v})
		}
	case Entry:
		if p.from(u.arch.Shadow) && size == 8 {
			s.put(slot{Entry, 0, p.Off, at, v})
			break
		}
		if s.erase(Entry, place(p), p.Off, size, at); v.Base == CFA && size == 8 && u.varies(p) { // SP is kept in another stack
			s.put(slot{Entry, place(p), p.Off, at, v})
		}
		fallthrough
	default:
		s.wrote = s.wrote || !u.varies(v)
		u.relocates = u.relocates || o.src != insn.NoReg && (v.from(u.arch.fp) || v.from(u.arch.ra))
	}
}

// place identifies, in slots, the memory to which what a register had on entry points.
func place(v Value) uint32 { return uint32(v.Reg) + 1 }

// overruns reports whether n bytes that one instruction stores are 32 or more, and reach from others than saved registers into
// one of the caller, or have 256 bytes and one in them. Such code is never executed: compilers fill arrays of a
// length that they do not know in blocks, which the array can be smaller than.
func (s *state) overruns(p Value, n int64) bool {
	if i, ok := s.find(CFA, 0, p.Off); ok && s.slots[i].v.Base == Entry && n < 256 {
		return false
	}
	return n >= 32 && p.Base == CFA && slices.ContainsFunc(s.slots, func(q slot) bool {
		return q.base == CFA && q.v.Base == Entry && q.off < p.Off+n && (q.off > p.Off || n >= 256 && q.off+8 > p.Off)
	})
}

// forget makes n bytes of the stack unknown.
func (u *unit) forget(s *state, p Value, n int64) {
	switch p.Base {
	case Stack, Moving, Moved:
		s.raise(0, 0)
		s.dead = nowhere
	case CFA, Aligned:
		if p.Base == Aligned {
			s.low = max(s.low, p.Off+n)
		}
		k := 0
		for _, q := range s.slots {
			if q.base != p.Base || q.at != p.At || q.off+8 <= p.Off || q.off >= p.Off+n {
				s.slots[k] = q
				k++
			}
		}
		s.slots = s.slots[:k]
		s.args = s.args && (p.Base != CFA || p.Off+n <= 0)
		if p.Base == CFA && p.Off < 0 {
			s.floor, s.dead = max(s.floor, min(p.Off+n, 0)), min(s.dead, p.Off)
		}
	}
}
