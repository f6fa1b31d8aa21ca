package frame

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// UnsavedFP finds a CFA counted from FP while the caller's FP is not saved.
var UnsavedFP = rules.New(rules.Rule{
	ID:       "SF3105",
	Title:    "CFA from FP although FP is not saved",
	Clause:   "SFrame FRE",
	Needs:    []rules.Fact{rules.FREsKnown, rules.RAKnown, rules.FPKnown},
	Severity: rules.Warning,
	Text: `A function whose CFA counts from FP has set FP and so must have saved the
caller's FP. If the FRE gives FP as unchanged, a tracer passes the function's own FP
on to the caller's frame, and the trace goes wrong there.`,
	Fix:  `Add the place where FP is saved, or count the CFA from SP.`,
	Good: `AMD64: CFA = rbp+16, FP at CFA-16`,
	Bad:  `AMD64: CFA = rbp+16, FP unchanged`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	eachRow(c, func(r model.FRE, row *model.Row) (int, string) {
		if row.CFA.Reg != abi.FP || row.FP.Kind != model.Unchanged {
			return 0, ""
		}
		return cfaWord, fmt.Sprintf("CFA = %s counts from FP, but the FRE has no place for the caller's FP: a tracer uses this function's FP for the next frame", row.CFA.Format(abi))
	})
})
