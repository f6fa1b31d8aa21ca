package compat

import (
	"github.com/sframe-lint/sframe-lint/consumers"
	"github.com/sframe-lint/sframe-lint/rules"
)

// crashes finds sections that a consumer dies of.
func crashes(selected []*consumers.Profile) *rules.Rule {
	return bound(rules.Rule{
		ID:       "SF8003",
		Title:    "section that a consumer crashes on",
		Severity: rules.Error,
		Text: `A consumer that was selected dies of the section: an assertion ends it, it divides
by zero, or it reads beyond its bytes. "May crash" says that the consumer reads bytes that
do not belong to the section; it depends on these whether it dies or shows nonsense.

What each consumer demands, and where that is known from, is in docs/consumers.md.`,
		Fix:  `Build the section anew; where it is right, have the consumer mended.`,
		Good: `for libsframe-2.47: the FREs of a function of 16 bytes start at 0, 1 and 4`,
		Bad:  `for libsframe-2.47: the FREs of a function of 16 bytes start at 0, 1 and 20`,
	}, selected, consumers.Crashes)
}
