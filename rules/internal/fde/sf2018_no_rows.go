package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var NoRows = rules.New(rules.Rule{ID: "SF2018", Needs: rules.AttributesKnown}, func(c *rules.Context) {
	legal := c.Section.Version().Info().OutermostFDE
	c.SFrame.Survey().Each(model.NoRows, func(f model.FDE) {
		switch {
		case f.ClaimedFREs() != 0 || legal && (!f.HasAttr() || !f.Flex()):
		case legal:
			c.FDE(f, model.FDENumFREs, "sfda_func_num_fres is 0 in a flexible FDE, but only a default FDE can mark an outermost frame in this way")
		default:
			c.FDE(f, model.FDENumFREs, "sfde_func_num_fres is 0, which has no meaning in version %d: the FDE describes nothing, and every trace ends in the function", uint8(c.Section.Version()))
		}
	})
})

var Wraps = rules.New(rules.Rule{ID: "SF2019", Needs: rules.FDEsKnown}, func(c *rules.Context) {
	s := c.Section
	if c.Object.Relocatable() {
		return // SF2014 compares the offsets with the size of their section
	}
	first := 0
	if prereq.Distinct(s) {
		first = max(0, s.NumFDEs()-1) // any other function would overlap later ones
	}
	for i := first; i < s.NumFDEs(); i++ {
		if start := s.Function(i); start.Resolved && start.Start > start.Start+uint64(start.Size) {
			f := s.FDE(i)
			if !wraps(f) {
				continue
			}
			c.FDE(f, model.FDEFuncSize, "the function starts at 0x%x and ends beyond the 64-bit address space (%s %d): consumers compute an end before the start", f.Start(), c.Section.FieldName(model.FDEFuncSize), f.Size())
		}
	}
})

func wraps(f model.FDE) bool { return f.Size() > 0 && f.End()-1 < f.Start() }
