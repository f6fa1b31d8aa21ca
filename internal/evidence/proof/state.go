package proof

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// slot is a word of the stack.
type slot struct {
	base Base   // CFA, Aligned, or Entry: a word of the shadow stack, or of another one
	at   uint32 // Aligned: as in a Value; Entry: 0, or see place
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
	// low is the offset from an aligned SP from which on words below it are Other unless they are in slots.
	low int64
	// dead is the offset from the CFA below which a callee had the stack: words there that are not in
	// slots are Scratch. The call is deadBy.
	dead   int64
	deadBy int32
	// args says that the words of the caller have arguments.
	args bool
	// wrote says that what arguments point to may have a value that the function has stored, and that does not vary.
	wrote bool
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
	s.slots, s.floor, s.low, s.dead, s.args, s.wrote, s.deadBy, s.weak, s.guess, s.inner, s.cmp, s.bound = slots, o.floor, o.low, o.dead, o.args, o.wrote, o.deadBy, o.weak, o.guess, o.inner, o.cmp, o.bound
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
	s.slots, s.floor, s.low, s.dead, s.args, s.inner, s.cmp.at, s.bound = s.slots[:0], 0, 0, nowhere, false, 0, -1, 0
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
	if s.floor == o.floor && s.low == o.low && s.dead == o.dead && s.args == o.args && s.wrote == o.wrote && sameSlots(s.slots, o.slots) {
		return false
	}
	changed := false
	floor, low, dead := max(s.floor, o.floor), max(s.low, o.low), min(s.dead, o.dead)
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
	if args, wrote := s.args && o.args, s.wrote || o.wrote; floor != s.floor || low != s.low || dead != s.dead || args != s.args || wrote != s.wrote {
		s.floor, s.low, s.dead, s.args, s.wrote, changed = floor, low, dead, args, wrote, true
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
	case base == Aligned && off >= s.low && off < 0:
		return another
	case base != CFA:
	case off < s.dead:
		return Value{Base: Scratch}
	case off >= s.floor && off < 0:
		return another
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
		} else {
			s.low = max(s.low, p.off+8)
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
	if base == CFA && off < s.dead {
		return s.absent(base, off), s.deadBy
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
		if s.absent(base, p.off) != another {
			p.v, p.by = another, by
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
	s.low = max(s.low, off)
	for _, p := range s.slots {
		if p.base != Aligned || p.at != at || p.off >= off {
			s.slots[n] = p
			n++
		}
	}
	s.slots = s.slots[:n]
}
