package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// NoRows finds FDEs that describe nothing.
var NoRows = sound.Rule(rules.Rule{
	ID:       "SF2018",
	Title:    "FDE without FREs",
	Clause:   "SFrame FDE",
	Severity: rules.Warning,
	Text: `In versions 1 and 2 an FDE without FREs says nothing: a tracer that comes into
the function stops, as it would without the FDE. libsframe fails to find a row there. In
version 3 it marks an outermost frame, but only an FDE of the default type may have none.`,
	Fix:  `Leave the FDE out; for an outermost frame of version 2 write one row without data words.`,
	Good: `V2: sfde_func_num_fres = 1, a row without data words`,
	Bad:  `V2: sfde_func_num_fres = 0`,
}, func(c *rules.Context) {
	if !c.Section.Survey().Has(model.NoRows) {
		return
	}
	v3 := c.Section.Version() == model.SFRAME_VERSION_3
	c.EachFDE(func(f model.FDE) {
		switch {
		case f.ClaimedFREs() != 0 || v3 && (!f.HasAttr() || f.Type() != model.SFRAME_FDE_TYPE_FLEX):
		case v3:
			c.FDE(f, model.FDENumFREs, "sfda_func_num_fres is 0 in an FDE of the flexible type: that an FDE without FREs marks an outermost frame is said of the default type alone")
		default:
			c.FDE(f, model.FDENumFREs, "sfde_func_num_fres is 0: in %v that says nothing of the function, and every trace through it ends", c.Section.Version())
		}
	})
})
