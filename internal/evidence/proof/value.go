package proof

import "github.com/sframe-lint/sframe-lint/internal/evidence/insn"

// Base is the base to which a value is relative.
type Base uint8

// The bases.
const (
	// Unknown is any value.
	Unknown Base = iota
	// Other is a value that does not come from a saved register: a result, a constant, or a word of the heap or of a
	// stack slot without a store.
	Other
	// Const is the constant or address Off.
	Const
	// Stack is an address in the stack at an unknown distance from the CFA. If KeyB is set, it is at most the CFA plus Off.
	Stack
	// CFA is the CFA plus Off.
	CFA
	// Entry is the value of register Reg on entry, plus Off. For the register of RA (number 16 on AMD64), this value
	// is the return address.
	Entry
	// Aligned is SP as rounded down by the instruction at At, plus Off.
	Aligned
	// Moving is an address in the stack whose distance from the CFA varies, because a Varying amount was added or
	// subtracted. It is at most the CFA plus Off.
	Moving
	// Moved is the CFA plus Off, after an amount that is not known was added or, if it is Signed, subtracted. A row that
	// leaves the amount out is wrong, and so is one by which SP was raised by a subtraction.
	Moved
	// Varying is like Other, but depends on an argument, or on memory to which an argument points.
	Varying
	// Scratch is a value that a call leaves in a register or below SP. It is not the caller's FP, the return address
	// or an address that the function has computed from SP.
	Scratch
	// Mixed is a value that differs between two paths that are both taken. Any rule for this value is wrong on one of
	// the paths.
	Mixed
	// Choice is a value of FP that differs between paths of which one may never be taken: the caller's if Signed is set,
	// an address in the stack if KeyB is set, or an unrelated one. The address is the CFA plus Off, or at most that if At
	// is set.
	Choice
	// indexed is an address in a table at Off. An element is an entry of a table (see pack),
	// and a target the address that comes of it: At is an index of unit.targets.
	indexed
	element
	target
)

// Value is the value of a register or of a word in the stack.
type Value struct {
	Base   Base
	Reg    insn.Reg // for Entry and Varying
	Signed bool     // a return address has a pointer authentication code (AArch64); for Varying: see rising; for Moved and Choice: see there
	KeyB   bool     // the code was made with key B; for Stack and Choice: see there
	At     uint32   // for Aligned: offset of the instruction in the function; for Const: the place; for Choice: see there
	Off    int64    // in bytes
}

// another is a value of which nothing more is known.
var another = Value{Base: Other}

// plain reports whether the value is neither one that was saved nor an address in the stack.
func (v *Value) plain() bool {
	return v.Base == Other || v.Base == Const || v.Base == Varying || v.Base >= indexed
}

// from reports whether the value comes from what a register had on entry.
func (v *Value) from(r insn.Reg) bool { return v.Base == Entry && v.Reg == r }

// isZero reports whether the value is 0.
func (v *Value) isZero() bool { return v.Base == Const && v.At == 0 && v.Off == 0 }

// open reports whether a result of the value may be anything.
func (v *Value) open() bool { return v.Base == Unknown || v.Base == Mixed || v.Base == Choice }

// inStack reports whether the value is an address in the stack.
func (v *Value) inStack() bool {
	return v.Base == Stack || v.Base == CFA || v.Base == Aligned || v.Base == Moving || v.Base == Moved
}

// bounded reports whether the value is an address in the stack of which only Off is known: it is at most the CFA plus Off.
func (v *Value) bounded() bool { return v.Base == Moving || v.Base == Stack && v.KeyB }

// exactness orders addresses in the stack by how much is known of them; it is 0 for other values.
func (v *Value) exactness() int {
	switch v.Base {
	case Stack, Moved:
		return 1
	case Moving:
		return 2
	case CFA, Aligned:
		return 3
	}
	return 0
}

