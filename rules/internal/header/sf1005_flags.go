package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Flags finds flag bits that the section's version does not define.
var Flags = rules.New(rules.Rule{
	ID:       "SF1005",
	Title:    "undefined flag bits",
	Clause:   "SFrame Flags",
	Severity: rules.Error,
	Text: `The defined bits of sfp_flags are SFRAME_F_FDE_SORTED (0x1),
SFRAME_F_FRAME_POINTER (0x2, versions 1 and 2) and SFRAME_F_FDE_FUNC_START_PCREL (0x4,
version 3 and version 2 since errata 1). All other bits must be zero. A later version
may use them to change how the section is read, and libsframe rejects a section in
which one is set.`,
	Fix:  `Clear the bits.`,
	Good: `sfp_flags = 05 (SORTED, PCREL)`,
	Bad:  `sfp_flags = 45`,
}, func(c *rules.Context) {
	h := c.Section.Header()
	if !h.Version.Known() {
		return
	}
	if bad := h.Flags &^ model.DefinedFlags(h.Version); bad != 0 {
		c.WithFix(rules.Fix{
			Message: "clear the undefined bits of sfp_flags", Safe: true,
			Edits: []rules.Edit{c.SetField(model.HdrFlags.Span(), uint64(h.Flags&^bad))},
		}).Header(model.HdrFlags, "sfp_flags is 0x%02x: %v does not define the bits 0x%02x, which must be zero, and libsframe rejects the section", uint8(h.Flags), h.Version, uint8(bad))
	}
})
