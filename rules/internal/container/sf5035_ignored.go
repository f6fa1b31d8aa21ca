package container

import "github.com/sframe-lint/sframe-lint/rules"

// Ignored finds linked files in which nothing is left of the inputs' sections.
var Ignored = rules.New(rules.Rule{
	ID:       "SF5035",
	Title:    "empty .sframe section in a linked file",
	Clause:   "SFrame Section",
	Severity: rules.Error,
	Scope:    rules.PerBytes,
	Text: `The inputs had SFrame sections, or the linker would not have made one, but the section of the
output has no bytes: the linker ignored the data of all inputs. GNU ld 2.47 ignores sections of versions 1 and 2.
A tracer stops at each function of the file.`,
	Fix:  `Link inputs of the version that the linker writes. Look for "SFrame section ignored" in its output.`,
	Good: `.sframe with a header and FDEs`,
	Bad:  `.sframe with sh_size = 0 in an executable`,
}, func(c *rules.Context) {
	if c.Object.ELF == nil || c.Relocatable() {
		return
	}
	if s, ok := c.Object.ELF.SectionOf(c.SFrame); ok && s.Size == 0 {
		c.File(s.Header, "%s has size 0 in a linked file: the linker ignored the SFrame data of all inputs, and a tracer stops at each function; link inputs of the version that the linker writes", s.Name)
	}
})
