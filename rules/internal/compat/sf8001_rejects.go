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
		Text: `A selected consumer refuses the section or a function in it: it reports an
error or continues without the data. Most consumers read one version of the format and
require more than the format does. Linux requires version 3 with sorted functions and
no auxiliary header, glibc 2.42 requires version 2, and GNU ld 2.46 and later require
version 3 in a section of type SHT_GNU_SFRAME. docs/consumers.md lists the
requirements of each consumer and their sources.`,
		Fix:  `Assemble and link with tools that write what the consumer reads, or use another consumer.`,
		Good: `for linux: sfp_version = 3, sfp_flags = FDE_SORTED | FDE_FUNC_START_PCREL`,
		Bad:  `for linux: sfp_version = 2`,
	}, selected, consumers.Rejects)
}
