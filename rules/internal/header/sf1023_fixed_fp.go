package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var FixedFPAMD64 = rules.New(rules.Rule{
	ID:       "SF1023",
	Clause:   "SFrame Header",
	ABIs:     model.ABIsWith(func(a model.ABIInfo) bool { return !a.TracksRA() }),
	Severity: rules.Warning,
}, func(c *rules.Context) {
	if got := c.Section.Header().FixedFPOffset; got != c.Section.ABI().FixedFP {
		c.At(model.HdrFixedFP.Span(), "sfh_cfa_fixed_fp_offset is %d, which no producer writes for AMD64: some consumers load FP from CFA%+d for every FRE, others read the data words", got, got)
	}
})
