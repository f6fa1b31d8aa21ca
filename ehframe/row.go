package ehframe

import "github.com/sframe-lint/sframe-lint/model"

// RuleKind is the way that CFI recovers a value (DWARF 5, 6.4.1).
type RuleKind uint8

// Kinds of rule.
const (
	Unspecified   RuleKind = iota // nothing is said: as SameValue for a register that functions preserve
	Undefined                     // the value is lost; for the CFA: the program changes a part of what is not a register and an offset
	SameValue                     // the register holds it
	Offset                        // the word at CFA + Offset
	ValOffset                     // CFA + Offset
	Register                      // register Reg; for the CFA Reg + Offset
	Expression                    // the word at the address that an expression gives; for the CFA its value
	ValExpression                 // the value of an expression
	Unknown                       // the program could not be executed
)

// Rule says how one value is recovered.
type Rule struct {
	// Offset is in bytes. With an expression it is where the bytes of the
	// expression start in the section.
	Offset int64
	// Reg is a DWARF number. With an expression it is how many bytes it has.
	Reg  uint32
	Kind RuleKind
}

// Expr returns the bytes of an expression in the section.
func (r Rule) Expr() model.Span { return model.Span{Off: r.Offset, Len: int64(r.Reg)} }

// RAState is the state of an AArch64 return address (RA_SIGN_STATE of the
// ABI): a bit for "signed", a bit for "with the PC".
type RAState uint8

// Bits of the state.
const (
	RASigned RAState = 1 << iota
	RASignedPC
	// RAUnknown: the state is set in a way that is not evaluated.
	RAUnknown
)

// state is what a program changes.
type state struct {
	cfa, ra, fp, sp Rule
	sign            RAState
}

// Row is what CFI says of the PCs from Start to End. In a relocatable file
// both count from the start of the section that the FDE's start is in.
type Row struct {
	Start, End uint64
	CFA        Rule // Unspecified, Undefined, Register, Expression or Unknown
	RA, FP, SP Rule
	Sign       RAState
	Code       model.Span // the instructions that were executed since the previous row
}

func (k RuleKind) String() string {
	return [...]string{"unspecified", "undefined", "same value", "offset", "value offset", "register",
		"expression", "value expression", "unknown"}[k]
}
