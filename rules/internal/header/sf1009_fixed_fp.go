package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// FixedFP finds a fixed FP offset that is not the ABI's.
var FixedFP = rules.New(rules.Rule{
	ID:       "SF1009",
	Title:    "fixed FP offset is not the ABI's",
	Clause:   "SFrame Header",
	Severity: rules.Error,
	Text: `sfh_cfa_fixed_fp_offset is where FP is saved, in bytes from the CFA, on an ABI
that fixes it. None of the three does, so it is 0 and the rows say where FP is. Any
other value makes a tracer load FP from a slot that was never written.`,
	Fix:  `Set 0.`,
	Good: `sfh_cfa_fixed_fp_offset = 00`,
	Bad:  `sfh_cfa_fixed_fp_offset = f0`,
}, func(c *rules.Context) {
	abi, got := c.Section.ABI(), c.Section.Header().FixedFPOffset
	if abi.Known() && got != abi.FixedFP {
		c.Header(model.HdrFixedFP, "sfh_cfa_fixed_fp_offset is %d; %s has no fixed offset (0): a tracer loads FP from a slot where it was not saved", got, abi.Name)
	}
})
