package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// NoRows finds FDEs without FREs.
var NoRows = rules.New(rules.Rule{
	ID:       "SF2018",
	Title:    "FDE without FREs",
	Clause:   "SFrame FDE",
	Needs:    []rules.Fact{rules.AttributesKnown},
	Severity: rules.Warning,
	Text: `In versions 1 and 2 an FDE without FREs describes nothing: a trace ends when
it reaches the function, as it would without the FDE, and libsframe finds no FRE for
it. In version 3 it marks an outermost frame, but only an FDE of the default type may
do so.`,
	Fix:  `Leave out the FDE. To mark an outermost frame in version 2, write one FRE without data words.`,
	Good: `V2: sfde_func_num_fres = 1, an FRE without data words`,
	Bad:  `V2: sfde_func_num_fres = 0`,
}, func(c *rules.Context) {
	legal := c.Section.Version().Info().OutermostFDE
	c.Survey().Each(model.NoRows, func(f model.FDE) {
		switch {
		case f.ClaimedFREs() != 0 || legal && (!f.HasAttr() || f.Type() != model.SFRAME_FDE_TYPE_FLEX):
		case legal:
			c.FDE(f, model.FDENumFREs, "sfda_func_num_fres is 0 in an FDE of the flexible type: only an FDE of the default type may have no FREs and thereby mark an outermost frame")
		default:
			c.FDE(f, model.FDENumFREs, "sfde_func_num_fres is 0: in %v such an FDE describes nothing, and every trace ends in the function", c.Section.Version())
		}
	})
})
