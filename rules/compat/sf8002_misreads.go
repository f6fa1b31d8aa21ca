package compat

import (
	"github.com/sframe-lint/sframe-lint/consumers"
	"github.com/sframe-lint/sframe-lint/rules"
)

// misreads finds sections that a consumer takes for something else.
func misreads(selected []*consumers.Profile) *rules.Rule {
	return bound(rules.Rule{
		ID:       "SF8002",
		Title:    "section that a consumer misreads",
		Severity: rules.Error,
		Text: `A consumer that was selected takes the section, or a part of it, for something
else and does not say so: stack traces come out wrong, or end early. Some consumers do not
look at a field where the format lets it vary (llvm-readobj takes the FREs to follow the
FDEs, whatever sfh_freoff says), some know an older state of the format, and some have
bugs.

What each consumer demands, and where that is known from, is in docs/consumers.md.`,
		Fix:  `Give the consumer what it expects; where the section is right, have the consumer mended.`,
		Good: `for llvm-23: sfh_num_fdes = 4, sfh_fdeoff = 0, sfh_freoff = 80`,
		Bad:  `for llvm-23: sfh_num_fdes = 4, sfh_fdeoff = 0, sfh_freoff = 88`,
	}, selected, consumers.Misreads)
}
