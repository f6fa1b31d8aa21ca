package cfi

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// Kind is how CFI recovers a value (DWARF 5, 6.4.1).
type Kind uint8

// The kinds of recovery.
const (
	Unspecified   Kind = iota // no rule; like SameValue for a register that functions preserve
	Undefined                 // the value is lost; for the CFA: an instruction changes the register or offset of a rule of another form
	SameValue                 // the value is in the register itself
	Offset                    // the value is the word at CFA + Offset
	ValOffset                 // the value is CFA + Offset
	Register                  // the value is in register Reg; for the CFA: the value is Reg + Offset
	Expression                // the value is the word at the result of an expression; for the CFA: the value is the result
	ValExpression             // the value is the result of an expression
	Unknown                   // the program could not be executed
)

// Rule is how one value is recovered.
type Rule struct {
	// Offset is in bytes. For an expression, it is the offset of the expression in the section.
	Offset int64
	// Reg is a DWARF register number. For an expression, it is the size of the expression in bytes.
	Reg  uint32
	Kind Kind
}

// Expr returns the bytes of the rule's expression in the section.
func (r Rule) Expr() model.Span { return model.Span{Off: r.Offset, Len: int64(r.Reg)} }

// RAState is whether an AArch64 return address is signed, and whether it is signed with the PC (RA_SIGN_STATE of the
// ABI).
type RAState uint8

// The bits of an RAState.
const (
	RASigned RAState = 1 << iota
	RASignedPC
	// RAUnknown means that CFI sets the state in a way that the package does not evaluate.
	RAUnknown
)

// state is what a program changes.
type state struct {
	cfa, ra, fp, sp Rule
	sign            RAState
}

// Row has the CFI rules for the PCs in [Start, End). In a relocatable file, both are offsets in the section that
// contains the function.
type Row struct {
	Start, End uint64
	CFA        Rule // Unspecified, Undefined, Register, Expression or Unknown
	RA, FP, SP Rule
	Sign       RAState
	Code       model.Span // the instructions executed since the previous row
}

func (k Kind) String() string {
	return [...]string{"unspecified", "undefined", "same value", "offset", "value offset", "register",
		"expression", "value expression", "unknown"}[k]
}

// Recovered has the recovery rules of a row. If a recovery rule has the Kind Invalid, its Reason is not Comparable.
type Recovered struct {
	model.Row
	CFAReason, RAReason, FPReason Reason
	// PC has the bits of the PC on which the rules depend. The rules are valid only at PCs in the row with the same
	// values of these bits. PC is 0 if the rules are valid in the whole row.
	PC uint64
}

// Recover returns the recovery rules of a row of f at a PC in the row. A register without a rule, or with the rule
// "same value", is Unchanged. A CFA or RA in a register has the kind InRegister. The result leaves out the row's rule
// for SP.
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
		c:  newCursor(f.s.in.Data[:at.End()], int(at.Off), abi.Big),
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

// Obstacle is CFI that no FRE of a version can express.
type Obstacle struct {
	Why  string     // a clause, such as "the CFA counts from rbx"
	Code model.Span // the instructions of the row; Len 0: the CIE's instructions
	// Ignored reports that assemblers ignore the CFI and write an FDE.
	Ignored bool
}

// UnknownAugmentation is the reason that reports give for an FDE that is not judged: its rows are unknown.
const UnknownAugmentation = "the augmentation of its CIE is unknown"

// Obstacle returns the first CFI of a function that no section of a version can express. It reports false if there is
// none. A function with an obstacle has no FDE, or an FDE with less information. flex permits flexible FDEs, which
// some producers write only for some ABIs.
func (f *FDE) Obstacle(version model.Version, flex bool) (Obstacle, bool) {
	if f.CIE.startErr.Code == CIEAugmentation {
		return Obstacle{Why: UnknownAugmentation}, true
	}
	v := version.Info()
	v.Flex = v.Flex && flex
	var run Runner
	var row Row
	rows := uint32(0)
	for run.Reset(f); run.Next(&row); rows++ {
		r := f.Recover(&row, row.Start)
		if why := f.obstacle(&v, &row, &r); why != "" {
			return Obstacle{Why: why, Code: row.Code}, true
		}
		if why := f.ignored(&row); why != "" {
			if d, _ := f.Dropped(GAS246); strings.Contains(d.Says, "SP reg") {
				why = fmt.Sprintf("SP has a rule of its own; %v says %q", GAS246, d.Says)
			}
			return Obstacle{why, row.Code, true}, true
		}
		if abi := &f.s.in.ABI; row.RA.Kind == Unspecified && !abi.TracksRA() && f.CIE.RA == abi.RA {
			return Obstacle{"RA has no rule; assemblers treat it as saved", row.Code, true}, true
		}
		if rows == v.MaxFREs {
			return Obstacle{Why: fmt.Sprintf("the function has more than %d rows", rows), Code: row.Code}, true
		}
	}
	return Obstacle{}, false
}

