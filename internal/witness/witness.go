// Package witness replays the instructions of one path through a function, from its entry on, and judges one rule of a
// row at the end of the path. It follows straight lines only, and shares no code with package proof, whose findings it
// checks: a finding without a definite value that differs is not an error.
package witness

import (
	"github.com/sframe-lint/sframe-lint/internal/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// Insn is an instruction on a path.
type Insn struct {
	PC   uint64
	Code []byte
	Way  Way
	// Pushed is the number of bytes of arguments that the unwinder removes where a call throws.
	Pushed int64
}

// Way is how a call leads to the next instruction of a path. It means nothing for other instructions.
type Way uint8

// Ways.
const (
	Returns Way = iota // the callee returns
	Enters             // the callee is the next instruction
	Throws             // the callee throws an exception, of which the next instruction is the landing pad
)

// Kind is what a value is known to be.
type Kind uint8

// Kinds. A value that is Unknown proves nothing.
const (
	Unknown Kind = iota
	Frame        // SP on entry + Off
	Initial      // the value of Reg on entry + Off; for the register of RA, the return address
	Made         // a result that an instruction or a callee has made: no copy of any of these
	Aligned      // SP, rounded down by the instruction at By, + Off
	Lower        // SP on entry, less an amount that comes of an argument
	Near         // another address in the stack
	Never        // a word of the frame that nothing was stored in
)

// Value is a value on a path.
type Value struct {
	Kind         Kind
	Reg          insn.Reg
	Off          int64
	By           uint64 // the instruction that made it
	Signed, KeyB bool
	varies       bool  // Made: it comes of an argument
	align, from  int64 // Aligned: to how many bytes, and from where
}

// Step is the value of what a row counts from after an instruction that changes it. The first one is that on entry.
type Step struct {
	PC    uint64
	Value Value
}

// Rule is what a path is held against.
type Rule struct {
	model.Recovery
	// Of is the register whose value for the caller the rule gives; the CFA if it is that of SP.
	Of           insn.Reg
	Signs        bool // the rule is about the pointer authentication code of RA
	Signed, KeyB bool
}

// place is a word of the stack.
type place struct {
	kind Kind // Frame, Aligned, or Initial: that of a shadow stack
	by   uint64
	off  int64
}

// Machine has the values on a path.
type Machine struct {
	abi    model.ABIInfo
	decode insn.Decoder
	sp, ra insn.Reg
	kept   uint32 // registers that a callee keeps
	args   uint32 // registers that have arguments
	regs   [insn.MaxRegs]Value
	words  map[place]Value
	part   bool
	equal  [2]insn.Reg // the registers of the last comparison, if SP is one
	in     insn.Insn
}

// New returns a machine at the entry of a function. At the start of a part of one, of which only SP is known, SP is
// down bytes lower than on entry.
func New(abi model.ABIInfo, part bool, down int64) *Machine {
	m := &Machine{abi: abi, decode: insn.For(abi.Machine), sp: insn.Reg(abi.SP), ra: insn.Reg(abi.RA), words: map[place]Value{}, part: part}
	switch {
	case m.onSP():
		m.kept, m.args = 0xf0c8|1<<insn.Vectors, 0x336 // rbx, rbp, rsp, r12 to r15; rcx, rdx, rsi, rdi, r8, r9
		m.words[place{kind: Frame}] = Value{Kind: Initial, Reg: m.ra}
		m.regs[insn.Vectors].Kind = Made
	case abi.Pauth:
		m.kept, m.args = 0xbffc0000, 0x1ff // x18 to x29, sp; x0 to x8
	default:
		m.kept, m.args = 0xff00bfc0, 0x7c // r6 to r13, r15, f8 to f15; r2 to r6
	}
	for r := range m.regs {
		if !part && !(m.onSP() && r >= 16) {
			m.regs[r] = Value{Kind: Initial, Reg: insn.Reg(r), varies: m.args>>r&1 != 0}
		}
	}
	m.regs[m.sp] = Value{Kind: Frame, Off: -down}
	return m
}

// onSP reports whether the return address is at SP on entry.
func (m *Machine) onSP() bool { return !m.abi.TracksRA() }

// Replay executes a path to an address, and reports whether the rule gives another value there than the right one, with
// how what it counts from came about. The CFA is cfa bytes above SP on entry.
func (m *Machine) Replay(path []Insn, end uint64, rule Rule, cfa int64) (steps []Step, refuted bool) {
	last := m.base(rule, cfa)
	for n, i := range path {
		if n == 0 {
			steps = append(steps, Step{i.PC, last})
		}
		if m.decode(i.Code, i.PC, &m.in); int(m.in.Len) != len(i.Code) || m.in.Flow == insn.Bad {
			return nil, false
		}
		for k := range m.in.Ops[:m.in.N] {
			m.do(&m.in.Ops[k], i.PC)
		}
		if m.in.Flow == insn.Call || m.in.Flow == insn.IndirectCall {
			m.call(i)
		}
		if m.in.Flow == insn.Branch {
			next := end
			if n+1 < len(path) {
				next = path[n+1].PC
			}
			m.bounded(next == i.PC+uint64(m.in.Len))
		}
		if v := m.base(rule, cfa); v != last {
			steps, last = append(steps, Step{i.PC, v}), v
		}
	}
	return steps, m.refutes(rule, cfa)
}

// base returns the value that a rule counts from, or that the place has which it names.
func (m *Machine) base(rule Rule, cfa int64) Value {
	var at Value
	switch {
	case rule.Kind == model.Unchanged && rule.Of < insn.MaxRegs && !(m.onSP() && rule.Of == m.ra):
		return m.regs[rule.Of]
	case rule.Kind == model.FromCFA && rule.Deref:
		at = Value{Kind: Frame, Off: cfa}
	case rule.Kind == model.InRegister && rule.Reg < insn.MaxRegs:
		if at = m.regs[rule.Reg]; !rule.Deref {
			return at
		}
	default:
		return at
	}
	return m.load(plus(at, rule.Offset), 0)
}

// refutes reports whether a rule is wrong.
func (m *Machine) refutes(rule Rule, cfa int64) bool {
	v := m.base(rule, cfa)
	if rule.Of == m.sp {
		off := rule.Offset
		if rule.Deref {
			off = 0
		}
		switch v.Kind {
		case Frame:
			return v.Off+off != cfa
		case Aligned:
			above := cfa - off - v.Off // how far the aligned value has to be above SP on entry
			return v.align > 16 || above > v.from || above <= v.from-v.align
		}
		return v.Kind != Unknown && v.Kind != Near
	}
	if v.Kind == Initial && v.Reg == rule.Of && v.Off == 0 {
		return rule.Signs && (v.Signed != rule.Signed || v.Signed && v.KeyB != rule.KeyB)
	}
	return v.Kind != Unknown && !rule.Signs
}

// plus returns v + n.
func plus(v Value, n int64) Value {
	switch v.Kind {
	case Frame, Initial, Aligned:
		v.Off += n
	case Made:
		if v.Reg == insn.NoReg {
			v.Off += n
		}
	}
	return v
}

// key returns the word at an address, if it is one of the stack.
func (m *Machine) key(at Value) (p place, ok bool) {
	switch {
	case at.Kind == Frame, at.Kind == Initial && m.abi.Pauth && at.Reg == shadow:
		return place{kind: at.Kind, off: at.Off}, true
	case at.Kind == Aligned:
		return place{Aligned, at.By, at.Off}, true
	}
	return p, false
}

// shadow is the register of AArch64 that points to a stack of return addresses.
const shadow insn.Reg = 18

// load returns the word at an address.
func (m *Machine) load(at Value, by uint64) Value {
	p, ok := m.key(at)
	switch {
	case !ok && (at.Kind == Unknown || at.inStack()), p.kind == Initial && m.words[p].Kind == Unknown:
		return Value{}
	case !ok:
		return Value{Kind: Made, By: by, varies: at.varies || at.Kind == Made && at.varies}
	}
	if v, ok := m.words[p]; ok {
		return v
	}
	switch {
	case at.Kind == Frame && at.Off >= m.abi.EntryCFA: // an argument
		return Value{Kind: Made, By: by, varies: true}
	case m.part || at.Kind == Aligned:
		return Value{}
	}
	return Value{Kind: Never}
}

// store sets n bytes at an address. Words that are overwritten in part have no value that is known.
func (m *Machine) store(at, v Value, n int64) {
	p, ok := m.key(at)
	if !ok {
		return
	}
	for q := (place{p.kind, p.by, p.off - 7}); q.off < p.off+n; q.off++ {
		if _, ok := m.words[q]; ok {
			m.words[q] = Value{Kind: Made}
			if v.Kind == Unknown {
				m.words[q] = v
			}
		}
	}
	if n == 8 {
		m.words[p] = v
	}
}

// do executes an effect of the instruction at pc.
func (m *Machine) do(o *insn.Op, pc uint64) {
	made := Value{Kind: Made, By: pc}
	set := func(v Value) { m.regs[o.Dst] = v }
	var src Value
	if o.Src < insn.MaxRegs && o.Do != insn.Insert {
		src = m.regs[o.Src]
	}
	switch o.Do {
	case insn.Limit:
	case insn.Compare:
		if m.equal = [2]insn.Reg{o.Dst, o.Src}; o.Dst != m.sp && o.Src != m.sp {
			m.equal = [2]insn.Reg{insn.NoReg, insn.NoReg}
		}
	case insn.Move:
		set(plus(src, o.Off))
	case insn.Load:
		set(m.load(plus(src, o.Off), pc))
	case insn.Store:
		n := int64(8)
		if o.Src == insn.NoReg {
			src, n = made, int64(o.Size)
		}
		m.store(plus(m.regs[o.Dst], o.Off), src, n)
	case insn.Forget:
		m.store(plus(m.regs[o.Dst], o.Off), Value{}, int64(o.Size))
	case insn.Lose:
		set(Value{})
	case insn.Either:
		if o.Src == insn.NoReg {
			src = made
		}
		switch dst := m.regs[o.Dst]; {
		case src == dst:
		case m.plain(src) && m.plain(dst):
			set(made)
		default:
			set(Value{})
		}
	case insn.Sign, insn.Auth, insn.Strip:
		v := m.regs[o.Dst]
		v.Signed, v.KeyB = o.Do == insn.Sign, o.Do == insn.Sign && o.Off != 0
		set(v)
	case insn.Clobber, insn.Element:
		set(made)
	case insn.Const:
		made.Reg, made.Off = insn.NoReg, o.Off // a number
		set(made)
	case insn.Insert:
		switch v := m.regs[o.Dst]; {
		case v.Kind == Made && v.Reg == insn.NoReg:
			v.Off = v.Off&^(0xffff<<o.Src) | o.Off<<o.Src
			set(v)
		case o.Dst == m.sp:
			set(Value{})
		default:
			set(made)
		}
	default:
		set(m.compute(o, m.regs[o.Dst], src, made))
	}
}

// plain reports whether a value is neither an address in the stack nor one that a caller needs.
func (m *Machine) plain(v Value) bool {
	return v.Kind == Made || v.Kind == Initial && v.Reg != m.ra && v.Reg != insn.Reg(m.abi.FP)
}

// inStack reports whether a value is an address in the stack.
func (v Value) inStack() bool {
	return v.Kind == Frame || v.Kind == Aligned || v.Kind == Lower || v.Kind == Near
}

// compute returns the result of arithmetic.
func (m *Machine) compute(o *insn.Op, dst, src, made Value) Value {
	number := src.Kind == Made && src.Reg == insn.NoReg && o.Off >= 0 && o.Off < 32
	made.varies = dst.varies || src.varies
	switch {
	case o.Do == insn.Add && number && dst.inStack():
		return plus(dst, src.Off<<uint(o.Off))
	case o.Do == insn.Sub && number && dst.inStack():
		return plus(dst, -src.Off<<uint(o.Off))
	case o.Do == insn.Align && dst.Kind == Frame:
		return Value{Kind: Aligned, By: made.By, align: -o.Off, from: dst.Off}
	case o.Do == insn.Align && dst.Kind == Lower:
		return dst
	case o.Do == insn.Sub && dst.inStack() && src.varies:
		return Value{Kind: Lower, By: made.By}
	case o.Do == insn.Mix && (dst.inStack() || src.inStack()), dst.inStack() != src.inStack():
		return Value{Kind: Near, By: made.By}
	case dst.inStack(), dst.Kind == Unknown, src.Kind == Unknown && o.Src != insn.NoReg && o.Do != insn.Align && o.Do != insn.Scale:
		return Value{}
	}
	return made
}

// bounded uses that SP is equal to the register that it was compared with, on a way of a branch: a loop that moves SP
// ends there.
func (m *Machine) bounded(next bool) {
	to := insn.ToTarget
	if next {
		to = insn.ToNext
	}
	for k, r := range m.equal {
		if other := m.equal[1-k]; r == m.sp && m.in.Equal == to && other < insn.MaxRegs && (m.regs[other].Kind == Frame || m.regs[other].Kind == Lower) {
			m.regs[m.sp] = m.regs[other]
		}
	}
}

// call makes what a callee may change a value of the callee's, if it returns.
func (m *Machine) call(i Insn) {
	if i.Way == Enters {
		if m.onSP() {
			m.regs[m.sp] = plus(m.regs[m.sp], -8)
			m.store(m.regs[m.sp], Value{Kind: Made, By: i.PC}, 8)
		}
		return
	}
	sets := uint32(0)
	for k := range m.in.Ops[:m.in.N] {
		sets |= 1 << (m.in.Ops[k].Dst & 31)
	}
	for r := range m.regs {
		if (m.kept|sets)>>r&1 == 0 {
			m.regs[r] = Value{Kind: Made, By: i.PC}
		}
	}
	if i.Way == Throws {
		m.regs[m.sp] = plus(m.regs[m.sp], i.Pushed)
		if !m.onSP() && !m.abi.Pauth {
			m.regs[6], m.regs[7] = Value{}, Value{} // they have the exception
		}
	}
	sp, ok := m.key(m.regs[m.sp])
	for p, v := range m.words {
		if ok && p.kind == sp.kind && p.by == sp.by && m.theirs(p.off-sp.off) {
			m.words[p] = Value{Kind: Made, By: i.PC}
		} else if v.inStack() {
			m.words[p] = Value{} // the callee may have its address
		}
	}
}

// theirs reports whether a callee may use a word at an offset from the caller's SP.
func (m *Machine) theirs(off int64) bool {
	return off < 0 || !m.onSP() && !m.abi.Pauth && off >= 16 && off < m.abi.EntryCFA
}
