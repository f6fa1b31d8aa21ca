// Package witness replays the instructions on one path from a function's entry, and tests one rule of a row at the
// end of the path. It follows only straight lines. It tests findings of package proof and shares no code with that
// package. A finding is an error only if the replay computes a definite value that differs from the rule's value.
package witness

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// Insn is an instruction on a path.
type Insn struct {
	PC     uint64
	Code   []byte
	Way    insn.Way // the way that a branch takes
	Enters bool     // the next instruction is in the callee of this call
	Moves  bool     // the conditional move takes place
	Pushed int64    // bytes of arguments that the unwinder removes, because the call throws
}

// Kind is the kind of a value.
type Kind uint8

// The kinds of values. Nothing follows from an Unknown value.
const (
	Unknown Kind = iota
	Frame        // SP on entry + Off
	Initial      // the value of Reg on entry + Off; the return address if Reg is RA's register
	Made         // computed by an instruction or a callee, and not a copy of another kind
	Number       // the constant Off
	Aligned      // SP, rounded down by the instruction at By, + Off
	Lower        // SP on entry, changed by an amount that depends on an argument
	Moved        // SP on entry + Off, with an amount that is not known added or, if it is Signed, subtracted
	Near         // another address in the stack
	Never        // a word of the frame in which nothing was stored
)

// Value is a value on a path.
type Value struct {
	Kind         Kind
	Reg          insn.Reg
	Off          int64
	By           uint64 // the instruction that computed the value
	Signed, KeyB bool
	varies       bool  // Made: it comes of an argument
	align, from  int64 // Aligned: to how many bytes, and from where
}

// Step is the value of a rule's base after an instruction that changes this value. The first step has the value on
// entry.
type Step struct {
	PC    uint64
	Value Value
}

// Rule is the rule to test at the end of a path.
type Rule struct {
	model.Recovery
	// Of is the register that the rule recovers for the caller. If Of is SP, the rule gives the CFA.
	Of           insn.Reg
	Signs        bool // the rule is about the pointer authentication code of RA
	Signed, KeyB bool
}

// Machine holds the values of registers and words on a path.
type Machine struct {
	*insn.Machine
	abi   model.ABIInfo
	sp    insn.Reg
	onSP  bool            // the return address is at SP on entry
	regs  [256]Value      // that of NoReg is Unknown
	words map[Value]Value // by address
	saved map[Value]bool  // words of an aligned stack that were pushed
	part  bool
	bound insn.Reg // what SP was compared with last
	moves bool     // conditional moves are made
}

// New returns a machine at the entry of a function. With part set, the code is a later part of a function: only SP is
// known, and SP is down bytes lower than on entry. A machine for an ABI whose instructions are not known refutes
// nothing.
func New(abi model.ABIInfo, part bool, down int64) *Machine {
	m := &Machine{Machine: insn.Of(abi.Machine), abi: abi, sp: insn.Reg(abi.SP), onSP: !abi.TracksRA(), words: map[Value]Value{}, saved: map[Value]bool{}, part: part}
	if m.Machine == nil {
		return m
	}
	if m.onSP {
		m.words[Value{Kind: Frame}] = Value{Kind: Initial, Reg: insn.Reg(abi.RA)}
	}
	for r := 0; r < m.Regs && !part; r++ {
		m.regs[r] = Value{Kind: Initial, Reg: insn.Reg(r), varies: m.Args>>r&1 != 0}
	}
	m.regs[m.sp], m.bound = Value{Kind: Frame, Off: -down}, insn.NoReg
	return m
}

// Replay executes a path and reports whether the rule gives a wrong value at the end. The steps show how the value of
// the rule's base changed. The CFA is cfa bytes above SP on entry.
func (m *Machine) Replay(path []Insn, rule Rule, cfa int64) (steps []Step, refuted bool) {
	if m.Machine == nil {
		return nil, false
	}
	last, in := m.base(rule, cfa), insn.Insn{}
	steps = append(steps, Step{Value: last})
	for _, i := range path {
		if m.Decode(i.Code, i.PC, &in); in.Flow == insn.Bad {
			return nil, false
		}
		m.moves = i.Moves
		for k := range in.Ops[:in.N] {
			m.do(&in.Ops[k], i.PC)
		}
		bound := m.regs[m.bound]
		switch {
		case i.Enters && m.onSP:
			m.regs[m.sp] = addOffset(m.regs[m.sp], -8)
			m.store(m.regs[m.sp], Value{Kind: Made, By: i.PC}, 8)
		case in.Calls() && !i.Enters:
			m.call(i)
		case in.Flow == insn.Branch && in.Equal == i.Way && (bound.Kind == Frame || bound.Kind == Lower):
			m.regs[m.sp] = bound // a loop that moves SP ends
		}
		if v := m.base(rule, cfa); v != last {
			steps, last = append(steps, Step{i.PC, v}), v
		}
	}
	return steps, m.refutes(rule, last, cfa)
}

