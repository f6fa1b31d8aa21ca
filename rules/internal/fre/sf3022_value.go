package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/flex"
)

// FlexValue finds RA and FP that are addresses instead of saved values.
var FlexValue = flexRule(rules.Rule{
	ID:       "SF3022",
	Title:    "RA or FP is a register plus an offset",
	Severity: rules.Warning,
	Text: `RA and FP of the caller are saved in memory (deref_p set) or kept unchanged in
a register (offset 0). A register plus an offset is an address, usually one inside the
frame. It is not a return address and hardly ever a frame pointer, so a trace goes
wrong. Probably deref_p should be set.`,
	Fix:  `Set deref_p, or the offset to 0.`,
	Good: `33 08: *(rbp+8)`,
	Bad:  `31 08: rbp+8`,
}, func(c *rules.Context) {
	bad := func(e flex.Entity) bool {
		return e.Role != flex.CFA && e.Whole && e.RegP() && !e.DerefP() && e.Offset != 0
	}
	entities(c, bad, func(r model.FRE, e flex.Entity) {
		c.FRE(r, r.WordSpan(e.Word), "the control word for %v is 0x%x and the offset %d: with deref_p clear the value is %s%+d, an address and not the value saved there; set deref_p, or the offset to 0",
			e.Role, e.Control, e.Offset, c.Section.ABI().RegName(e.Reg()), e.Offset)
	})
})

// FlexBase finds the base register bit in flexible FREs.
var FlexBase = flexRule(rules.Rule{
	ID:       "SF3023",
	Title:    "base register bit set in a flexible FRE",
	Severity: rules.Warning,
	Text: `Bit 0 of the info byte selects SP or FP as the base of the CFA in an FRE of
the default type. A flexible FRE has the base in a control word and ignores the bit;
GNU as always writes 0. If the bit is set, the FRE may have been written for the
default type, and a tracer misreads its words.`,
	Fix:  `Clear the bit, or correct the FDE type.`,
	Good: `flexible: info = 04`,
	Bad:  `flexible: info = 05`,
}, func(c *rules.Context) {
	bad := func(r model.FRE) bool {
		return r.FDEType() == model.SFRAME_FDE_TYPE_FLEX && r.Base() == model.SFRAME_BASE_REG_SP
	}
	c.Rows(bad, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the info byte is 0x%02x, with bit 0 set: flexible FREs have the CFA's base in a control word, and producers write 0; clear the bit, or correct the FDE type", r.Info())
	})
})
