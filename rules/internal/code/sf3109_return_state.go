package code

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/cfi"
	"github.com/sframe-lint/sframe-lint/internal/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/frame"
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
	abi := c.ABI()
	bad := func(r model.FRE) bool {
		row := r.Row()
		return frame.Judged(r, &row, abi) && !frame.EntryCFA(row, abi) && !frame.ReturnsByRegister(row)
	}
	if !c.AnyLastRow(bad) || !c.MayReadCode() {
		return
	}
	code, found := proof.CodeOf(c.Object), proofs(c)
	c.Survey().EachLast(bad, func(f model.FDE, last model.FRE) {
		if f.PCType() != model.SFRAME_FDE_PCTYPE_INC || f.Size() == 0 || last.Start() >= f.Size() || !proof.EndsInReturn(code.Func(f), abi) || excused(c, f, last, abi) || found.Has(f.Index(), proof.WrongCFA) {
			return
		}
		c.FRE(last, last.Span(), "the function's last instruction is a return, but the last FRE has CFA = %s, and at a return the CFA is %s+%d on %s: a tracer that stops there reads RA from the wrong place",
			last.Row().CFA.Format(*abi), abi.SPName, abi.EntryCFA, abi.Name)
	})
})

// excused reports whether the CFI has another CFA at the return, or agrees on one that is
// in a register of its own.
func excused(c *rules.Context, f model.FDE, last model.FRE, abi *model.ABIInfo) bool {
	r, ok := c.CFI(f.Place(), f.Start()+uint64(f.Size())-1)
	if !ok || r.CFAReason != cfi.Comparable {
		return false
	}
	cfa := last.Row().CFA
	return r.CFA != cfa || cfa.Reg != abi.SP && cfa.Reg != abi.FP
}

var CallsWithRA = rules.New(rules.Rule{
	ID:       "SF3203",
	Title:    "call while RA is unchanged",
	Clause:   "s390x",
	ABIs:     model.ABIsWith(model.ABIInfo.TracksRA),
	Files:    rules.ELFFiles,
	Needs:    []rules.Fact{rules.FREsKnown, rules.RAKnown, rules.StartsKnown, rules.StartsAsFlagged, rules.CodeReadable},
	Severity: rules.Note,
	Follows:  []string{"SF3115"},
	Text: `On AArch64 and s390x a call overwrites the register that holds RA. An FRE that
gives RA as unchanged is correct in a leaf function and before RA is saved. At a call
it means that the frame's return address is lost; compilers do that for calls that
never return. A tracer that reaches such a frame from its callee must stop: the
register holds the address after the call itself, and following it leads in a circle. Where the
code has saved RA before the call, SF3115 reports the FRE, too.`,
	Fix:  `Save RA before the call, unless the callee never returns.`,
	Good: `AArch64: RA at CFA-8 in the FRE that covers "bl"`,
	Bad:  `AArch64: RA unchanged in the FRE that covers "bl"`,
}, func(c *rules.Context) {
	abi := c.ABI()
	bad := func(r model.FRE) bool {
		row := r.Row()
		return row.Valid() && row.RA.Kind == model.Unchanged
	}
	if !c.Survey().AnyRow(bad) || !c.MayReadCode() {
		return
	}
	code := proof.CodeOf(c.Object)
	// If functions or FREs overlap, which other rules report, the same code could
	// be read any number of times.
	budget := 2 * c.Object.Size
	c.EachFDE(func(f model.FDE) {
		if f.PCType() != model.SFRAME_FDE_PCTYPE_INC || f.Signal() || budget <= 0 {
			return
		}
		if r, off, n := callsIn(f, code.Func(f), abi, bad, &budget); n > 0 {
			c.FRE(r, r.Span(), "RA is unchanged in this FRE, but it covers %s, the first at offset 0x%x, and a call overwrites %s: a tracer that reaches this frame from a callee must stop",
				rules.Count(n, "call"), off, abi.RegName(abi.RA))
		}
	})
})

// callsIn counts the calls that bad FREs of a function cover, until the budget
// of bytes is used up.
func callsIn(f model.FDE, code []byte, abi *model.ABIInfo, bad func(model.FRE) bool, budget *int64) (first model.FRE, at uint32, n int) {
	for r := range f.FREs() {
		lo, hi := uint64(r.Start()), uint64(r.End())
		if lo >= hi || hi > uint64(len(code)) || !bad(r) {
			continue
		}
		if *budget -= int64(hi - lo); *budget < 0 {
			break
		}
		proof.Calls(code[lo:hi], abi, func(off uint32) bool {
			if n == 0 {
				first, at = r, r.Start()+off
			}
			n++
			return true
		})
	}
	return first, at, n
}