// base returns the value that a rule counts from, or that the place has which it names.
func (m *Machine) base(rule Rule, cfa int64) Value {
	switch {
	case rule.Kind == model.Unchanged:
		return m.regs[rule.Of]
	case rule.Kind == model.FromCFA && rule.Deref:
		return m.load(Value{Kind: Frame, Off: cfa + rule.Offset}, 0)
	case rule.Kind != model.InRegister || rule.Reg >= insn.MaxRegs:
		return Value{}
	case rule.Deref:
		return m.load(addOffset(m.regs[rule.Reg], rule.Offset), 0)
	}
	return m.regs[rule.Reg]
}

// refutes reports whether a rule that counts from a value is wrong.
func (m *Machine) refutes(rule Rule, v Value, cfa int64) bool {
	above := cfa - v.Off // how far the base has to be above SP on entry
	if !rule.Deref {
		above -= rule.Offset
	}
	switch ofCFA := rule.Of == m.sp; {
	case v.Kind == Unknown, ofCFA && v.Kind == Near:
		return false
	case ofCFA && v.Kind == Frame:
		return above != 0
	case ofCFA && v.Kind == Aligned:
		return v.align > 16 || above > v.from || above <= v.from-v.align
	case ofCFA && v.Kind == Moved:
		return above == 0 || above > 0 && v.Signed
	case v.Kind == Initial && v.Reg == rule.Of && v.Off == 0:
		return rule.Signs && (v.Signed != rule.Signed || v.Signed && v.KeyB != rule.KeyB)
	}
	return !rule.Signs
}

// addOffset returns v + n.
func addOffset(v Value, n int64) Value {
	if v.Kind == Frame || v.Kind == Initial || v.Kind == Aligned || v.Kind == Number || v.Kind == Moved {
		v.Off += n
	}
	return v
}

// inStack reports whether a value is an address in the stack.
func (v Value) inStack() bool { return v.Kind == Frame || v.Kind >= Aligned && v.Kind <= Near }

// plain reports whether a value is neither an address in the stack nor one that a caller needs.
func (m *Machine) plain(v Value) bool {
	return v.Kind == Made || v.Kind == Number || v.Kind == Initial && uint32(v.Reg) != m.abi.RA && uint32(v.Reg) != m.abi.FP
}

// inShadow reports whether an address is in a stack of return addresses besides that of SP.
func (m *Machine) inShadow(at Value) bool { return at.Kind == Initial && at.Reg == m.Shadow }

// load returns the word at an address.
func (m *Machine) load(at Value, by uint64) Value {
	v, ok := m.words[at]
	switch {
	case ok:
		return v
	case at.Kind == Frame && at.Off >= m.abi.EntryCFA: // an argument
		return Value{Kind: Made, By: by, varies: true}
	case (at.Kind == Frame || at.Kind == Aligned && at.Off < 0) && !m.part:
		return Value{Kind: Never}
	case at.Kind == Unknown || at.inStack() || m.inShadow(at):
		return Value{}
	}
	return Value{Kind: Made, By: by, varies: at.varies}
}

// store sets n bytes at an address. Words that are overwritten in part have no value that is known.
func (m *Machine) store(at, v Value, n int64) {
	if at.Kind != Frame && at.Kind != Aligned && at.Kind != Initial {
		return
	}
	for q := addOffset(at, -7); q.Off < at.Off+n; q.Off++ {
		if _, ok := m.words[q]; ok {
			m.words[q] = Value{Kind: Made}
			if v.Kind == Unknown {
				m.words[q] = v
			}
		}
	}
	if n == 8 || v.varies {
		m.words[at] = v
	}
}

