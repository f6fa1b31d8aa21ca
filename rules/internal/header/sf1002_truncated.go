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
	Text: `The header is 28 bytes long in every version of the format. A section that ends
before that describes nothing; consumers that do not compare its size first, such as
glibc, read beyond it. A section of size 0 is another matter: some producers leave one as
a placeholder (SF5002).`,
	Fix:  `Build the section anew; if a tool cut it off, find that tool.`,
	Good: `a section of 28 bytes with sfh_num_fdes = 0`,
	Bad:  `a section of 12 bytes`,
}, func(c *rules.Context) {
	c.Faults(reader.TooShort, func(f reader.Fault) {
		if f.Got > 0 || c.Object.ELF == nil { // an empty section of a file is another rule's
			c.Fault(f, "the section has %d bytes, the header alone takes %d: there is nothing that a consumer could read", f.Got, f.Want)
		}
	})
})
