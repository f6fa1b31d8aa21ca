package cfi

import (
	"iter"

	"github.com/sframe-lint/sframe-lint/model"
)

// MaxRemembered is the maximum number of states that a program can remember at a time.
const MaxRemembered = 64

// Runner executes the programs of FDEs. Call [Runner.Reset] before use; the zero value is ready for it. Reusing a
// Runner avoids allocation. A Runner is not safe for concurrent use.
type Runner struct {
	s    *Section
	cie  *CIE
	c    cursor
	op   operation // the last one
	h    hint
	regs struct{ ra, fp, sp uint32 }
	now  state
	// stack are the remembered states.
	stack []state
	loc   uint64
	end   uint64 // of the code
	place uint32
	args  uint64 // see FDE.Pushed
	// base is the initial state, to which restored registers return.
	base     state
	inCIE    bool
	done     bool
	fault    Fault
	executed int64 // bytes of programs, of which nothing has been spent
}

// pay spends the work of what has been executed. It reports whether the budget allows more.
func (r *Runner) pay() bool {
	n := r.executed
	r.executed = 0
	return n == 0 || r.s.spend(n*byteSteps)
}

// Reset prepares the runner to execute the program of f. If f is not usable, the runner yields no rows.
func (r *Runner) Reset(f *FDE) {
	ok := r.pay()
	r.stack, r.fault, r.done, r.args = r.stack[:0], Fault{}, !f.Usable() || !ok, 0
	if r.done {
		return
	}
	r.prepare(f.s, f.CIE, f.Program)
	r.loc, r.end, r.place = f.Start.Addr, f.End(), f.Start.Place
	r.base, r.now, r.inCIE = f.CIE.start, f.CIE.start, false
	r.fault = f.CIE.startErr
}

func (r *Runner) prepare(s *Section, k *CIE, program model.Span) {
	r.s, r.cie = s, k
	r.c = newCursor(s.in.Data[:program.End()], int(program.Off), s.in.ABI.Big)
	r.regs.ra, r.regs.fp, r.regs.sp = k.RA, s.in.ABI.FP, s.in.ABI.SP
}

// initial executes the program of a CIE, and returns why that is not possible.
func (s *Section) initial(k *CIE) Fault {
	if k.Fault.Code != NoFault {
		return Fault{}
	}
	r := Runner{inCIE: true}
	r.prepare(s, k, k.Program)
	r.fault = k.startErr
	for r.c.Pos < len(r.c.B) && r.fault.Code == NoFault {
		at := r.c.Pos
		if r.step(at, &r.loc) && r.fault.Code == NoFault {
			r.fail(LocationInCIE, at, 0)
		}
	}
	if k.start, k.startErr = r.now, r.fault; r.fault.Code != NoFault {
		k.start = unknownState
	}
	return k.startErr
}

var unknownState = state{Rule{Kind: Unknown}, Rule{Kind: Unknown}, Rule{Kind: Unknown}, Rule{Kind: Unknown}, RAUnknown}

// Fault returns the fault that stopped the program. In this case, the last row that Next returned is Unknown, and
// covers the code from the fault to the end.
func (r *Runner) Fault() Fault { return r.fault }

// Next executes the program to the end of the next row, stores the row in *row, and reports whether there was a row.
// The rows are in order and cover the code of the FDE without gaps. Next leaves out empty rows, and rows at or after
// the end of the code.
func (r *Runner) Next(row *Row) bool {
	if r.done {
		return false
	}
	from := r.c.Pos
	next := r.end
	for r.fault.Code == NoFault && r.c.Pos < len(r.c.B) {
		if r.step(r.c.Pos, &next) && next > r.loc {
			break
		}
		next = r.end
	}
	if r.executed += int64(r.c.Pos - from); r.executed >= payStep && !r.pay() {
		r.done = true // nothing is said of the rest
		return false
	}
	if r.fault.Code != NoFault {
		r.now, next = unknownState, r.end
	}
	if next >= r.end {
		next, r.done = r.end, true
	}
	if next == r.loc {
		return false // a function without code
	}
	n := &r.now
	*row = Row{Start: r.loc, End: next, CFA: n.cfa, RA: n.ra, FP: n.fp, SP: n.sp, Sign: n.sign, Code: r.c.from(from)}
	r.loc = next
	return true
}

