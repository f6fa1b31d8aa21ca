package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// FixedRA finds a fixed RA offset that is not the ABI's.
var FixedRA = rules.New(rules.Rule{
	ID:       "SF1008",
	Title:    "fixed RA offset is not the ABI's",
	Clause:   "SFrame Header",
	Severity: rules.Error,
	Text: `sfh_cfa_fixed_ra_offset is the offset from the CFA at which RA is saved, on an
ABI that fixes it. On AMD64 it is -8, where the call instruction pushes RA. AArch64
and s390x fix no offset; there the field is 0 and each FRE gives the place of RA. With
a wrong value a tracer reads the return address of every frame from the wrong slot.`,
	Fix:  `Set -8 (0xf8) for AMD64, 0 for AArch64 and s390x.`,
	Good: `AMD64: sfh_cfa_fixed_ra_offset = f8`,
	Bad:  `AMD64: sfh_cfa_fixed_ra_offset = f0`,
}, func(c *rules.Context) {
	abi, got := c.Section.ABI(), c.Section.Header().FixedRAOffset
	if abi.Known() && got != abi.FixedRA {
		c.Header(model.HdrFixedRA, "sfh_cfa_fixed_ra_offset is %d, but %s has %s: a tracer reads every return address from the wrong slot", got, abi.Name, fixedOffset(abi.FixedRA))
	}
})

func fixedOffset(v int8) string {
	switch v {
	case 0:
		return "no fixed offset (0)"
	case -8:
		return "-8"
	}
	return "another"
}
