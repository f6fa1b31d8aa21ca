package cfi

import (
	"github.com/sframe-lint/sframe-lint/model"
)

// Kind is how CFI recovers a value (DWARF 5, 6.4.1).
type Kind uint8

// Kinds of recovery.
const (
	Unspecified   Kind = iota // nothing is said: as SameValue for a register that functions preserve
	Undefined                 // the value is lost; for the CFA: the program changes a part of what is not a register and an offset
	SameValue                 // the register holds it
	Offset                    // the word at CFA + Offset
	ValOffset                 // CFA + Offset
	Register                  // register Reg; for the CFA Reg + Offset
	Expression                // the word at an expression's value; for the CFA that value itself
	ValExpression             // the value of an expression
	Unknown                   // the program could not be executed
)

// Rule is how one value is recovered.
type Rule struct {
	// Offset is in bytes. With an expression it is the offset of the expression
	// in the section.
	Offset int64
	// Reg is a DWARF number. With an expression it is the size of the expression in bytes.
	Reg  uint32
	Kind Kind
}

// Expr returns the bytes of an expression in the section.
func (r Rule) Expr() model.Span { return model.Span{Off: r.Offset, Len: int64(r.Reg)} }

// RAState is the state of an AArch64 return address (RA_SIGN_STATE of the ABI):
// one bit for "signed", one for "with the PC".
type RAState uint8

// Bits of the state.
const (
	RASigned RAState = 1 << iota
	RASignedPC
	// RAUnknown: the state is set by CFI that is not evaluated.
	RAUnknown
)

// state is what a program changes.
type state struct {
	cfa, ra, fp, sp Rule
	sign            RAState
}

// Row has the rules of CFI for the PCs from Start to before End. In a
// relocatable file both are offsets in the section of the FDE's start.
type Row struct {
	Start, End uint64
	CFA        Rule // Unspecified, Undefined, Register, Expression or Unknown
	RA, FP, SP Rule
	Sign       RAState
	Code       model.Span // the instructions that were executed since the previous row
}

func (k Kind) String() string {
	return [...]string{"unspecified", "undefined", "same value", "offset", "value offset", "register",
		"expression", "value expression", "unknown"}[k]
}

// Recovered has the recovery rules of a row. A recovery rule whose Kind is
// Invalid has a Reason other than Comparable.
type Recovered struct {
	model.Row
	CFAReason, RAReason, FPReason Reason
	// PC has the bits of the PC inside the row that a rule depends on: it is valid only at PCs that have
	// them in common with the one that was passed. 0 for none.
	PC uint64
}

// Recover returns the recovery rules of a row of the FDE at a PC inside it. Registers that are unspecified or have the
// rule "same value" are Unchanged. A CFA or RA in a register has the kind InRegister. The rule of SP is in the row, not
// in the result.
func (f *FDE) Recover(row *Row, pc uint64) Recovered {
	var out Recovered
	abi := &f.s.in.ABI
	out.CFA, out.CFAReason = f.cfa(row.CFA, pc, &out.PC)
	out.RA, out.RAReason = f.value(row.RA, f.CIE.RA, pc, &out.PC)
	if f.CIE.RA != abi.RA && out.RA.Kind == model.Unchanged {
		out.RA = model.Recovery{Kind: model.InRegister, Reg: f.CIE.RA}
	}
	out.FP, out.FPReason = f.value(row.FP, abi.FP, pc, &out.PC)
	return out
}

func (f *FDE) cfa(r Rule, pc uint64, bits *uint64) (model.Recovery, Reason) {
	switch r.Kind {
	case Register:
		return model.Recovery{Kind: model.InRegister, Reg: r.Reg, Offset: r.Offset}, Comparable
	case Expression:
		return f.evaluate(r, false, pc, false, bits)
	case Unspecified:
		return model.Recovery{}, NoCFARule
	case Undefined:
		return model.Recovery{}, UndefinedResult
	}
	return model.Recovery{}, NotExecuted
}

// value returns the recovery rule of the register with number self.
func (f *FDE) value(r Rule, self uint32, pc uint64, bits *uint64) (model.Recovery, Reason) {
	v := model.Recovery{Offset: r.Offset}
	switch r.Kind {
	case Unspecified, SameValue:
		v.Kind = model.Unchanged
	case Undefined:
		v.Kind = model.Undefined
	case Offset:
		v.Kind, v.Deref = model.FromCFA, true
	case ValOffset:
		v.Kind = model.FromCFA
	case Register:
		if v.Kind, v.Reg = model.InRegister, r.Reg; r.Reg == self {
			v = model.Recovery{Kind: model.Unchanged}
		}
	case Expression:
		return f.evaluate(r, true, pc, true, bits)
	case ValExpression:
		v, why := f.evaluate(r, false, pc, true, bits)
		if v == (model.Recovery{Kind: model.InRegister, Reg: self}) {
			v = model.Recovery{Kind: model.Unchanged}
		}
		return v, why
	default:
		return model.Recovery{}, NotExecuted
	}
	return v, Comparable
}

// evaluate evaluates an expression. word says that the value is the word at
// the result, withCFA that the CFA is on the stack at the beginning.
func (f *FDE) evaluate(r Rule, word bool, pc uint64, withCFA bool, bits *uint64) (model.Recovery, Reason) {
	at := r.Expr()
	abi := &f.s.in.ABI
	memo := &f.s.values[uint64(r.Offset)*0x9e3779b97f4a7c15>>(64-valueBits)]
	long := at.Len >= longExpr
	if long {
		if m := memo.Load(); m != nil && m.rule == r && m.word == word && m.withCFA == withCFA {
			return m.v, m.why
		}
	}
	if !f.s.spend(at.Len * exprSteps) {
		return model.Recovery{}, NotExecuted
	}
	v := evaluator{
		c:  cursor{b: f.s.in.Data[:at.End()], pos: int(at.Off), big: abi.Big},
		pc: pc, pcOK: !f.s.in.Relocatable, pcReg: ^uint32(0),
	}
	if !abi.TracksRA() {
		v.pcReg = abi.RA // the RA column is rip
	}
	if withCFA {
		v.push(term{base: cfa})
	}
	t := v.run()
	var out model.Recovery
	if v.why == Comparable {
		out, v.why = t.recovery(word)
	}
	if *bits |= t.pc; v.pcUsed && t.pc == 0 {
		*bits = allBits
	}
	if long && !v.pcUsed {
		memo.Store(&value{r, word, withCFA, out, v.why})
	}
	return out, v.why
}

// value is what an expression gives at any PC.
type value struct {
	rule          Rule
	word, withCFA bool
	v             model.Recovery
	why           Reason
}

// longExpr is the number of bytes from which on the value of an expression is remembered, and valueBits are
// those of the number of values that a section remembers: many rows may have one expression.
const longExpr, valueBits = 64, 3
