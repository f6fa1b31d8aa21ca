package fre

import (
	"github.com/sframe-lint/sframe-lint/internal/survey"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// FirstLate finds functions whose first bytes no FRE covers.
var FirstLate = rules.New(rules.Rule{
	ID:       "SF3004",
	Title:    "first FRE does not start at 0",
	Clause:   "SFrame FRE",
	Needs:    []rules.Fact{rules.FREsKnown},
	Severity: rules.Warning,
	Text: `An FRE covers the PCs from its start to the start of the next one. No FRE
covers the PCs before the first start, which usually include the function's entry, so
a trace that reaches them ends. No consumer checks this.`,
	Fix:  `Start the function with an FRE at offset 0.`,
	Good: `FREs at 0, 1, 4`,
	Bad:  `FREs at 1, 4`,
}, func(c *rules.Context) {
	c.Survey().Each(survey.FirstRowLate, func(f model.FDE) {
		if f.NumFREs() == 0 {
			return
		}
		if r := f.FRE(0); r.Start() != 0 {
			c.FRE(r, r.StartSpan(), "the function's first FRE starts at offset %d, expected 0: no FRE covers the bytes before it, and a trace that reaches them ends", r.Start())
		}
	})
})

// Order finds FREs out of order.
var Order = rules.New(rules.Rule{
	ID:       "SF3005",
	Title:    "FREs do not ascend",
	Clause:   "SFrame FRE",
	Needs:    []rules.Fact{rules.FREsKnown},
	Severity: rules.Error,
	Text: `The FREs of a function are sorted by start, and each start exceeds the
previous one. Consumers walk them up to the first start after the PC, so they never
reach an FRE that is out of order, or they stop at it too early. Of two FREs with the
same start they find an arbitrary one. The Linux kernel disables the section.`,
	Fix:  `Sort the FREs. Of several with the same start, keep the last.`,
	Good: `FREs at 0, 1, 4, 0x3f`,
	Bad:  `FREs at 0, 4, 1, 0x3f`,
}, func(c *rules.Context) {
	c.Survey().Each(survey.RowsUnordered, func(f model.FDE) {
		limit, mask := f.Extent(), f.PCType() == model.SFRAME_FDE_PCTYPE_MASK
		prev := int64(-1)
		for r := range f.FREs() {
			start := r.Start()
			// Another rule reports an FRE beyond the function; the FREs after it
			// must not count as out of order. One that starts at the function's
			// end is allowed, but keeps consumers from reaching the FREs after it.
			if limit > 0 && (start > limit || start == limit && mask) {
				continue
			}
			if int64(start) <= prev {
				c.FRE(r, r.StartSpan(), "the FRE starts at offset 0x%x, an earlier one at 0x%x: starts must ascend strictly, or consumers miss FREs and the Linux kernel disables the section", start, prev)
			}
			prev = max(prev, int64(start))
		}
	})
})
