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
func (u *unit) set(s *state, r insn.Reg, v Value, by int32) {
	s.regs[r], s.by[r] = v, by
}

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
	u.set(s, u.arch.sp, v, by)
}

// isAbroad reports whether a value of SP is that of another stack: what the function had in its own one stays.
func (u *unit) isAbroad(v Value) bool { return v.plain() || v.Base == Scratch || u.varies(v) }

// assign sets a register to a value that was moved or loaded.
func (u *unit) assign(s *state, r insn.Reg, v Value, by int32) {
	if r == u.arch.sp {
		u.setSP(s, v, by)
	} else {
		u.set(s, r, v, by)
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
	for k := range u.ops[i.op : i.op+uint32(i.ops)] {
		u.apply(s, at, &u.ops[int(i.op)+k])
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
		v := Value{Base: Other}
		if o.off == insn.Varies {
			v.Base = Varying
		}
		u.assign(s, o.dst, v, at)
	case insn.Derive:
		u.assign(s, o.dst, u.derive(s, o), at)
	case insn.Lose:
		u.assign(s, o.dst, Value{}, at)
	case insn.Either:
		v := Value{Base: Other}
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
		v := Value{Base: Other}
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
	v := Value{Base: Other}
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

// isTable reports whether a value may be the address of a table, rather than a number.
func (u *unit) isTable(v Value) bool {
	return v.Base == Const && (v.At != 0 || uint64(v.Off) >= minTable)
}

// leadsTo reports whether an indirect jump may come of a value: a table, or what was read of one.
func (u *unit) leadsTo(v Value) bool { return v.Base >= indexed || u.isTable(v) }

// minTable is the least address of a table in a linked file, which begins with its headers: what is below it is a number.
const minTable = 1 << 8

// addOffset returns v + off.
func addOffset(v Value, off int64) Value {
	if off == 0 {
		return v
	}
	switch v.Base {
	case CFA, Entry, Aligned, Const, Moving:
		v.Off += off
	case indexed, element, target:
		v = Value{Base: Other}
	}
	return v
}

// sum returns a + b<<shift.
func (u *unit) sum(a, b Value, shift uint) Value {
	if shift >= 64 || a.Base == Mixed || b.Base == Mixed || a.Base == Outside || b.Base == Outside {
		return Value{}
	}
	switch {
	case (a.Base == Other || a.Base == Varying) && u.isTable(b) && shift == 0: // an index and a table
		return Value{Base: indexed, At: b.At, Off: b.Off}
	case (b.Base == Other || b.Base == Varying) && u.isTable(a):
		return Value{Base: indexed, At: a.At, Off: a.Off}
	case b.Base == Const && b.At == 0 && a.Base != Unknown && a.Base != element:
		return addOffset(a, b.Off<<shift)
	case a.Base == Const && a.At == 0 && shift == 0 && b.Base != Unknown && b.Base != element:
		return addOffset(b, a.Off)
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
	case a.Base == Scratch || b.Base == Scratch:
		return Value{Base: Scratch}
	case a.Base == CFA && u.varies(b), b.Base == CFA && u.varies(a): // also what __builtin_eh_return adds, to release frames of callers
		return Value{Base: Moving, Off: -nowhere}
	case a.inStack(), b.inStack():
		return Value{Base: Stack}
	case shift <= maxShift:
		return u.of(a, b)
	}
	return Value{Base: Other}
}

// derive returns what a Derive sets a register to.
func (u *unit) derive(s *state, o *op) Value {
	var a, b Value
	if o.src != insn.NoReg {
		a = s.regs[o.src]
	}
	if o.off != int64(insn.NoReg) {
		b = s.regs[o.off]
	}
	switch {
	case o.unsigned && (a.isZero() || b.isZero()):
		return Value{Base: Const}
	case a.isZero() || b.isZero(): // it may be a mask
		return Value{Base: Other}
	case u.varies(a) && (o.unsigned || o.off == int64(o.src)):
		return Value{Base: Varying}
	}
	return u.of(a, b)
}

// of returns a result of two values. That of two amounts that vary may be the same each time, unless they are
// two arguments.
func (u *unit) of(a, b Value) Value {
	x, y := u.varies(a), u.varies(b)
	if x != y || x && a.Base == Entry && b.Base == Entry && a.Reg != b.Reg {
		return Value{Base: Varying}
	}
	return Value{Base: Other}
}

// part returns a part of a value.
func (u *unit) part(v Value) Value { return u.of(v, Value{}) }

// varies reports whether a value is not the same each time the function is called: it is an argument,
// or comes of one.
func (u *unit) varies(v Value) bool {
	return v.Base == Varying || v.Base == Entry && u.arch.Args&bit(v.Reg&31) != 0
}

// maxShift is how far a value may be shifted, and a power of two of what it may be rounded to, so that it
// still varies.
const maxShift = 16

// mix returns a result of a and b that is no plain sum. A rounded or scaled address of the stack
// counts as one.
func (u *unit) mix(a, b Value) Value {
	switch {
	case a.Base == CFA && u.varies(b), b.Base == CFA && u.varies(a):
		return Value{Base: Moving, Off: -nowhere}
	case a.inStack() || b.inStack():
		return Value{Base: Stack}
	case a.open() || b.open() || a.isZero() || b.isZero():
		return Value{}
	case a.Base == Scratch || b.Base == Scratch:
		return Value{Base: Scratch}
	}
	return u.of(a, b)
}

// shift returns v<<n.
func (u *unit) shift(v Value, n int64) Value {
	switch {
	case n == 0 || v.Base == Unknown || v.Base == Scratch:
		return v
	case v.Base == Const && v.At == 0:
		v.Off <<= uint(n) & 63
		return v
	case v.inStack() || v.open():
		return Value{}
	case n <= maxShift && u.varies(v):
		return Value{Base: Varying}
	}
	return Value{Base: Other}
}

// difference returns a - b.
func (u *unit) difference(a, b Value) Value {
	switch {
	case a.Base == b.Base && (a.Base == CFA || a.Base == Entry && a.Reg == b.Reg && a.Signed == b.Signed):
		return Value{Base: Const, Off: a.Off - b.Off}
	case b.Base == Const && b.At == 0 && a.Base != Unknown:
		return addOffset(a, -b.Off)
	case a.open() || b.open() || a.inStack() && b.inStack():
		return Value{}
	case a.Base == Scratch || a.Base != Moving && b.Base == Scratch:
		return Value{Base: Scratch}
	case a.Base == CFA && u.varies(b), a.Base == Moving:
		return Value{Base: Moving, Off: a.Off}
	case a.inStack():
		return Value{Base: Stack}
	}
	return u.of(a, b)
}

// align returns v rounded down to a multiple of -mask bytes.
func (u *unit) align(v Value, at int32, mask int64) Value {
	switch {
	case v.Base == CFA:
		u.origin(at, v.Off, mask)
		return Value{Base: Aligned, At: uint32(at)}
	case v.Base == Moving:
		return v
	case v.inStack():
		return Value{Base: Stack}
	case v.Base == Scratch:
		return v
	case v.Base == Const && v.At == 0:
		return Value{Base: Const, Off: v.Off & mask}
	case v.open() || v.Base == Entry && !u.varies(v): // which may be a multiple already
		return Value{}
	case mask >= -1<<maxShift && u.varies(v):
		return Value{Base: Varying}
	}
	return Value{Base: Other}
}

// load returns the word at an address.
func (u *unit) load(s *state, p Value) Value {
	switch p.Base {
	case CFA, Aligned:
		v, _ := s.word(p.Base, p.At, p.Off)
		return v
	case Unknown, Stack, Moving, Mixed, Outside:
		return Value{}
	case Scratch:
		return p
	case Varying, Entry:
		if p.from(u.arch.Shadow) {
			v, _ := s.word(Entry, 0, p.Off)
			return v
		}
		if u.varies(p) {
			return Value{Base: Varying}
		}
	case indexed:
		e := elementValue{place: int32(p.At), table: uint64(p.Off), size: 8}
		return e.pack()
	}
	return Value{Base: Other}
}

// store executes a Store.
func (u *unit) store(s *state, at int32, o *op) {
	p := addOffset(s.regs[o.dst], o.off)
	v, size := Value{Base: Other}, int64(o.size)
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
	case Stack:
		s.floor, s.dead = max(s.floor, 0), nowhere
	case Moving:
		s.floor, s.dead = max(s.floor, min(p.Off+size, 0)), nowhere
	case CFA, Aligned:
		s.erase(p.Base, p.At, p.Off, size, at)
		s.args = s.args && (p.Base != CFA || p.Off+size <= 0 || v.Base == Varying)
		if v.plain() && v.Base != Varying && !u.leadsTo(v) {
			v = Value{Base: Other}
		}
		if (size == 8 || v.Base == Varying) && v != s.absent(p.Base, p.Off) {
			s.put(slot{p.Base, p.At, p.Off, at, v})
		}
	case Entry:
		if p.from(u.arch.Shadow) && size == 8 {
			s.put(slot{Entry, 0, p.Off, at, v})
			break
		}
		fallthrough
	default:
		u.relocates = u.relocates || o.src != insn.NoReg && (v.from(u.arch.fp) || v.from(u.arch.ra))
	}
}

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
	case Stack, Moving:
		s.floor, s.dead = max(s.floor, 0), nowhere
	case CFA, Aligned:
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

// call executes what a callee does: registers that it may use are unknown afterwards, and so
// is the stack below SP.
func (u *unit) call(s *state, at int32, i *ins) {
	kept := u.arch.Saved
	for k := range u.ops[i.op : i.op+uint32(i.ops)] {
		kept |= bit(u.ops[int(i.op)+k].dst & 31) // what the instruction sets itself, the link register
	}
	u.callee(s, at, kept)
	s.weak = s.weak || u.comesBack(at) != always
	if next := u.next(at); next >= 0 && u.ins[next].landing && u.comesBack(at) == perhaps {
		s.guess = true // what unwinds the stack may jump to the landing pad, and setjmp returns there again
	}
}

// callee executes what a callee does that keeps some registers.
func (u *unit) callee(s *state, at int32, kept uint32) {
	u.escape(s, kept)
	for r := range s.regs[:u.arch.Regs] {
		if kept&(1<<r) == 0 {
			s.regs[r], s.by[r] = u.afterCall(insn.Reg(r), s.regs[r], at), at
		}
	}
	switch sp := s.regs[u.arch.sp]; sp.Base {
	case CFA:
		s.forgetBelow(sp.Off+u.arch.save, sp.Off, sp.Off+u.arch.Keep)
		if low := min(sp.Off+u.arch.save, 0); low > s.dead {
			s.dead, s.deadBy = low, at
		}
	case Aligned:
		if o, ok := u.origins[int32(sp.At)]; ok && !o.many {
			s.floor = max(s.floor, min(o.off, 0))
		} else {
			s.floor = 0
		}
		s.clipAligned(sp.At, sp.Off+u.arch.save)
	case Moving:
		s.floor = max(s.floor, min(sp.Off+u.arch.save, 0))
	default:
		s.floor = 0
	}
	s.cmp.at, s.bound = -1, 0
}

// escape forgets addresses of the stack in words that a callee can reach: those from an address on that is in a
// register that no callee keeps, or in such a word, up to the first saved register. Objects end before that.
func (u *unit) escape(s *state, kept uint32) {
	for r, v := range s.regs[:u.arch.Regs] {
		if kept&(1<<r) == 0 && v.inStack() {
			u.reachable(s, v)
		}
	}
}

// reachable forgets addresses of the stack in words that can be reached from an address. One that is not known may
// be any, but the lowest of the saved registers bounds it, too. What is pushed on an aligned stack is saved.
func (u *unit) reachable(s *state, from Value) {
	exact := from.Base == CFA || from.Base == Aligned
	ended := false
	for i := range s.slots {
		p := &s.slots[i]
		if i > 0 && (p.base != s.slots[i-1].base || p.at != s.slots[i-1].at) {
			ended = false
		}
		switch {
		case ended || exact && (p.base != from.Base || p.at != from.At || p.off < from.Off):
		case p.v.Base == Entry || p.base == CFA && p.off >= 0 || p.base == Aligned && u.isPush(p.by):
			ended = true
		case p.v.inStack() && p.v.Base != Stack:
			v := p.v
			p.v = Value{Base: Stack}
			u.reachable(s, v)
		}
	}
}

// isPush reports whether an instruction pushes a register.
func (u *unit) isPush(k int32) bool {
	if k < 0 || u.partial {
		return false
	}
	ops := u.ops[u.ins[k].op : u.ins[k].op+uint32(u.ins[k].ops)]
	return len(ops) == 2 && ops[0].do == insn.Store && ops[1].do == insn.Move && ops[0].off == ops[1].off && ops[1].dst == u.arch.sp
}

// afterCall returns what a register that a callee may use has after a call: what the callee has left there, or,
// if the compiler knows that the callee does not use it, the value before.
func (u *unit) afterCall(r insn.Reg, v Value, at int32) Value {
	saved := v.from(u.arch.fp) || v.from(u.arch.ra)
	if v.open() || v.inStack() || saved && !u.overwrites(at, r) {
		return Value{}
	}
	return Value{Base: Scratch}
}

// overwrites reports whether the function that a call leads to overwrites a register on each way to its returns.
func (u *unit) overwrites(call int32, r insn.Reg) bool {
	if call < 0 {
		return false
	}
	i := &u.ins[call]
	x, ok := u.t.find(i.place, i.target)
	if i.flow != insn.Call || !i.resolved || !ok || !u.t.ranges[x].starts(i.target) {
		return false
	}
	f := &u.t.ranges[x]
	code, _ := u.img.code(f.Place, f.Start, min(f.End, f.Start+maxFirst), nil)
	seen := map[uint64]bool{}
	d := &u.dec
	var from func(pc uint64) bool
	from = func(pc uint64) bool {
		for pc-f.Start < uint64(len(code)) && !seen[pc] {
			seen[pc] = true
			u.work++
			u.arch.Decode(code[pc-f.Start:], pc, d)
			for _, o := range d.Ops[:d.N] {
				if o.Dst == r && (o.Do == insn.Const || o.Do == insn.Clobber || o.Do == insn.Derive) {
					return true
				}
			}
			flow, to := d.Flow, d.Target
			if _, relocated := u.img.relocAt(int32(f.Place), pc+uint64(d.TargetOff)); u.img.rel && relocated && d.TargetLen > 0 {
				to = f.End // another function
			}
			pc += uint64(d.Len)
			switch {
			case flow == insn.Jump:
				pc = to
			case flow == insn.Branch && !from(to), flow != insn.Next && flow != insn.Branch && flow != insn.Call:
				return false
			}
		}
		return seen[pc] // a loop
	}
	return from(f.Start)
}

// maxFirst is the number of bytes of a callee that are read.
const maxFirst = 256
