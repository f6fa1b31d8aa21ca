package compat

import (
	"github.com/sframe-lint/sframe-lint/consumers"
	"github.com/sframe-lint/sframe-lint/rules"
)

// rejects finds sections that a consumer refuses.
func rejects(selected []*consumers.Profile) *rules.Rule {
	return bound(rules.Rule{
		ID:       "SF8001",
		Title:    "section that a consumer rejects",
		Severity: rules.Error,
		Text: `A consumer that was selected refuses the section, or a function in it: it says so, or
does without the data. Most consumers read one version of the format and demand more than
the format does: Linux wants version 3 with sorted functions and no auxiliary header, glibc
2.42 version 2, GNU ld from 2.46 on version 3 in a section of type SHT_GNU_SFRAME.

What each consumer demands, and where that is known from, is in docs/consumers.md.`,
		Fix:  `Assemble and link with tools that write what the consumer reads, or use a consumer that reads what there is.`,
		Good: `for linux: sfp_version = 3, sfp_flags = FDE_SORTED | FDE_FUNC_START_PCREL`,
		Bad:  `for linux: sfp_version = 2`,
	}, selected, consumers.Rejects)
}
