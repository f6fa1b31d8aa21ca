package header

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Magic finds a section that does not begin with the magic number.
var Magic = rules.New(rules.Rule{
	ID:       "SF1001",
	Title:    "wrong magic number",
	Clause:   "SFrame Preamble",
	Severity: rules.Error,
	Scope:    rules.PerBytes,
	Text: `A section begins with sfp_magic, which is 0xdee2 in the byte order of the
target. Readers recognize the format and learn the byte order from it. With any other
value nothing after it can be read, and every consumer rejects the section.`,
	Fix:  `Find out what wrote the section: the bytes are damaged, or they are not SFrame.`,
	Good: `sfp_magic = e2 de (little-endian) or de e2 (big-endian)`,
	Bad:  `sfp_magic = e2 5e`,
}, func(c *rules.Context) {
	c.Faults(reader.BadMagic, func(f reader.Fault) {
		c.Fault(f, "sfp_magic is 0x%04x (read as little-endian), expected 0xdee2 in either byte order: no consumer recognizes the section as SFrame", f.Got)
	})
})
