package compat

import (
	"github.com/sframe-lint/sframe-lint/consumers"
	"github.com/sframe-lint/sframe-lint/rules"
)

// ignores finds sections that a consumer does not read.
func ignores(selected []*consumers.Profile) *rules.Rule {
	return bound(rules.Rule{
		ID:       "SF8004",
		Title:    "section that a consumer ignores",
		Severity: rules.Note,
		Text: `A selected consumer does not read the section and reports no error. Either it
does not find the section, as an unwinder without PT_GNU_SFRAME, or it drops the
section, as mold drops any version but 3, or it treats the section as plain data, as
lld, which concatenates the sections of its inputs. docs/consumers.md lists the
requirements of each consumer and their sources.`,
		Fix:  `Use a linker that merges SFrame sections. For an unwinder, link so that a PT_GNU_SFRAME segment covers the section.`,
		Good: `for mold-3: sfp_version = 3`,
		Bad:  `for mold-3: sfp_version = 2`,
	}, selected, consumers.Ignores)
}
