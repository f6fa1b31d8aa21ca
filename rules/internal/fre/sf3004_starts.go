package fre

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var FirstLate = rules.New(rules.Rule{ID: "SF3004", Needs: rules.FREsKnown}, func(c *rules.Context) {
	c.SFrame.Survey().Each(model.FirstRowLate, func(f model.FDE) {
		if f.NumFREs() == 0 {
			return
		}
		if r := f.FRE(0); r.Start() != 0 {
			c.FRE(r, r.StartSpan(), "the function's first FRE starts at offset %d, expected 0: the code before that offset has no FRE, and a tracer stops there", r.Start())
		}
	})
})

var Order = rules.New(rules.Rule{ID: "SF3005", Needs: rules.FREsKnown}, func(c *rules.Context) {
	c.SFrame.Survey().Each(model.RowsUnordered, func(f model.FDE) {
		limit, mask := f.Extent(), f.Mask()
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
				c.FRE(r, r.StartSpan(), "the FRE's start (offset 0x%x) is not greater than that of an earlier FRE (0x%x): consumers miss FREs, and the Linux kernel disables the section", start, prev)
			}
			prev = max(prev, int64(start))
		}
	})
})

var AtEnd = rules.New(rules.Rule{ID: "SF3006", Needs: rules.FREsKnown}, func(c *rules.Context) {
	eachBeyond(c, func(f model.FDE, r model.FRE) {
		if !hasStub(f) && r.Start() == f.Size() {
			x := c
			if r.Start() > 0 {
				x = c.With(rules.Help(fmt.Sprintf("remove the CFI directives after the last instruction, at +0x%x of the function, or move them before it", r.Start())))
			}
			x.FRE(r, r.StartSpan(), "the FRE starts at offset 0x%x, where the function ends (%s): the FRE covers no byte and is useless", r.Start(), c.Section.FieldName(model.FDEFuncSize))
		}
	})
})

var BeyondEnd = rules.New(rules.Rule{ID: "SF3007", Needs: rules.FREsKnown}, func(c *rules.Context) {
	eachBeyond(c, func(f model.FDE, r model.FRE) {
		if !hasStub(f) && r.Start() > f.Size() {
			c.FRE(r, r.StartSpan(), "the FRE starts at offset 0x%x, but %s is 0x%x: objdump and GNU ld abort on an assertion, and the Linux kernel disables the section", r.Start(), c.Section.FieldName(model.FDEFuncSize), f.Size())
		}
	})
})

var BeyondStub = rules.New(rules.Rule{ID: "SF3008", Needs: rules.FREsKnown}, func(c *rules.Context) {
	eachBeyond(c, func(f model.FDE, r model.FRE) {
		if hasStub(f) && r.Start() >= uint32(f.RepSize()) {
			c.FRE(r, r.StartSpan(), "the FRE starts at offset 0x%x, but the stub has only 0x%x bytes (%s): consumers reduce PCs modulo this size and never find the FRE", r.Start(), f.RepSize(), c.Section.FieldName(model.FDERepSize))
		}
	})
})

// hasStub reports whether the FREs count from the start of a repeated stub.
func hasStub(f model.FDE) bool {
	return f.Mask() && f.RepSize() != 0
}

// eachBeyond yields the FREs that start beyond what the FDE covers. It skips
// empty functions: there the size is wrong, not the FREs.
func eachBeyond(c *rules.Context, yield func(model.FDE, model.FRE)) {
	c.SFrame.Survey().Each(model.RowBeyond, func(f model.FDE) {
		if f.Size() == 0 {
			return
		}
		for r := range f.FREs() {
			if r.Start() >= f.Extent() {
				yield(f, r)
			}
		}
	})
}
