package code

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/ehframe"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/frame"
	"github.com/sframe-lint/sframe-lint/rules/internal/proof"
	"github.com/sframe-lint/sframe-lint/track"
)

var ReturnState = rules.New(rules.Rule{
	ID:       "SF3109",
	Title:    "function returns with its frame still set up",
	Clause:   "SFrame FRE",
	Files:    rules.ELFFiles,
	Needs:    []rules.Fact{rules.FREsKnown, rules.RAKnown, rules.StartsKnown, rules.StartsAsFlagged, rules.CodeReadable},
	Severity: rules.Warning,
	Requires: []*analysis.Analyzer{rules.CodeProofs},
	Text: `When a function executes its return instruction, SP is where it was after the
call: the CFA is rsp+8 on AMD64, sp+0 on AArch64, r15+160 on s390x. If the last
instruction of a function is a return and the last FRE has another CFA, a tracer that
stops there, as in a profile, reads RA from the wrong place. Where the file's CFI has
another CFA there, SF6007 reports that instead. Where it agrees on a CFA in a register other
than SP and FP, as at the end of a function with ` + "`__builtin_eh_return`" + `, there is no fault. SF3114
reports the fault where it follows the stack up to the return.
The rule reads machine code; it skips files with too much of it.`,
	Fix:  `Correct the last FRE, or the CFI of the function's epilogue.`,
	Good: `AMD64: the FRE that covers "ret": CFA = rsp+8`,
	Bad:  `AMD64: the FRE that covers "ret": CFA = rsp+16`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	bad := func(r model.FRE) bool {
		row := r.Row()
		return frame.Judged(r, &row, &abi) && !frame.EntryCFA(row, &abi) && !frame.ReturnsByRegister(row)
	}
	if !c.AnyLastRow(bad) || !c.MayReadCode() {
		return
	}
	code, found := proof.CodeOf(c.Object), proofs(c)
	c.Survey().EachLast(bad, func(f model.FDE, last model.FRE) {
		if f.PCType() != model.SFRAME_FDE_PCTYPE_INC || f.Size() == 0 || last.Start() >= f.Size() || !proof.EndsInReturn(code.Func(f), &abi) || excused(c, f, last, &abi) || found.Has(f.Index(), track.WrongCFA) {
			return
		}
		c.FRE(last, last.Span(), "the function's last instruction is a return, but the last FRE has CFA = %s; at a return the CFA is %s+%d on %s",
			last.Row().CFA.Format(abi), abi.SPName, abi.EntryCFA, abi.Name)
	})
})

// excused reports whether the CFI has another CFA at the return, or agrees on one that is
// in a register of its own.
func excused(c *rules.Context, f model.FDE, last model.FRE, abi *model.ABIInfo) bool {
	r, ok := c.CFI(f.Place(), f.Start()+uint64(f.Size())-1)
	if !ok || r.CFAReason != ehframe.Comparable {
		return false
	}
	cfa := last.Row().CFA
	return r.CFA != cfa || cfa.Reg != abi.SP && cfa.Reg != abi.FP
}