func (r *Runner) fail(code FaultCode, at int, got uint64) {
	if r.c.Bad {
		code, got = OperandTruncated, 0
		r.c.Pos = len(r.c.B)
	}
	r.fault = Fault{Code: code, Span: r.c.from(at), Got: got}
}

// step executes the instruction at at, the position. It reports whether that
// ends a row, and stores where in next.
func (r *Runner) step(at int, next *uint64) bool {
	o := &r.op
	r.c.operation(o, r.cie.DataAlign)
	switch o.op {
	case cfaNop:
	case cfaSetLoc:
		return r.setLoc(at, next)
	case cfaAdvanceLoc:
		return r.advance(at, uint64(o.n), next)
	case cfaRememberState:
		if len(r.stack) >= MaxRemembered {
			r.fail(StackTooDeep, at, uint64(len(r.stack)))
			return false
		}
		r.stack = append(r.stack, r.now)
	case cfaRestoreState:
		n := len(r.stack)
		if n == 0 {
			r.fail(StackEmpty, at, 0)
			return false
		}
		r.now, r.stack = r.stack[n-1], r.stack[:n-1]
	case cfaDefCFA, cfaDefCFARegister, cfaDefCFAOffset, cfaDefCFAExpression:
		r.defCFA(at)
	case cfaRegister:
		o.rule = Rule{Kind: Register, Reg: uint32(o.n)}
		if n := uint64(o.n); n > 1<<32-1 {
			r.fail(RegisterTooLarge, at, n)
		} else {
			r.set(at)
		}
	case cfaOffset, cfaGNUNegativeOffsetExtended, cfaValOffset, cfaUndefined, cfaSameValue, cfaExpression, cfaValExpression:
		r.set(at)
	case cfaRestore:
		if r.assign(r.base.ra, r.base.fp, r.base.sp) {
			r.now.sign = r.base.sign
		}
	case cfaGNUArgsSize:
		r.args = uint64(o.n)
	default:
		if !r.s.in.ABI.Pauth || !r.signature(o.op) {
			r.fail(OpcodeUnknown, at, uint64(o.op))
		}
	}
	return r.check(at)
}

// check reports an instruction that was cut off. It returns false, as such
// instructions end no row.
func (r *Runner) check(at int) bool {
	if r.c.Bad && r.fault.Code == NoFault {
		r.fail(OperandTruncated, at, 0)
	}
	return false
}

// advance ends a row. The CIE's CodeAlign scales delta.
func (r *Runner) advance(at int, delta uint64, next *uint64) bool {
	by := delta * r.cie.CodeAlign
	to := r.loc + by
	switch {
	case r.c.Bad:
		r.fail(OperandTruncated, at, 0)
		return false
	case to < r.loc || delta != 0 && by/delta != r.cie.CodeAlign:
		r.fail(LocationWraps, at, by)
		return false
	}
	*next = to
	return true
}

func (r *Runner) setLoc(at int, next *uint64) bool {
	p := r.s.pointer(&r.c, r.cie.Pointers, Pointer{Addr: r.loc, OK: true}, &r.h)
	switch {
	case r.c.Bad:
		r.fail(OperandTruncated, at, 0)
	case !p.OK || p.Place != r.place:
		r.fail(LocationUnresolved, at, p.Addr)
	case p.Addr < r.loc:
		r.fail(LocationBackwards, at, p.Addr)
	default:
		*next = p.Addr
		return true
	}
	return false
}

