package code

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var VeneerUncovered = codeRule(rules.Rule{
	ID:       "SF3121",
	Clause:   "Generating Stack Traces using SFrame",
	ABIs:     model.ABIsWith(func(a model.ABIInfo) bool { return a.Veneers }),
	Files:    rules.LinkedFiles,
	Severity: rules.Warning,
}, func(c *rules.Context, found *proof.Found) {
	for _, x := range found.Exits {
		f := c.Section.FDE(x.Func)
		if !x.Veneer || c.Cut() || inStubs(c, f) || hasCFI(c, x.Place, x.Target) {
			continue
		}
		c.FDE(f, model.FDEFuncSize, "the linker has moved the instruction at %s to a veneer at %s, which no FDE covers: a tracer that interrupts the program there loses the trace",
			c.Object.Address(x.Place, x.PC), c.Object.Address(x.Place, x.Target))
	}
})
