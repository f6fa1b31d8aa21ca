package header

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Version finds a version that has never been published.
var Version = rules.New(rules.Rule{
	ID:       "SF1003",
	Title:    "unknown version",
	Clause:   "SFrame Version",
	Severity: rules.Error,
	Text: `sfp_version is 1, 2 or 3. The layout of all that follows the preamble depends
on the version, so consumers reject a section with another number, and this tool
checks no more than its header.`,
	Fix:  `Set the version in which the rest of the section is written.`,
	Good: `sfp_version = 03`,
	Bad:  `sfp_version = 07`,
}, func(c *rules.Context) {
	c.Faults(reader.UnknownVersion, func(f reader.Fault) {
		c.Fault(f, "sfp_version is %d, but only versions 1, 2 and 3 have been published: consumers reject the section", f.Got)
	})
})
