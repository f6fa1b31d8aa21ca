package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/flex"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// FlexValue finds RA and FP that are sums instead of saved values.
var FlexValue = sound.Rule(rules.Rule{
	ID:       "SF3022",
	Title:    "RA or FP is a register plus an offset",
	Clause:   flexClause,
	Versions: onlyV3,
	Severity: rules.Warning,
	Text: `RA and FP of the caller are saved in memory (deref_p set) or kept in a register as
they are (offset 0). A register plus an offset is an address, mostly one inside the frame:
no return address, and hardly a frame pointer, so that a trace goes astray there. Probably
deref_p was meant to be set.`,
	Fix:  `Set deref_p, or the offset to 0.`,
	Good: `33 08: *(rbp+8)`,
	Bad:  `31 08: rbp+8`,
}, func(c *rules.Context) {
	bad := func(e flex.Entity) bool {
		return e.Role != flex.CFA && e.Whole && e.RegP() && !e.DerefP() && e.Offset != 0
	}
	entities(c, bad, func(r model.FRE, e flex.Entity) {
		c.FRE(r, r.WordSpan(e.Word), "the control word for %v is 0x%x and the offset %d: without deref_p the value is %s%+d itself, an address instead of what is saved there; was deref_p meant to be set?",
			e.Role, e.Control, e.Offset, c.Section.ABI().RegName(e.Reg()), e.Offset)
	})
})

// FlexBase finds a base register where control words name it.
var FlexBase = sound.Rule(rules.Rule{
	ID:       "SF3023",
	Title:    "base register bit in a flexible row",
	Clause:   flexClause,
	Versions: onlyV3,
	Severity: rules.Warning,
	Text: `Bit 0 of the info byte chooses SP or FP as the base of the CFA in rows of default
type. Flexible rows name the base in a control word and have no use for the bit; GNU as
always writes 0. A set bit suggests that the row was written for the default type, and
that its words mean something else than a tracer takes them for.`,
	Fix:  `Clear the bit, or correct the FDE type.`,
	Good: `flexible: info = 04`,
	Bad:  `flexible: info = 05`,
}, func(c *rules.Context) {
	bad := func(r model.FRE) bool {
		return r.FDEType() == model.SFRAME_FDE_TYPE_FLEX && r.Base() == model.SFRAME_BASE_REG_SP
	}
	c.Rows(bad, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the info byte is 0x%02x with bit 0 set: flexible rows name the CFA's base in a control word, and producers leave the bit 0; was the row meant for the default FDE type?", r.Info())
	})
})
