package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/flex"
)

var FlexUnusedRA = flexRule(rules.Rule{
	ID:       "SF3026",
	Severity: rules.Error,
}, func(c *rules.Context) {
	bad := func(e flex.Entity) bool { return e.Role == flex.RA && !e.RegP() && e.Reg() != 0 }
	entities(c, bad, func(r model.FRE, e flex.Entity) {
		c.FRE(r, r.WordSpan(e.Word), "the control word for RA is 0x%x, with register %d, but reg_p is clear: a tracer counts from the CFA instead of the register and recovers a wrong caller, or rejects the FRE", e.Control, e.Reg())
	})
})
