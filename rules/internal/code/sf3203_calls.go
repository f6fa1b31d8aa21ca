package code

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var CallsWithRA = rules.New(rules.Rule{
	ID:      "SF3203",
	ABIs:    model.ABIsWith(model.ABIInfo.TracksRA),
	Files:   rules.ELFFiles,
	Needs:   rules.FREsKnown | rules.RAKnown | rules.StartsKnown | rules.StartsAsFlagged | rules.CodeReadable,
	Follows: []string{"SF3115"},
}, func(c *rules.Context) {
	abi := c.ABI
	bad := func(r model.FRE) bool {
		row := r.Row()
		return row.Valid() && row.RA.Kind == model.Unchanged
	}
	if !c.SFrame.Survey().AnyRow(bad) || !c.Has(rules.CodeReadable) {
		return
	}
	code := proof.CodeOf(c.Object)
	c.FDEs(nil, func(f model.FDE) {
		if f.Mask() || f.Signal() {
			return
		}
		if r, off, n := callsIn(f, code, abi, bad); n > 0 {
			more := ""
			if n > 1 {
				more = fmt.Sprintf(" (the first of %d calls)", n)
			}
			c.FRE(r, r.Span(), "RA is unchanged in the FRE, but the call at offset 0x%x%s overwrites %s: a trace from the callee ends here", off, more, abi.RegName(abi.RA))
		}
	})
})

// callsIn counts the calls that bad FREs of a function cover. FREs may overlap.
func callsIn(f model.FDE, code *proof.Code, abi *model.ABIInfo, bad func(model.FRE) bool) (first model.FRE, at uint32, n int) {
	for r := range f.FREs() {
		lo, hi := uint64(r.Start()), uint64(r.End())
		if lo >= hi || hi > uint64(f.Size()) || !bad(r) {
			continue
		}
		for pc, i := range code.Leading(f.Place(), f.Start()+lo, f.Start()+hi) {
			if !i.Calls() || !i.Sets(insn.Reg(abi.RA)) {
				continue
			}
			if n == 0 {
				first, at = r, uint32(pc-f.Start())
			}
			n++
		}
	}
	return first, at, n
}
