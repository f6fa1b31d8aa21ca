package container

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

var Exceeded = faultRule(rules.Rule{ID: "SF5033"}, reader.BudgetExceeded, func(c *rules.Context, f reader.Fault) {
	c.With(rules.Unbounded).File(f.Span, "not checked to the end: %s", f.Detail)
})
