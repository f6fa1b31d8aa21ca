package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// FirstLate finds functions whose first bytes no row covers.
var FirstLate = sound.Rule(rules.Rule{
	ID:       "SF3004",
	Title:    "first row does not start at 0",
	Clause:   "SFrame FRE",
	Severity: rules.Warning,
	Text: `A row covers the PCs from its start to the start of the next one. No row covers
those in front of the first one's start, mostly the very entry of the function, so that
a trace ends when it comes there. No consumer checks this.`,
	Fix:  `Begin the function's rows with one at offset 0.`,
	Good: `rows at 0, 1, 4`,
	Bad:  `rows at 1, 4`,
}, func(c *rules.Context) {
	if !c.Section.Survey().Has(model.FirstRowLate) {
		return
	}
	c.EachFDE(func(f model.FDE) {
		if f.NumFREs() == 0 {
			return
		}
		if r := f.FRE(0); r.Start() != 0 {
			c.FRE(r, r.StartSpan(), "the function's first row starts at offset %d: no row covers the bytes in front of it, and a trace that comes there ends", r.Start())
		}
	})
})

// Order finds rows out of order.
var Order = sound.Rule(rules.Rule{
	ID:       "SF3005",
	Title:    "rows do not ascend",
	Clause:   "SFrame FRE",
	Severity: rules.Error,
	Text: `The rows of a function stand in the order of their starts, each start above the one
in front. Consumers walk them until one starts behind the PC, so they never come to a row
that is out of order, or stop at it too early; of two rows with one start they find one by
chance. The Linux kernel takes the section out of use.`,
	Fix:  `Sort the rows; of several with one start keep the last.`,
	Good: `rows at 0, 1, 4, 0x3f`,
	Bad:  `rows at 0, 4, 1, 0x3f`,
}, func(c *rules.Context) {
	if !c.Section.Survey().Has(model.RowsUnordered) {
		return
	}
	c.EachFDE(func(f model.FDE) {
		limit, mask := f.Extent(), f.PCType() == model.SFRAME_FDE_PCTYPE_MASK
		prev := int64(-1)
		for r := range f.FREs() {
			start := r.Start()
			// Behind the function it is another rule's error, which should not put
			// the next row in the wrong. At its end it is none, but keeps
			// consumers from what follows.
			if limit > 0 && (start > limit || start == limit && mask) {
				continue
			}
			if int64(start) <= prev {
				c.FRE(r, r.StartSpan(), "the row starts at offset 0x%x, one in front of it at 0x%x: starts must ascend strictly; consumers miss rows, and the Linux kernel rejects the function", start, prev)
			}
			prev = max(prev, int64(start))
		}
	})
})
