package code

import (
	"sort"

	"github.com/sframe-lint/sframe-lint/internal/base/machinecode"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
	"github.com/sframe-lint/sframe-lint/rules/internal/frame"
)

var CFAAgainstCode = codeRule(rules.Rule{
	ID:       "SF3114",
	Text:     "\n" + codeText,
	InSource: true,
}, func(c *rules.Context, found *proof.Found) {
	proven := reportProofs(c, found, proof.WrongCFA, "tracers misread RA")
	abi := c.ABI
	prologues := proof.ProloguesOf(c.Object, abi)
	ordered := !c.SFrame.Survey().Has(model.RowsUnordered)
	c.FDEs(nil, func(f model.FDE) {
		if ordered && found.Agrees(f.Index()) {
			return
		}
		if f.PCType() != model.SFRAME_FDE_PCTYPE_INC || f.Signal() || f.NumFREs() == 0 || proven[f.Index()] {
			return
		}
		w, ok := unfollowed(f, prologues, abi)
		if !ok || !frame.EntryCFA(f.FRE(0).Row(), abi) || !agreed(c, f, w) || inStubs(c, f) {
			return
		}
		c.FRE(w.fre, w.fre.Span(), "the code up to offset 0x%x lowers %s by %d, so the CFA is %s+%d, not %s: a tracer reads RA from the wrong place",
			w.end, abi.SPName, w.down, abi.SPName, abi.EntryCFA+w.down, w.fre.Row().CFA.Format(*abi))
	})
})

// lag is an instruction of a prologue after which the FRE is wrong: its end, and by how many
// bytes SP is lower than on entry.
type lag struct {
	fre  model.FRE
	end  uint32
	down int64
}

// unfollowed returns the first lag of a function.
func unfollowed(f model.FDE, prologues *proof.Prologues, abi *model.ABIInfo) (w lag, found bool) {
	all, before := prologues.Of(f)
	from := func(off uint32) int { // the first instruction that ends there or later
		return sort.Search(len(all), func(i int) bool { return all[i].End-f.Start() >= uint64(off) })
	}
	below := func(all []proof.Pushed, down int64) []proof.Pushed { // those after which SP is lower than that
		return all[sort.Search(len(all), func(i int) bool { return all[i].Down-before > down }):]
	}
	all = below(all[:from(f.Size())], 0)
	for r, more := f.FRE(0), true; more && len(all) > 0; {
		var next model.FRE
		row := all
		if next, more = r.Next(); more {
			row = all[:from(next.Start())]
		}
		all = all[len(row):]
		if cfa := r.Row().CFA; cfa.Kind == model.InRegister && !cfa.Deref && cfa.Reg == abi.SP && len(row) > 0 {
			if down := cfa.Offset - abi.EntryCFA; row[0].Down-before == down {
				row = below(row, down)
			}
			if len(row) > 0 {
				return lag{r, uint32(row[0].End - f.Start()), row[0].Down - before}, true
			}
		}
		r = next
	}
	return w, false
}

// agreed reports whether CFI does not have another CFA than the FRE.
func agreed(c *rules.Context, f model.FDE, w lag) bool {
	r, ok := evidence.CFI(c, f.Place(), f.Start()+uint64(w.end))
	return !ok || r.CFAReason != cfi.Comparable || r.CFA == w.fre.Row().CFA
}

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
	if f.PCType() == model.SFRAME_FDE_PCTYPE_MASK && f.RepSize() > 0 {
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
}, proof.WrongFP, "tracers lose callers that count from FP")

var InsideInstruction = againstCode(rules.Rule{
	ID: "SF3117",
}, proof.Inside, "it describes no instruction")

// reportReturn reports a function without FREs that returns. SF2024 reports one that ends in a return.
func reportReturn(c *rules.Context, f model.FDE, w *proof.Wrong) {
	if f.Outermost() && len(w.Proof) > 0 && !proof.CodeOf(c.Object).EndsInReturn(f, c.ABI) {
		c.FDE(f, model.FDENumFREs, "the FDE has no FREs, which marks an outermost frame, but the function returns at %s: it has a caller, which a tracer misses",
			c.Object.Address(w.Range.Place, w.Proof[0]))
	}
}
