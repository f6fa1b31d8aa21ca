package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// FREType finds an FRE type that the format does not define.
var FREType = rules.New(rules.Rule{
	ID:       "SF2001",
	Title:    "undefined FRE type",
	Clause:   "The SFrame FRE Types",
	Needs:    []rules.Fact{rules.AttributesKnown},
	Severity: rules.Error,
	Text: `Bits 0 to 3 of the info byte are the FRE type. It gives the width of the start
offsets of the function's FREs: 0 (ADDR1), 1 (ADDR2) or 2 (ADDR4) for 1, 2 or 4 bytes.
With another type the FREs cannot be decoded. objdump and GNU ld abort on an
assertion, mold may read beyond its input, and the Linux kernel disables the section.`,
	Fix:  `Set the type in which the FREs are written.`,
	Good: `V3: sfda_func_info = 01 (ADDR2)`,
	Bad:  `V3: sfda_func_info = 07`,
}, func(c *rules.Context) {
	c.FDEs(func(f model.FDE) bool { return f.FREType().Width() == 0 }, func(f model.FDE) {
		c.FDE(f, model.FDEInfo, "%s has FRE type %d, but only 0 (ADDR1), 1 (ADDR2) and 2 (ADDR4) are defined: the width of start offsets is unknown, and no consumer can decode the function's %d FREs",
			name(c, model.FDEInfo), uint8(f.FREType()), f.ClaimedFREs())
	})
})
