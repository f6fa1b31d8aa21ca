package proof

import "github.com/sframe-lint/sframe-lint/internal/evidence/insn"

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
	case CFA, Entry, Aligned, Const, Moving, Moved:
		v.Off += off
	case Stack:
		if v.KeyB {
			v.Off += off
		}
	case indexed, element, target:
		v = another
	}
	return v
}

// sum returns a + b<<shift.
func (u *unit) sum(a, b Value, shift uint) Value {
	if shift >= 64 || a.Base == Mixed || b.Base == Mixed || a.Base == Choice || b.Base == Choice {
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
	case b.Base == CFA && u.isAmount(a):
		return Value{Base: Moved, Off: b.Off}
	case a.Base == CFA && u.isAmount(b):
		return Value{Base: Moved, Off: a.Off}
	case a.Base == Scratch || b.Base == Scratch:
		return Value{Base: Scratch}
	case a.Base == CFA && u.varies(b), b.Base == CFA && u.varies(a): // also what __builtin_eh_return adds, to release frames of callers
		return Value{Base: Moving, Off: -nowhere}
	case a.inStack(), b.inStack():
		return Value{Base: Stack}
	case shift > maxShift:
		return another
	}
	if r := u.rising(a); r.Signed && r == u.rising(b) {
		return r
	}
	return u.of(a, b)
}

// rising returns what varies as a value does. Signed says that it rises with the argument Reg: it is a multiple of it, a rounded
// one or one with a number added. The sum of two that rise with one argument does, too.
func (u *unit) rising(v Value) Value {
	switch {
	case v.Base == Entry && u.varies(v):
		return Value{Base: Varying, Reg: v.Reg, Signed: true}
	case v.Base == Varying:
		return v
	}
	return Value{Base: Varying}
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
	rising := u.rising(a)
	switch {
	case a.inStack() || b.inStack():
		return Value{Base: Stack}
	case o.unsigned && (a.isZero() || b.isZero()):
		return Value{Base: Const}
	case a.isZero() || b.isZero(): // it may be a mask
		return another
	case o.size != 0 && rising.Signed && (o.off == int64(insn.NoReg) || rising == u.rising(b)):
		return rising
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
	return another
}

// isAmount reports whether a value is a number that is not known and no address in the stack.
func (u *unit) isAmount(v Value) bool {
	return v.Base == Other || v.Base == Scratch || v.Base == Entry && v.Reg != u.arch.fp && v.Reg != u.arch.ra && !u.varies(v)
}

// part returns a part of a value. That of an address in the stack counts as one: SP may be rounded by its low bits.
func (u *unit) part(v Value) Value {
	if v.inStack() {
		return Value{Base: Stack}
	}
	return u.of(v, Value{})
}

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
	case a.open() || b.open() || (a.isZero() || b.isZero()) && !(u.isAmount(a) || u.isAmount(b) || u.varies(a) || u.varies(b)):
		return Value{}
	case a.isZero() || b.isZero(): // it may be a mask
		return another
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
		return u.rising(v)
	}
	return another
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
	case a.Base == CFA && u.isAmount(b):
		return Value{Base: Moved, Off: a.Off, Signed: true}
	case a.Base == Scratch || a.Base != Moving && b.Base == Scratch:
		return Value{Base: Scratch}
	case a.Base == CFA && u.varies(b), a.Base == Moving:
		return Value{Base: Moving, Off: a.Off}
	case a.Base == Aligned && u.varies(b) && u.knows(a): // an aligned address is at most what it was before
		return Value{Base: Moving, Off: u.origins[int32(a.At)].off + a.Off}
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
		return u.rising(v)
	}
	return another
}