// ignored returns a statement of a row that assemblers do not look at, "" for none.
func (f *FDE) ignored(row *Row) string {
	if k := row.SP.Kind; k != Unspecified && k != SameValue && k != Unknown && row.RA.Kind != Undefined && !f.s.in.ABI.LSBRegs {
		return "assemblers ignore the rule for SP"
	}
	return ""
}

func (f *FDE) obstacle(v *model.VersionInfo, row *Row, r *Recovered) string {
	abi := &f.s.in.ABI
	switch {
	case r.CFAReason != Comparable:
		return "CFA: " + r.CFAReason.String()
	case r.RA.Kind == model.Undefined:
		if !v.Errata2 {
			return "RA is undefined"
		}
		return ""
	case r.RAReason != Comparable:
		return "RA: " + r.RAReason.String()
	case r.FPReason != Comparable:
		return "FP: " + r.FPReason.String()
	case r.FP.Kind == model.Undefined:
		return "FP is undefined"
	case row.Sign&RAUnknown != 0:
		return "CFI that is not evaluated states whether RA is signed"
	case row.Sign&RASignedPC != 0:
		return "RA is signed with the PC"
	case f.CIE.Signal && !v.Signal:
		return "it is a signal frame"
	}
	return inexpressible(v, abi, r)
}

// inexpressible returns why FREs of a version cannot state recovery rules, "" if they can.
func inexpressible(v *model.VersionInfo, abi *model.ABIInfo, r *Recovered) string {
	for _, x := range [...]struct {
		name string
		rule model.Recovery
	}{{"the CFA", r.CFA}, {"RA", r.RA}, {"FP", r.FP}} {
		off := x.rule.Offset
		if x.name == "the CFA" {
			off = (off - abi.CFAAdjust) / abi.CFAScale // as its word has it
		}
		if off != int64(int32(off)) {
			return fmt.Sprintf("the offset %d of %s is too large", x.rule.Offset, x.name)
		}
	}
	switch {
	case cfaOutside(v, abi, r.CFA):
		return "the CFA is " + r.CFA.Format(*abi)
	case registerOutside(v, abi, r.RA, !abi.TracksRA()):
		return "RA is " + r.RA.Format(*abi)
	case registerOutside(v, abi, r.FP, false):
		return "FP is " + r.FP.Format(*abi)
	case !v.Flex && abi.TracksRA() && !abi.LSBRegs && saved(r.FP) && !saved(r.RA):
		return "FP is saved and RA is not"
	}
	return ""
}

func saved(r model.Recovery) bool { return r.Kind != model.Unchanged }

// cfaOutside reports whether a version has no words for a CFA.
func cfaOutside(v *model.VersionInfo, abi *model.ABIInfo, r model.Recovery) bool {
	return !v.Flex && (r.Deref || r.Reg != abi.SP && r.Reg != abi.FP)
}

// registerOutside reports whether a version has no word for the rule of RA or FP.
// fixed says that FREs of the default type have it always saved at one offset.
func registerOutside(v *model.VersionInfo, abi *model.ABIInfo, r model.Recovery, fixed bool) bool {
	switch {
	case v.Flex:
		return false
	case fixed:
		return r != model.Recovery{Kind: model.FromCFA, Deref: true, Offset: int64(abi.FixedRA)}
	case r.Kind == model.InRegister:
		return r.Deref || r.Offset != 0 || !abi.LSBRegs || !v.WordRegs
	case r.Kind == model.FromCFA:
		return !r.Deref
	}
	return false
}
