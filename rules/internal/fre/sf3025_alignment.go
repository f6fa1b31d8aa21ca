package fre

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var Misaligned = rules.New(rules.Rule{
	ID:       "SF3025",
	Clause:   "SFrame FRE",
	ABIs:     model.ABIsWith(model.ABIInfo.AlignsInsns),
	Needs:    []rules.Fact{rules.FREsKnown, rules.ABIKnown},
	Severity: rules.Error,
}, func(c *rules.Context) {
	abi := c.ABI
	c.SFrame.Survey().Each(model.RowMisaligned, func(f model.FDE) {
		var first model.FRE
		n, prev := 0, int64(-1)
		for r := range f.FREs() {
			// Other rules report an FRE out of order or beyond the end.
			if int64(r.Start())%abi.MinInsn != 0 && int64(r.Start()) > prev && r.Start() < f.Extent() {
				if n++; n == 1 {
					first = r
				}
			}
			prev = max(prev, int64(r.Start()))
		}
		if n == 0 {
			return
		}
		more := ""
		if n > 1 {
			more = fmt.Sprintf(", as do %d more of the function", n-1)
		}
		c.FRE(first, first.StartSpan(), "the FRE starts at offset 0x%x%s, but instructions of %s lie at multiples of %d: the start is wrong, and a tracer applies the FRE from a wrong instruction on", first.Start(), more, abi.Name, abi.MinInsn)
	})
})
