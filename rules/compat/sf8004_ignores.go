package compat

import (
	"github.com/sframe-lint/sframe-lint/consumers"
	"github.com/sframe-lint/sframe-lint/rules"
)

// ignores finds sections that a consumer does not look at.
func ignores(selected []*consumers.Profile) *rules.Rule {
	return bound(rules.Rule{
		ID:       "SF8004",
		Title:    "section that a consumer ignores",
		Severity: rules.Note,
		Text: `A consumer that was selected does not look at the section, without a word: it does
not find it, as an unwinder without PT_GNU_SFRAME, it drops it, as mold any version but 3,
or it takes it for plain data, as lld, which puts the inputs' sections in a row.

What each consumer demands, and where that is known from, is in docs/consumers.md.`,
		Fix:  `Link with a linker that merges SFrame sections, and for an unwinder so that a PT_GNU_SFRAME segment leads to the section.`,
		Good: `for mold-3: sfp_version = 3`,
		Bad:  `for mold-3: sfp_version = 2`,
	}, selected, consumers.Ignores)
}
