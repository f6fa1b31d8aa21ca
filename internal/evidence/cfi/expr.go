package cfi

import "github.com/sframe-lint/sframe-lint/model"

// Reason is why a CFI rule has no equivalent recovery rule in package model.
type Reason uint8

// The reasons.
const (
	Comparable      Reason = iota // an equivalent recovery rule exists
	NoCFARule                     // the CIE and the FDE define no CFA
	NotExecuted                   // the program has a fault
	UndefinedResult               // an instruction changes the register or the offset of a CFA rule that has another form
	OperationOther                // an expression contains an operation that the package does not evaluate
	TermOther                     // an expression's value is neither a register plus a constant nor the word at such an address
	StackUnderflow                // an expression pops from an empty stack
	StackOverflow                 // an expression needs more than maxTerms stack entries
	ExpressionShort               // an expression ends within an operation
	PCUnknown                     // an expression uses the PC, which a relocatable file does not determine
)

var reasonNames = [...]string{
	Comparable: "comparable", NoCFARule: "the CFA is not defined", NotExecuted: "the CFI program has a fault",
	UndefinedResult: "an instruction changes a part of a CFA rule that is not a register plus an offset",
	OperationOther:  "the expression has an operation that is not evaluated",
	TermOther:       "the expression is neither a register plus an offset nor a word at such an address",
	StackUnderflow:  "the expression takes more values than there are",
	StackOverflow:   "the expression needs too many values",
	ExpressionShort: "the expression is cut off",
	PCUnknown:       "the expression uses the PC, which is not known before linking",
}

func (r Reason) String() string { return reasonNames[r] }

// maxTerms bounds the stack of an expression.
const maxTerms = 16

// term is a value on the stack of an expression: a constant, or base + off,
// or the word in memory there.
type term struct {
	base  termBase
	deref bool
	reg   uint32
	off   int64
	pc    uint64 // the bits of the PC that off depends on
	isPC  bool   // off is the PC and a constant
}

type termBase uint8

const (
	constant termBase = iota
	register
	cfa
)

// allBits are those of a PC.
const allBits = ^uint64(0)

// evaluator runs an expression.
type evaluator struct {
	c      cursor
	stack  [maxTerms]term
	n      int
	why    Reason
	pc     uint64
	pcReg  uint32 // the register that is the PC itself
	pcOK   bool
	pcUsed bool
}

func (v *evaluator) fail(why Reason) term {
	if v.why == Comparable {
		v.why = why
	}
	return term{}
}

func (v *evaluator) pop() term {
	if v.n == 0 {
		return v.fail(StackUnderflow)
	}
	v.n--
	return v.stack[v.n]
}

func (v *evaluator) push(t term) {
	if v.n == maxTerms {
		v.fail(StackOverflow)
		return
	}
	v.stack[v.n] = t
	v.n++
}

// run evaluates the expression and returns the value on top of the stack.
func (v *evaluator) run() term {
	for v.c.Left() > 0 && v.why == Comparable {
		v.step(v.c.U8())
		if v.c.Bad {
			v.fail(ExpressionShort)
		}
	}
	return v.pop()
}

func (v *evaluator) step(op byte) {
	switch {
	case op >= opLit0 && op <= opLit31:
		v.push(term{off: int64(op - opLit0)})
	case op >= opBreg0 && op <= opBreg31:
		v.breg(uint64(op-opBreg0), v.c.SLEB())
	case op == opBregx:
		reg := v.c.ULEB()
		v.breg(reg, v.c.SLEB())
	case op == opPlusUconst:
		v.push(v.add(v.pop(), term{off: int64(v.c.ULEB())}))
	case op >= opConst1u && op <= opConsts:
		v.push(term{off: v.constant(op)})
	case op == opDeref:
		t := v.pop()
		if t.deref || t.base == constant {
			v.fail(TermOther)
		}
		t.deref = true
		v.push(t)
	case op == opNop:
	default:
		v.stackOp(op)
	}
}

func (v *evaluator) breg(reg uint64, off int64) {
	switch {
	case reg == uint64(v.pcReg):
		if v.pcUsed = true; !v.pcOK {
			v.fail(PCUnknown)
		}
		v.push(term{off: int64(v.pc) + off, pc: allBits, isPC: true})
	case reg > 1<<32-1:
		v.fail(TermOther)
	default:
		v.push(term{base: register, reg: uint32(reg), off: off})
	}
}

func (v *evaluator) constant(op byte) int64 {
	c := &v.c
	switch op {
	case opConst1u:
		return int64(c.U8())
	case opConst1s:
		return int64(int8(c.U8()))
	case opConst2u:
		return int64(c.Uint(2))
	case opConst2s:
		return int64(int16(c.Uint(2)))
	case opConst4u:
		return int64(c.Uint(4))
	case opConst4s:
		return int64(int32(c.Uint(4)))
	case opConst8u, opConst8s:
		return int64(c.Uint(8))
	case opConstu:
		return int64(c.ULEB())
	}
	return c.SLEB()
}

