package suspicious

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// LowCFA finds CFAs below what a call leaves behind.
var LowCFA = sound.Rule(rules.Rule{
	ID:       "SF3101",
	Title:    "CFA below what the call has pushed",
	Clause:   "SFrame FRE",
	Severity: rules.Warning,
	Text: `The CFA is the caller's SP at the call. What the call itself puts on the stack lies
between it and the current SP: 8 bytes of return address on AMD64, the 160 bytes of the
register save area on s390x, nothing on AArch64. A CFA closer to SP than that would put
the return address below the stack, where a tracer reads what some earlier call has left.
Only while a function drops its frame to jump elsewhere can it be so.`,
	Fix:  `Correct the CFA offset; on s390x mind that the word is stored less 160 and divided by 8.`,
	Good: `AMD64: CFA = rsp+8`,
	Bad:  `AMD64: CFA = rsp+0`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	eachRow(c, func(r model.FRE, row model.Row) (int, string) {
		v := row.CFA
		if v.Deref || v.Reg != abi.SP || v.Offset >= abi.EntryCFA || returnsByRegister(row) {
			return 0, ""
		}
		return cfaWord, fmt.Sprintf("CFA = %s lies below what a call leaves on the stack of %s (%s+%d): the return address would be below SP",
			v.Format(abi), abi.Name, abi.SPName, abi.EntryCFA)
	})
})

// returnsByRegister tells whether RA has been taken off the stack, as in a
// function that pops it before it jumps.
func returnsByRegister(row model.Row) bool {
	return row.RA.Kind == model.InRegister && !row.RA.Deref
}