// defCFA executes the instructions that define the CFA. Those that change one
// part of a register rule are undefined where the rule is none.
func (r *Runner) defCFA(at int) {
	o, cfa := &r.op, &r.now.cfa
	reg := o.reg
	switch o.op {
	case cfaDefCFA:
		*cfa = o.rule
	case cfaDefCFAExpression:
		*cfa = o.rule
		return
	case cfaDefCFARegister:
		if cfa.Kind == Unspecified { // gas for RISC-V begins CIEs so
			cfa.Kind = Register
		}
	case cfaDefCFAOffset:
		reg, cfa.Offset = uint64(cfa.Reg), o.n
	}
	if cfa.Kind != Register {
		*cfa = Rule{Kind: Undefined}
		return
	}
	if cfa.Reg = uint32(reg); uint64(cfa.Reg) != reg && !r.c.Bad {
		r.fail(RegisterTooLarge, at, reg)
	}
}

// aarch64RASignState is the DWARF number of RA_SIGN_STATE, a pseudo-register for which AArch64 has
// instructions of its own.
const aarch64RASignState = 34

// signature executes an instruction of AArch64 for the state of RA, and reports whether it is one.
func (r *Runner) signature(op byte) bool {
	switch op {
	case cfaAArch64SetRAState:
		r.now.sign = stateOf(int64(r.c.ULEB()))
		r.c.SLEB() // from here to the instruction that signs
	case cfaAArch64NegateRAState:
		r.now.sign ^= RASigned
	case cfaAArch64NegateRAStateWithPC:
		r.now.sign ^= RASigned | RASignedPC
	default:
		return false
	}
	return true
}

// stateOf returns the state of RA for a value of RA_SIGN_STATE: 1 is signed with SP, and 2 with SP and the PC.
func stateOf(v int64) RAState {
	switch v {
	case 0:
		return 0
	case 1:
		return RASigned
	case 2:
		return RASigned | RASignedPC
	}
	return RAUnknown
}

// signState returns the state of RA by a rule for RA_SIGN_STATE. Only expressions with a constant value are followed.
func (r *Runner) signState(rule Rule) RAState {
	at := rule.Expr()
	if rule.Kind != ValExpression || r.c.Bad || !r.s.spend(at.Len*exprSteps) {
		return RAUnknown
	}
	v := evaluator{c: newCursor(r.s.in.Data[:at.End()], int(at.Off), r.c.Big), pcReg: ^uint32(0)}
	v.push(term{base: cfa})
	t := v.run()
	if v.why != Comparable || t.base != constant || t.deref {
		return RAUnknown
	}
	return stateOf(t.off)
}

// set gives a register the rule of the instruction.
func (r *Runner) set(at int) {
	o := &r.op
	if o.reg > 1<<32-1 {
		if !r.c.Bad {
			r.fail(RegisterTooLarge, at, o.reg)
		}
		return
	}
	if r.assign(o.rule, o.rule, o.rule) {
		r.now.sign = r.signState(o.rule)
	}
}

// assign gives the register of the instruction its rule of several, and reports whether it is that of the state of RA. Only
// rules of registers that SFrame recovers are kept.
func (r *Runner) assign(ra, fp, sp Rule) (sign bool) {
	reg := r.op.reg
	if reg == uint64(r.regs.ra) {
		r.now.ra = ra
	}
	if reg == uint64(r.regs.fp) {
		r.now.fp = fp
	}
	if reg == uint64(r.regs.sp) {
		r.now.sp = sp
	}
	return reg == aarch64RASignState && r.s.in.ABI.Pauth
}

// Rows yields the rows of the FDE. A [Runner] yields the same rows without allocation, and reports faults.
func (f *FDE) Rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		var r Runner
		var row Row
		for r.Reset(f); r.Next(&row); {
			if !yield(row) {
				break
			}
		}
		r.pay()
	}
}

// RowAt returns the row that contains pc.
func (f *FDE) RowAt(pc uint64) (Row, bool) {
	for row := range f.Rows() {
		if pc >= row.Start && pc < row.End {
			return row, true
		}
	}
	return Row{}, false
}
