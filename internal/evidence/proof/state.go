package proof

import (
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// Base is what a value is relative to.
type Base uint8

// Bases.
const (
	// Unknown: the value may be anything.
	Unknown Base = iota
	// Other: a value that does not come from a saved register: a result, a constant, or a
	// word of the heap or of a stack slot without a store.
	Other
	// Const: the constant or address Off.
	Const
	// Stack: an address in the stack whose distance from the CFA is not known.
	Stack
	// CFA: the CFA plus Off.
	CFA
	// Entry: the value of register Reg on entry, plus Off. For the register of RA, it is
	// the return address; on AMD64 that is number 16.
	Entry
	// Aligned: SP as the instruction at At rounded it down, plus Off.
	Aligned
	// Moving: an address in the stack whose distance from the CFA is not the same each time: a
	// Varying amount has been subtracted or added. It is at most the CFA plus Off.
	Moving
	// Varying: as Other, and not the same each time: it comes of an argument, or of memory that
	// an argument points to.
	Varying
	// Scratch: what a call has left, in a register or below SP: it is neither the caller's FP nor
	// the return address, and no address that the function has computed from SP.
	Scratch
	// Mixed: another value on one path than on another one, both of which are taken: whatever it is said
	// to be, it is not on one of them.
	Mixed
	// Outside, of FP: what the caller has in it on one path, and another value on another one, none of which is an address
	// that the function has computed from SP.
	Outside
	// indexed is an address in a table at Off. An element is an entry of a table (see pack),
	// and a target the address that comes of it: At is an index of unit.targets.
	indexed
	element
	target
)

// Value is the value of a register or of a word of the stack.
type Value struct {
	Base   Base
	Reg    insn.Reg // Entry
	Signed bool     // a return address with a pointer authentication code (AArch64)
	KeyB   bool     // of key B
	At     uint32   // Aligned: the instruction, as an offset in the code of the function; Const: the place
	Off    int64    // bytes
}

// Format writes the value in words, with the register names of the ABI.
func (v Value) Format(abi model.ABIInfo) string {
	switch v.Base {
	case Unknown:
		return "unknown"
	case Const:
		return fmt.Sprintf("%#x", uint64(v.Off))
	case CFA:
		return fmt.Sprintf("CFA%+d", v.Off)
	case Stack:
		return "an address in the stack"
	case Moving:
		return "an address in the stack that varies"
	case Mixed:
		return "another value on one of several paths"
	case Aligned:
		return fmt.Sprintf("the aligned SP%+d", v.Off)
	case Entry:
		name := "the caller's " + abi.RegName(uint32(v.Reg))
		if uint32(v.Reg) == abi.RA {
			name = "the return address"
		}
		if v.Signed {
			name = "signed " + name
		}
		if v.Off != 0 {
			name += fmt.Sprintf("%+d", v.Off)
		}
		return name
	}
	return "another value"
}

// plain reports whether the value is neither one that was saved nor an address in the stack.
func (v *Value) plain() bool {
	return v.Base == Other || v.Base == Const || v.Base == Varying || v.Base >= indexed
}

// from reports whether the value comes from what a register had on entry.
func (v *Value) from(r insn.Reg) bool { return v.Base == Entry && v.Reg == r }

// isZero reports whether the value is 0.
func (v *Value) isZero() bool { return v.Base == Const && v.At == 0 && v.Off == 0 }

// open reports whether a result of the value may be anything.
func (v *Value) open() bool { return v.Base == Unknown || v.Base == Mixed || v.Base == Outside }

// inStack reports whether the value is an address in the stack.
func (v *Value) inStack() bool {
	return v.Base == Stack || v.Base == CFA || v.Base == Aligned || v.Base == Moving
}

// exactness orders addresses in the stack by how much is known of them; it is 0 for other values.
func (v *Value) exactness() int {
	switch v.Base {
	case Stack:
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
		return Value{Base: Other}
	case a.inStack() && b.inStack():
		return j.address(a, b)
	case j.isUnrelated(a) && j.isUnrelated(b):
		return Value{Base: Scratch}
	case !j.both || a.Base == Unknown || b.Base == Unknown || a.Base == Outside || b.Base == Outside:
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
	if r == j.fp && v.Base == Unknown && j.isOutside(a) && j.isOutside(b) {
		v.Base = Outside
	}
	return v
}

// isOutside reports whether a value of FP is no address that the function has computed from SP.
func (j joiner) isOutside(v Value) bool {
	return v.Base == Outside || v.from(j.fp) && v.Off == 0 || j.isUnrelated(v)
}

// address joins addresses in the stack.
func (j joiner) address(a, b Value) Value {
	switch {
	case !j.both && !j.stack || a.Base != Moving && b.Base != Moving:
		return Value{Base: Stack}
	case a.Base != Moving && a.Base != CFA || b.Base != Moving && b.Base != CFA:
		return Value{Base: Moving}
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

// slot is a word of the stack.
type slot struct {
	base Base   // CFA, Aligned, or Entry: a word of the shadow stack
	at   uint32 // Aligned: as in a Value
	off  int64
	by   int32 // the instruction that stored it
	v    Value
}

// maxSlots bounds the slots of a state. Those beyond are not followed.
const maxSlots = budget.TrackSlots

// state is the abstract state before an instruction.
type state struct {
	regs [insn.MaxRegs]Value
	by   [insn.MaxRegs]int32 // the instructions that last set them; -1: the entry
	// slots are those words whose value differs from that of others at their place: words
	// of the frame (from floor to the CFA) are Other, and all else is Unknown.
	slots []slot
	floor int64
	// dead is the offset from the CFA below which a callee had the stack: words there that are not in
	// slots are Scratch. The call is deadBy.
	dead   int64
	deadBy int32
	// args says that the words of the caller have arguments.
	args bool
	// weak says that there is no other way here than over a call that may not return, or by
	// a guess.
	weak bool
	cmp  compare
	// guess says that the only way here is a jump table whose size is not known: nothing is
	// judged.
	guess bool
	// inner is, in code that a call in the same function leads to, where the CFA would be of a function that starts
	// there, an offset from the CFA; 0 in other code. A row may describe either frame.
	inner int64
	// bound is the number of entries of a table that is looked up next, 0 if it is not known.
	bound int64
}

// compare is the last comparison.
type compare struct {
	dst, src insn.Reg
	imm      int64
	at       int32 // the instruction; -1: none
}

func (s *state) copyFrom(o *state, n int) {
	slots := append(s.slots[:0], o.slots...)
	copy(s.regs[:n], o.regs[:n])
	copy(s.by[:n], o.by[:n])
	s.slots, s.floor, s.dead, s.args, s.deadBy, s.weak, s.guess, s.inner, s.cmp, s.bound = slots, o.floor, o.dead, o.args, o.deadBy, o.weak, o.guess, o.inner, o.cmp, o.bound
}

// rank orders states by how certain it is that they are reached, 0 for the most.
func (s *state) rank() int {
	switch {
	case s.guess:
		return 2
	case s.weak:
		return 1
	}
	return 0
}

// forgetAll makes everything unknown.
func (s *state) forgetAll() {
	clear(s.regs[:])
	s.slots, s.floor, s.dead, s.args, s.inner, s.cmp.at, s.bound = s.slots[:0], 0, nowhere, false, 0, -1, 0
}

// nowhere is an offset from the CFA that is below the stack.
const nowhere = -1 << 40

// merge joins another state into s and reports whether s changed.
func (s *state) merge(o *state, n int, by joiner) bool {
	changed := false
	for i := range s.regs[:n] {
		if s.regs[i] != o.regs[i] {
			if v := by.register(insn.Reg(i), s.regs[i], o.regs[i]); v != s.regs[i] {
				s.regs[i], changed = v, true
				if s.by[i] < 0 {
					s.by[i] = o.by[i]
				}
			}
		}
	}
	return s.mergeSlots(o, by) || changed
}

// mergeSlots joins the slots of another state into those of s.
func (s *state) mergeSlots(o *state, by joiner) bool {
	if s.floor == o.floor && s.dead == o.dead && s.args == o.args && sameSlots(s.slots, o.slots) {
		return false
	}
	changed := false
	floor, dead := max(s.floor, o.floor), min(s.dead, o.dead)
	k := 0 // the slots of s before it are before p
	for i := range o.slots {
		p := &o.slots[i]
		for k < len(s.slots) && s.slots[k].before(p) {
			k++
		}
		if k < len(s.slots) && !p.before(&s.slots[k]) {
			continue
		}
		here := s.absent(p.base, p.off)
		if v := by.join(here, p.v); v != here {
			s.put(slot{p.base, p.at, p.off, p.by, v})
			k = max(k-1, 0) // put may have removed one
			changed = true
		}
	}
	j := 0
	for i := range s.slots {
		p := &s.slots[i]
		for j < len(o.slots) && o.slots[j].before(p) {
			j++
		}
		var there Value
		if j < len(o.slots) && !p.before(&o.slots[j]) {
			there = o.slots[j].v
		} else {
			there = o.absent(p.base, p.off)
		}
		if v := by.join(p.v, there); v != p.v {
			p.v, changed = v, true
		}
	}
	if args := s.args && o.args; floor != s.floor || dead != s.dead || args != s.args {
		s.floor, s.dead, s.args, changed = floor, dead, args, true
	}
	s.trim()
	return changed
}

// before reports whether a slot is before another in the slots of a state.
func (p *slot) before(q *slot) bool {
	if p.base != q.base {
		return p.base < q.base
	}
	if p.at != q.at {
		return p.at < q.at
	}
	return p.off < q.off
}

// sameSlots reports whether words of the stack have the same values.
func sameSlots(a, b []slot) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		p, q := &a[i], &b[i]
		if p.off != q.off || p.v != q.v || p.base != q.base || p.at != q.at {
			return false
		}
	}
	return true
}

// saved reports whether a word of the stack has what a register had on entry.
func (s *state) saved(r insn.Reg) bool {
	return slices.ContainsFunc(s.slots, func(p slot) bool { return p.v.from(r) })
}

// trim removes slots that have the value of others at their place.
func (s *state) trim() {
	n := 0
	for i := range s.slots {
		if p := &s.slots[i]; p.v != s.absent(p.base, p.off) {
			s.slots[n] = *p
			n++
		}
	}
	s.slots = s.slots[:n]
}

// absent is the value of words that are not in slots.
func (s *state) absent(base Base, off int64) Value {
	switch {
	case base != CFA:
	case off < s.dead:
		return Value{Base: Scratch}
	case off >= s.floor && off < 0:
		return Value{Base: Other}
	case off >= 0 && s.args:
		return Value{Base: Varying}
	}
	return Value{}
}

// find returns the index of a slot, or where it would be.
func (s *state) find(base Base, at uint32, off int64) (int, bool) {
	for i := range s.slots {
		p := &s.slots[i]
		if p.base != base || p.at != at {
			if base < p.base || base == p.base && at < p.at {
				return i, false
			}
			continue
		}
		if p.off >= off {
			return i, p.off == off
		}
	}
	return len(s.slots), false
}

// put sets a slot.
func (s *state) put(p slot) {
	i, ok := s.find(p.base, p.at, p.off)
	if ok {
		s.slots[i] = p
		return
	}
	if len(s.slots) >= maxSlots && !s.evict(&i) {
		if p.v.plain() && s.absent(p.base, p.off).Base == Other {
			return // the place of a table is forgotten
		}
		// No value is claimed for what there is no room for.
		if p.base == CFA {
			s.floor = max(s.floor, min(p.off+8, 0))
			s.dead = min(s.dead, p.off)
		}
		return
	}
	s.slots = append(s.slots, slot{})
	copy(s.slots[i+1:], s.slots[i:])
	s.slots[i] = p
}

// evict removes a slot whose value is no more than a table, to make room for one at index i.
func (s *state) evict(i *int) bool {
	for k := range s.slots {
		if p := &s.slots[k]; p.v.plain() && s.absent(p.base, p.off).Base == Other {
			s.slots = append(s.slots[:k], s.slots[k+1:]...)
			if k < *i {
				*i--
			}
			return true
		}
	}
	return false
}

// word returns the value of a word of the stack, and the instruction that stored it.
func (s *state) word(base Base, at uint32, off int64) (Value, int32) {
	if i, ok := s.find(base, at, off); ok {
		return s.slots[i].v, s.slots[i].by
	}
	switch {
	case base == CFA && off < s.dead:
		return s.absent(base, off), s.deadBy
	case base == Aligned && off < 0 && s.floor == nowhere: // no callee and no store may have been there
		return Value{Base: Other}, -1
	}
	return s.absent(base, off), -1
}

// erase removes the slots that have any of n bytes. Words of which bytes are left have another
// value.
func (s *state) erase(base Base, at uint32, off, n int64, by int32) {
	for i := 0; i < len(s.slots); i++ {
		p := &s.slots[i]
		if p.base != base || p.at != at || p.off+8 <= off || p.off >= off+n {
			continue
		}
		if other := (Value{Base: Other}); s.absent(base, p.off) != other {
			p.v, p.by = other, by
			continue
		}
		s.slots = append(s.slots[:i], s.slots[i+1:]...)
		i--
	}
}

// forgetBelow makes the words below an offset from the CFA unknown, but keeps those from one to another.
func (s *state) forgetBelow(off, from, to int64) {
	n := 0
	for _, p := range s.slots {
		if p.base != CFA || p.off >= off || p.off >= from && p.off < to {
			s.slots[n] = p
			n++
		}
	}
	s.slots = s.slots[:n]
	s.floor = max(s.floor, min(off, 0))
}

// clipAligned makes the words below an offset from an aligned SP unknown.
func (s *state) clipAligned(at uint32, off int64) {
	n := 0
	for _, p := range s.slots {
		if p.base != Aligned || p.at != at || p.off >= off {
			s.slots[n] = p
			n++
		}
	}
	s.slots = s.slots[:n]
}
