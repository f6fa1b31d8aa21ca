package code

import (
	"github.com/sframe-lint/sframe-lint/internal/base/machinecode"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var CFAAgainstCode = againstCode(rules.Rule{
	ID: "SF3114",
}, proof.WrongCFA, "tracers misread RA")

// inStubs reports whether a function is in a PLT.
func inStubs(c *rules.Context, f model.FDE) bool {
	i, _, ok := c.Object.ELF.Within(f.Place(), f.Start())
	return ok && proof.Stubs(c.Object.ELF.Sections[i].Name)
}

// inKnownStub reports whether an instruction is in a stub of a PLT whose right FREs SF6018 knows.
func inKnownStub(c *rules.Context, f model.FDE, pc uint64) bool {
	if !inStubs(c, f) {
		return false
	}
	start := f.Start()
	if f.Mask() && f.RepSize() > 0 {
		start = pc - (pc-start)%uint64(f.RepSize())
	}
	code, err := c.Object.ELF.Part(f.Place(), start, machinecode.MaxStub, nil)
	return err == nil && machinecode.StubAt(c.ABI.Machine, code, true) != nil
}

var RAAgainstCode = againstCode(rules.Rule{
	ID: "SF3115",
}, proof.WrongRA, "tracers find a wrong caller")

var FPAgainstCode = againstCode(rules.Rule{
	ID: "SF3116",
}, proof.WrongFP, "tracers lose callers that use FP")

var InsideInstruction = againstCode(rules.Rule{
	ID: "SF3117",
}, proof.Inside, "an FRE must start at an instruction")

// reportReturn reports a function without FREs that returns. SF2024 reports one that ends in a return.
func reportReturn(c *rules.Context, f model.FDE, w *proof.Wrong) {
	if f.Outermost() && len(w.Proof) > 0 && !proof.CodeOf(c.Object).EndsInReturn(f, c.ABI) {
		c.FDE(f, model.FDENumFREs, "the FDE has no FREs, which marks an outermost frame, but the function returns at %s: a tracer misses its caller",
			c.Object.Address(w.Range.Place, w.Proof[0]))
	}
}
