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
	Versions: upToV2,
	Severity: rules.Warning,
	Text: `In versions 1 and 2 an FDE without FREs says nothing: a tracer that comes into
the function stops, as it would without the FDE. (In version 3 it marks an outermost
frame.) libsframe fails to find a row there.`,
	Fix:  `Leave the FDE out; for an outermost frame of version 2 write one row without data words.`,
	Good: `V2: sfde_func_num_fres = 1, a row without data words`,
	Bad:  `V2: sfde_func_num_fres = 0`,
}, func(c *rules.Context) {
	if !c.Section.Survey().Has(model.NoRows) {
		return
	}
	c.EachFDE(func(f model.FDE) {
		if f.ClaimedFREs() == 0 {
			c.FDE(f, model.FDENumFREs, "sfde_func_num_fres is 0: in %v that says nothing of the function, and every trace through it ends", c.Section.Version())
		}
	})
})
