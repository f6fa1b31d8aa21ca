package frame

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// LowCFA finds CFAs below the stack contents of a call.
var LowCFA = rules.New(rules.Rule{
	ID:       "SF3101",
	Title:    "CFA below the stack contents of a call",
	Clause:   "SFrame FRE",
	Needs:    []rules.Fact{rules.FREsKnown, rules.ABIKnown},
	Severity: rules.Warning,
	Text: `The CFA is the caller's SP at the call. Between it and the current SP lies
what the call puts on the stack: 8 bytes of return address on AMD64, the register save
area of 160 bytes on s390x, nothing on AArch64. A CFA closer to SP places these bytes
below SP, where a tracer reads remains of earlier calls. The only exception is a
function that has dropped its frame to jump elsewhere.`,
	Fix:  `Correct the CFA offset. On s390x the word is the offset less 160, divided by 8.`,
	Good: `AMD64: CFA = rsp+8`,
	Bad:  `AMD64: CFA = rsp+0`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	eachRow(c, func(r model.FRE, row *model.Row) (int, string) {
		v := row.CFA
		if v.Deref || v.Reg != abi.SP || v.Offset >= abi.EntryCFA || ReturnsByRegister(*row) {
			return 0, ""
		}
		return cfaWord, fmt.Sprintf("CFA = %s is lower than at function entry on %s (%s+%d), where a frame is smallest: a tracer recovers a wrong caller",
			v.Format(abi), abi.Name, abi.SPName, abi.EntryCFA)
	})
})

// ReturnsByRegister reports whether RA has been taken off the stack, as in a
// function that pops it before it jumps.
func ReturnsByRegister(row model.Row) bool {
	return row.RA.Kind == model.InRegister && !row.RA.Deref
}
