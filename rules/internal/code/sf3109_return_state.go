package code

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
	"github.com/sframe-lint/sframe-lint/rules/internal/frame"
)

var ReturnState = rules.New(rules.Rule{
	ID:       "SF3109",
	Files:    rules.ELFFiles,
	Needs:    []rules.Fact{rules.FREsKnown, rules.RAKnown, rules.StartsKnown, rules.StartsAsFlagged, rules.CodeReadable},
	Requires: []*analysis.Analyzer{rules.CodeProofs},
}, func(c *rules.Context) {
	abi := c.ABI
	bad := func(r model.FRE) bool {
		row := r.Row()
		return frame.Judged(r, &row, abi) && (row.CFA.Reg == abi.SP || row.CFA.Reg == abi.FP) && !frame.EntryCFA(row, abi) && !frame.ReturnsByRegister(row)
	}
	if !c.SFrame.Survey().Any(model.LastList, bad) || !c.Has(rules.CodeReadable) {
		return
	}
	code, found := proof.CodeOf(c.Object), proofs(c)
	c.SFrame.Survey().EachLast(bad, func(f model.FDE, last model.FRE) {
		if f.PCType() != model.SFRAME_FDE_PCTYPE_INC || f.Size() == 0 || last.Start() >= f.Size() || !code.EndsInReturn(f, abi) || cfiDiffersAtReturn(c, f, last) || found.DecidesLast(f.Index()) {
			return
		}
		c.FRE(last, last.Span(), "the last FRE has CFA = %s, but the CFA at the final return is %s+%d: a tracer reads RA from the wrong place",
			last.Row().CFA.Format(*abi), abi.SPName, abi.EntryCFA)
	})
})

// cfiDiffersAtReturn reports whether the CFI has another CFA at the return.
func cfiDiffersAtReturn(c *rules.Context, f model.FDE, last model.FRE) bool {
	r, ok := evidence.CFI(c, f.Place(), f.Start()+uint64(f.Size())-1)
	return ok && r.CFAReason == cfi.Comparable && r.CFA != last.Row().CFA
}