// do executes an effect of the instruction at pc.
func (m *Machine) do(o *insn.Op, pc uint64) {
	made, src, dst := Value{Kind: Made, By: pc}, m.regs[o.Src], m.regs[o.Dst]
	v := made
	switch o.Do {
	case insn.Limit:
		return
	case insn.Compare:
		if m.bound = insn.NoReg; o.Dst == m.sp {
			m.bound = o.Src
		} else if o.Src == m.sp {
			m.bound = o.Dst
		}
		return
	case insn.Forget:
		if v = (Value{}); o.Unsigned && m.plain(m.regs[insn.Vectors]) {
			v = made
		}
		if o.Src != insn.NoReg && m.plain(src) {
			v = made
		}
		m.store(addOffset(dst, o.Off), v, int64(o.Size))
		return
	case insn.Fill:
		if src.Kind == Number && src.Off > 0 && src.Off <= insn.MaxFill {
			m.store(addOffset(dst, o.Off), made, src.Off*int64(o.Size))
		}
		return
	case insn.Store:
		n := int64(8)
		if o.Size != 0 {
			made.varies = o.Src != insn.NoReg && src.varies
			src, n = made, int64(o.Size)
		}
		at := addOffset(dst, o.Off)
		m.store(at, src, n)
		m.saved[at] = at.Kind == Aligned && o.Dst == m.sp && o.Off < 0
		return
	case insn.Clobber:
		v.varies = o.Off == insn.Varies
	case insn.Derive:
		if v.varies = src.varies || m.regs[o.Off].varies; src.inStack() || m.regs[o.Off].inStack() {
			v.Kind = Near
		}
	case insn.Element:
	case insn.Move:
		v = addOffset(src, o.Off)
	case insn.Load:
		if v = m.load(addOffset(src, o.Off), pc); o.Size != 0 {
			made.varies = v.varies
			if v.inStack() {
				made.Kind = Near
			}
			v = made
		}
	case insn.Lose:
		v = Value{}
	case insn.Either:
		if o.Src == insn.NoReg {
			src = made
		} else if o.Size != 0 {
			src = m.load(addOffset(src, o.Off), pc)
		}
		v.varies = src.varies || dst.varies
		if src == dst || m.moves {
			v = src
		} else if !m.plain(src) || !m.plain(dst) {
			v = Value{}
		}
	case insn.Sign, insn.Auth, insn.Strip:
		v = dst
		v.Signed, v.KeyB = o.Do == insn.Sign, o.Do == insn.Sign && o.Off != 0
	case insn.Const:
		v.Kind, v.Off = Number, o.Off
	case insn.Insert:
		if dst.Kind == Number {
			v.Kind, v.Off = Number, dst.Off&^(0xffff<<o.Src)|o.Off<<o.Src
		}
	default:
		v = m.compute(o, dst, src, made)
	}
	m.regs[o.Dst] = v
}

// compute returns the result of arithmetic.
func (m *Machine) compute(o *insn.Op, dst, src, made Value) Value {
	number := src.Kind == Number && dst.inStack() && o.Off >= 0 && o.Off < 32
	made.varies = dst.varies || src.varies
	switch {
	case o.Do == insn.Add && number:
		return addOffset(dst, src.Off<<uint(o.Off))
	case o.Do == insn.Sub && number:
		return addOffset(dst, -src.Off<<uint(o.Off))
	case o.Do == insn.Align && dst.Kind == Frame:
		return Value{Kind: Aligned, By: made.By, align: -o.Off, from: dst.Off}
	case o.Do == insn.Align && dst.Kind == Lower:
		return dst
	case dst.inStack() && (src.varies || o.Off == insn.Varies && o.Do == insn.Mix) && (o.Do != insn.Mix || o.Off != 1), o.Do != insn.Sub && src.inStack() && dst.varies:
		return Value{Kind: Lower, By: made.By}
	case (o.Do == insn.Add || o.Do == insn.Sub) && dst.Kind == Frame && m.plain(src):
		return Value{Kind: Moved, Off: dst.Off, By: made.By, Signed: o.Do == insn.Sub}
	case o.Do == insn.Add && src.Kind == Frame && m.plain(dst):
		return Value{Kind: Moved, Off: src.Off, By: made.By}
	case o.Do == insn.Mix && (dst.inStack() || src.inStack()), dst.inStack() != src.inStack():
		return Value{Kind: Near, By: made.By}
	case dst.inStack(), dst.Kind == Unknown, src.Kind == Unknown && o.Src != insn.NoReg && o.Do != insn.Align && o.Do != insn.Scale:
		return Value{}
	}
	return made
}

// call makes what a callee may change a value of the callee's, if it returns.
func (m *Machine) call(i Insn) {
	made := Value{Kind: Made, By: i.PC}
	for r := range insn.MaxRegs {
		if m.Saved>>r&1 == 0 {
			m.regs[r] = made
		}
	}
	sp := addOffset(m.regs[m.sp], i.Pushed)
	m.regs[m.sp] = sp
	for p, v := range m.words {
		off := p.Off - sp.Off
		own := addOffset(sp, off) == p
		if own && (off < 0 || m.Keep > 0 && off >= m.Keep && off < m.abi.EntryCFA) { // its own, or the save area
			m.words[p] = made
		} else if p.Kind == Initial {
			if !own && !m.inShadow(p) {
				m.words[p] = Value{}
			}
		} else if v.inStack() && !m.saved[p] && (p.Kind != Frame || p.Off < 0 || v != Value{Kind: Frame}) {
			m.words[p] = Value{} // the callee may have its address; it has not that of SP in the save area of the caller
		}
	}
}
