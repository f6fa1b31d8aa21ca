package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var NoRows = rules.New(rules.Rule{
	ID:       "SF2018",
	Clause:   "SFrame FDE",
	Needs:    []rules.Fact{rules.AttributesKnown},
	Severity: rules.Warning,
}, func(c *rules.Context) {
	legal := c.Section.Version().Info().OutermostFDE
	c.SFrame.Survey().Each(model.NoRows, func(f model.FDE) {
		switch {
		case f.ClaimedFREs() != 0 || legal && (!f.HasAttr() || f.Type() != model.SFRAME_FDE_TYPE_FLEX):
		case legal:
			c.FDE(f, model.FDENumFREs, "sfda_func_num_fres is 0 in an FDE of the flexible type: only an FDE of the default type may have no FREs and thereby mark an outermost frame")
		default:
			c.FDE(f, model.FDENumFREs, "sfde_func_num_fres is 0: in %v such an FDE describes nothing, and every trace ends in the function", c.Section.Version())
		}
	})
})
