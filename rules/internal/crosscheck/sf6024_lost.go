package crosscheck

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Lost is the rule on inputs of which a part of the SFrame data is lost.
var Lost = newInputRule(rules.Rule{
	ID:       "SF6024",
	Severity: rules.Error,
}, func(c *rules.Context, all []coverage.Input) {
	all = slices.DeleteFunc(slices.Clone(all), func(in coverage.Input) bool { return !in.Lost })
	n := 0
	for _, in := range all {
		n += in.Functions
	}
	if n > 0 {
		c.At(model.HdrNumFDEs.Span(), "no FDE covers %s with CFI: %s; functions of the same input before and after them have FDEs, so a part of its SFrame data was lost: a tracer stops there",
			rules.Count(n, "function"), inputList(all))
	}
})
