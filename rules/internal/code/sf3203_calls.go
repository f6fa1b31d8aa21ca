package code

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/proof"
)

var CallsWithRA = rules.New(rules.Rule{
	ID:       "SF3203",
	Title:    "call while RA is unchanged",
	Clause:   "s390x",
	ABIs:     model.ABIsWith(model.ABIInfo.TracksRA),
	Files:    rules.ELFFiles,
	Needs:    []rules.Fact{rules.FREsKnown, rules.RAKnown, rules.StartsKnown, rules.StartsAsFlagged, rules.CodeReadable},
	Severity: rules.Note,
	Text: `On AArch64 and s390x a call overwrites the register that holds RA. An FRE that
gives RA as unchanged is correct in a leaf function and before RA is saved. At a call
it means that the frame's return address is lost; compilers do that for calls that
never return. A tracer that reaches such a frame from its callee must stop: the
register holds the address after the call itself, and following it leads in a circle.`,
	Fix:  `Save RA before the call, unless the callee never returns.`,
	Good: `AArch64: RA at CFA-8 in the FRE that covers "bl"`,
	Bad:  `AArch64: RA unchanged in the FRE that covers "bl"`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
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
		if r, off, n := callsIn(f, code.Func(f), &abi, bad, &budget); n > 0 {
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