// joiner joins values that two paths lead to.
type joiner struct {
	fp, ra insn.Reg
	args   uint32 // the registers of arguments, a bit each
	// stack says that both paths have the same frame, and both that they are certainly taken.
	stack, both bool
}

// joiner returns one that neither has the same frame on both paths nor knows that they are taken.
func (a *arch) joiner() joiner { return joiner{fp: a.fp, ra: a.ra, args: a.Args} }

// join returns what two values have in common.
func (j joiner) join(a, b Value) Value {
	switch {
	case a == b:
		return a
	case j.isAmount(a) && j.isAmount(b):
		if a.Base == Varying || b.Base == Varying || a.Base == Entry || b.Base == Entry {
			return Value{Base: Varying}
		}
		return another
	case a.inStack() && b.inStack():
		return j.address(a, b)
	case j.isUnrelated(a) && j.isUnrelated(b):
		return Value{Base: Scratch}
	case !j.both || a.Base == Unknown || b.Base == Unknown || a.Base == Choice || b.Base == Choice:
		return Value{}
	case a.Base == Entry && b.from(a.Reg) && a.Off == b.Off:
		return Value{} // one of them is signed
	}
	return Value{Base: Mixed}
}

// register joins values of a register. A frame that FP has on one path only is none that a CFA can count from.
func (j joiner) register(r insn.Reg, a, b Value) Value {
	if j.both && r == j.fp && a.Base == CFA && b.Base == CFA {
		return Value{Base: Mixed}
	}
	v := j.join(a, b)
	if r == j.fp && v.Base == Unknown {
		return j.choice(a, b)
	}
	return v
}

// choice joins values of FP, as far as each is known.
func (j joiner) choice(a, b Value) Value {
	all := Value{Base: Choice}
	for _, v := range [...]Value{a, b} {
		switch {
		case j.isUnrelated(v):
			continue
		case v.from(j.fp) && v.Off == 0:
			all.Signed = true
			continue
		case v.bounded():
			v.At = 1
		case v.inStack() && v.Base != CFA:
			v.At, v.Off = 1, -nowhere
		case v.Base == Choice:
			all.Signed = all.Signed || v.Signed
			if !v.KeyB {
				continue
			}
		case v.Base != CFA:
			return Value{}
		}
		if all.KeyB && all.Off != v.Off {
			if v.At = 1; a.Base == Choice && v.Off > all.Off { // a loop may raise it
				v.Off = -nowhere
			}
			v.Off = max(v.Off, all.Off)
		}
		all.KeyB, all.At, all.Off = true, all.At|v.At, v.Off
	}
	return all
}

// address joins addresses in the stack.
func (j joiner) address(a, b Value) Value {
	switch {
	case !j.both && !j.stack || a.Base != Moving && b.Base != Moving:
		if known := (a.Base == CFA || a.bounded()) && (b.Base == CFA || b.bounded()); known && (a.Base == CFA || b.Off <= a.Off) {
			return Value{Base: Stack, KeyB: true, Off: max(a.Off, b.Off)}
		}
		return Value{Base: Stack} // a loop may raise it
	case a.Base != Moving && a.Base != CFA || b.Base != Moving && b.Base != CFA:
		return Value{Base: Moving}
	}
	if a.Base == Moving && b.Base == Moving && a.Off < b.Off { // a loop may raise it
		return Value{Base: Moving, Off: max(a.Off, -nowhere)}
	}
	return Value{Base: Moving, Off: max(a.Off, b.Off)}
}

// isAmount reports whether a value is a plain one, or an argument.
func (j joiner) isAmount(v Value) bool {
	return v.plain() || v.Base == Entry && j.args&bit(v.Reg&31) != 0
}

// isUnrelated reports whether a value is neither what FP nor what the register of RA had on entry, nor an
// address that the function has computed from SP.
func (j joiner) isUnrelated(v Value) bool {
	return v.Base == Scratch || v.plain() || v.Base == Entry && v.Reg != j.fp && v.Reg != j.ra
}