// stackOp executes the operations that have no operand in the bytes.
func (v *evaluator) stackOp(op byte) {
	switch op {
	case opDup:
		t := v.pop()
		v.push(t)
		v.push(t)
	case opDrop:
		v.pop()
	case opOver:
		b, a := v.pop(), v.pop()
		v.push(a)
		v.push(b)
		v.push(a)
	case opSwap:
		b, a := v.pop(), v.pop()
		v.push(b)
		v.push(a)
	case opAbs, opNeg, opNot:
		t := v.constantTerm()
		switch t.isPC = false; {
		case op == opNot:
			t.off = ^t.off
		case op == opNeg || t.off < 0:
			t.off = -t.off
		}
		v.push(t)
	case opPlus:
		b, a := v.pop(), v.pop()
		v.push(v.add(a, b))
	case opMinus:
		b := v.constantTerm()
		b.off, b.isPC = -b.off, false
		v.push(v.add(v.pop(), b))
	case opAnd, opMul, opOr, opShl, opShr, opShra, opXor, opEq, opGe, opGt, opLe, opLt, opNe:
		b := v.constantTerm()
		a := v.constantTerm()
		t := term{off: compute(op, a.off, b.off), pc: a.pc | b.pc}
		if op == opAnd && a.isPC && b.pc == 0 && b.off >= 0 && b.off&(b.off+1) == 0 {
			t.pc = uint64(b.off)
		}
		v.push(t)
	default:
		v.fail(OperationOther)
	}
}

// constantTerm takes a value that has to be a constant.
func (v *evaluator) constantTerm() term {
	t := v.pop()
	if t.base != constant {
		v.fail(TermOther)
	}
	return t
}

func (v *evaluator) add(a, b term) term {
	if a.base == constant {
		a, b = b, a
	}
	if b.base != constant || a.deref && b.off != 0 {
		return v.fail(TermOther)
	}
	a.off, a.pc, a.isPC = a.off+b.off, a.pc|b.pc, (a.isPC || b.isPC) && (a.pc == 0 || b.pc == 0)
	return a
}

// compute computes with two constants. Comparisons are signed.
func compute(op byte, a, b int64) int64 {
	is := func(x bool) int64 {
		if x {
			return 1
		}
		return 0
	}
	switch op {
	case opAnd:
		return a & b
	case opMul:
		return a * b
	case opOr:
		return a | b
	case opXor:
		return a ^ b
	case opShl:
		return a << min(uint64(b), 64)
	case opShr:
		return int64(uint64(a) >> min(uint64(b), 64))
	case opShra:
		return a >> min(uint64(b), 64)
	case opEq:
		return is(a == b)
	case opGe:
		return is(a >= b)
	case opGt:
		return is(a > b)
	case opLe:
		return is(a <= b)
	case opLt:
		return is(a < b)
	}
	return is(a != b)
}

// recovery returns the recovery rule of a value, or of the word at it.
func (t term) recovery(word bool) (model.Recovery, Reason) {
	r := model.Recovery{Offset: t.off, Deref: t.deref || word}
	switch {
	case t.base == constant || t.deref && word:
		return model.Recovery{}, TermOther
	case t.base == cfa:
		r.Kind = model.FromCFA
	default:
		r.Kind, r.Reg = model.InRegister, t.reg
	}
	return r, Comparable
}

// Call frame instructions (DWARF 5, 7.24, and vendors' extensions).
const (
	cfaAdvanceLoc = 0x40 // and a delta of 6 bits
	cfaOffset     = 0x80 // and a register of 6 bits
	cfaRestore    = 0xc0 // and a register of 6 bits

	cfaNop              = 0x00
	cfaSetLoc           = 0x01
	cfaAdvanceLoc1      = 0x02
	cfaAdvanceLoc2      = 0x03
	cfaAdvanceLoc4      = 0x04
	cfaOffsetExtended   = 0x05
	cfaRestoreExtended  = 0x06
	cfaUndefined        = 0x07
	cfaSameValue        = 0x08
	cfaRegister         = 0x09
	cfaRememberState    = 0x0a
	cfaRestoreState     = 0x0b
	cfaDefCFA           = 0x0c
	cfaDefCFARegister   = 0x0d
	cfaDefCFAOffset     = 0x0e
	cfaDefCFAExpression = 0x0f
	cfaExpression       = 0x10
	cfaOffsetExtendedSF = 0x11
	cfaDefCFASF         = 0x12
	cfaDefCFAOffsetSF   = 0x13
	cfaValOffset        = 0x14
	cfaValOffsetSF      = 0x15
	cfaValExpression    = 0x16

	cfaAArch64SetRAState          = 0x2b
	cfaAArch64NegateRAStateWithPC = 0x2c
	cfaAArch64NegateRAState       = 0x2d
	cfaGNUWindowSave              = 0x2d // of other machines
	cfaGNUArgsSize                = 0x2e
	cfaGNUNegativeOffsetExtended  = 0x2f
)

// Operations of expressions (DWARF 5, 7.7.1), as far as they are evaluated.
const (
	opDeref      = 0x06
	opConst1u    = 0x08
	opConst1s    = 0x09
	opConst2u    = 0x0a
	opConst2s    = 0x0b
	opConst4u    = 0x0c
	opConst4s    = 0x0d
	opConst8u    = 0x0e
	opConst8s    = 0x0f
	opConstu     = 0x10
	opConsts     = 0x11
	opDup        = 0x12
	opDrop       = 0x13
	opOver       = 0x14
	opSwap       = 0x16
	opAbs        = 0x19
	opAnd        = 0x1a
	opMinus      = 0x1c
	opMul        = 0x1e
	opNeg        = 0x1f
	opNot        = 0x20
	opOr         = 0x21
	opPlus       = 0x22
	opPlusUconst = 0x23
	opShl        = 0x24
	opShr        = 0x25
	opShra       = 0x26
	opXor        = 0x27
	opEq         = 0x29
	opGe         = 0x2a
	opGt         = 0x2b
	opLe         = 0x2c
	opLt         = 0x2d
	opNe         = 0x2e
	opLit0       = 0x30
	opLit31      = 0x4f
	opBreg0      = 0x70
	opBreg31     = 0x8f
	opBregx      = 0x92
	opNop        = 0x96
)
