package container

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Exceeded finds what was not read because it exceeds a budget.
var Exceeded = rules.New(rules.Rule{
	ID:       "SF5033",
	Title:    "budget exceeded",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `To read and check the file costs more memory, bytes read, work, bytes of names
or time than the run allows, and the rest was not checked. No real program comes
near the default budgets. A small file can claim any size: most likely this one is
damaged, or was made to exhaust its readers.`,
	Fix:  `Find out which part of the file is so large. If it is correct, raise the limit that the message names.`,
	Good: `30 section headers`,
	Bad:  `300,000,000 section headers in a sparse file`,
}, func(c *rules.Context) {
	c = c.WithoutBudget()
	faults(c, reader.BudgetExceeded, func(f reader.Fault) {
		c.File(f.Span, "not checked to the end: %s", f.Detail)
	})
})
