package header

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Truncated finds a section that ends inside its header.
var Truncated = rules.New(rules.Rule{
	ID:       "SF1002",
	Title:    "section shorter than its header",
	Clause:   "SFrame Header",
	Severity: rules.Error,
	Scope:    rules.PerBytes,
	Text: `The header has 28 bytes in every version of the format. A shorter section
describes no function. Consumers that do not check the size first, such as glibc, read
beyond the section. A section of size 0 is a different case: some producers leave one
as a placeholder (SF5002).`,
	Fix:  `Build the section again. If a tool cut it off, fix or replace that tool.`,
	Good: `a section of 28 bytes with sfh_num_fdes = 0`,
	Bad:  `a section of 12 bytes`,
}, func(c *rules.Context) {
	c.Faults(reader.TooShort, func(f reader.Fault) {
		if f.Got > 0 || c.Object.ELF == nil { // SF5002 reports an empty section of an ELF file
			c.Fault(f, "the section has %d bytes, but its header has %d: no consumer can read the section", f.Got, f.Want)
		}
	})
})
