package compat

import (
	"github.com/sframe-lint/sframe-lint/consumers"
	"github.com/sframe-lint/sframe-lint/rules"
)

// misreads finds sections that a consumer misinterprets.
func misreads(selected []*consumers.Profile) *rules.Rule {
	return bound(rules.Rule{
		ID:       "SF8002",
		Title:    "section that a consumer misreads",
		Severity: rules.Error,
		Text: `A selected consumer misinterprets the section or a part of it and reports no
error: stack traces are wrong or end early. Some consumers ignore a field that the
format allows to vary (llvm-readobj assumes that the FREs follow the FDEs, whatever
sfh_freoff is), some implement an older state of the format, and some have bugs.
docs/consumers.md lists the requirements of each consumer and their sources.`,
		Fix:  `Give the consumer what it expects. If the section is correct, report the bug in the consumer.`,
		Good: `for llvm-23: sfh_num_fdes = 4, sfh_fdeoff = 0, sfh_freoff = 80`,
		Bad:  `for llvm-23: sfh_num_fdes = 4, sfh_fdeoff = 0, sfh_freoff = 88`,
	}, selected, consumers.Misreads)
}
