package container

import "github.com/sframe-lint/sframe-lint/rules"

// SectionTwice finds sections behind the first.
var SectionTwice = rules.New(rules.Rule{
	ID:       "SF5015",
	Title:    "several .sframe sections in a linked file",
	Clause:   "SFrame Section",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `A linker merges the SFrame sections of its inputs into one, sorted by function
start. Readers at run time follow one segment to one section, and tools take the first
that they find: the functions of the other sections have no data for them.

Object files may have several, one for each section group, say.`,
	Fix:  `Check the linker script: all input sections .sframe belong into one output section.`,
	Good: `.sframe`,
	Bad:  `.sframe, .sframe`,
}, func(c *rules.Context) {
	all := mapped(c.Object)
	for _, s := range all[min(1, len(all)):] {
		c.File(s.Header, "%s at 0x%x is not the file's only SFrame section, there is one at 0x%x: readers take one and have no data for the functions of the other", s.Name, s.Addr, all[0].Addr)
	}
})
