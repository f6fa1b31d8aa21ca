package code

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var RAAgainstCode = againstCode(rules.Rule{
	ID:       "SF3115",
	Severity: rules.Error,
}, proof.WrongRA, "a tracer continues in a wrong function")

var FPAgainstCode = againstCode(rules.Rule{
	ID:       "SF3116",
	Severity: rules.Error,
}, proof.WrongFP, "a trace goes wrong in the next caller whose CFA counts from FP")

var InsideInstruction = againstCode(rules.Rule{
	ID:       "SF3117",
	Severity: rules.Error,
}, proof.Inside, "it describes no instruction")

// reportReturn reports a function without FREs that returns. SF2024 reports one that ends in a return.
func reportReturn(c *rules.Context, f model.FDE, w *proof.Wrong) {
	if f.Outermost() && len(w.Proof) > 0 && !proof.EndsInReturn(proof.CodeOf(c.Object).Func(f), c.ABI) {
		c.FDE(f, model.FDENumFREs, "the FDE has no FREs, which marks an outermost frame, but the function returns at %s: it has a caller, which a tracer misses",
			c.Object.Address(w.Range.Place, w.Proof[0]))
	}
}
