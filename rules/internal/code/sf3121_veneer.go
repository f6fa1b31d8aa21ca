package code

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// VeneerUncovered finds functions of which the linker has moved an instruction to a veneer.
var VeneerUncovered = rules.New(rules.Rule{
	ID:       "SF3121",
	Title:    "linker's veneer without an FDE",
	Clause:   "Generating Stack Traces using SFrame",
	ABIs:     model.ABIsWith(func(a model.ABIInfo) bool { return a.Veneers }),
	Files:    rules.LinkedFiles,
	Needs:    codeNeeds,
	Severity: rules.Warning,
	Requires: []*analysis.Analyzer{rules.CodeProofs, rules.CallFrames},
	Text: `To avoid the errata 835769 and 843419 of AArch64 cores, a linker replaces an instruction of a
function by a branch to a veneer: the instruction itself, and a branch back. GNU ld writes no FDE
for its veneers, so that a tracer that interrupts the program in one loses the trace. Many
distributions link all programs so. The finding gives the first veneer of a function, which the
branch back proves. SF3118 reports other code that a function continues in. The rule reads
machine code; it skips files with too much of it.`,
	Fix: `Only the linker can write the FDE. For cores without the errata, link
without veneers.`,
	Good: "`ldr x2, [x0, #8]` in the function",
	Bad:  "`b veneer` in the function; `veneer: ldr x2, [x0, #8]; b back` without an FDE",
}, func(c *rules.Context) {
	found := proofs(c)
	if found == nil {
		return
	}
	for _, x := range found.Exits {
		f := c.Section.FDE(x.Func)
		if !x.Veneer || c.Cut() || inStubs(c, f) || hasCFI(c, x.Place, x.Target) {
			continue
		}
		c.FDE(f, model.FDEFuncSize, "the linker has moved the instruction at %s to a veneer at %s, which no FDE covers: a tracer that interrupts the program there loses the trace",
			c.Address(x.Place, x.PC), c.Address(x.Place, x.Target))
	}
})
