package compat

import (
	"github.com/sframe-lint/sframe-lint/consumers"
	"github.com/sframe-lint/sframe-lint/rules"
)

// crashes finds sections that a consumer crashes on.
func crashes(selected []*consumers.Profile) *rules.Rule {
	return bound(rules.Rule{
		ID:       "SF8003",
		Title:    "section that a consumer crashes on",
		Severity: rules.Error,
		Text: `A selected consumer crashes on the section: it aborts on an assertion, divides
by zero, or reads out of bounds. "May crash" means that the consumer reads bytes
outside the section; their values decide whether it crashes or prints nonsense.
docs/consumers.md lists the requirements of each consumer and their sources.`,
		Fix:  `Build the section again. If it is correct, report the bug in the consumer.`,
		Good: `for libsframe-2.47: the FREs of a function of 16 bytes start at 0, 1 and 4`,
		Bad:  `for libsframe-2.47: the FREs of a function of 16 bytes start at 0, 1 and 20`,
	}, selected, consumers.Crashes)
}
