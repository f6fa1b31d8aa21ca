package container

import "github.com/sframe-lint/sframe-lint/rules"

// SectionTwice finds sections after the first.
var SectionTwice = rules.New(rules.Rule{
	ID:       "SF5015",
	Title:    "several .sframe sections in a linked file",
	Clause:   "SFrame Section",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `A linker merges the SFrame sections of its inputs into one section, sorted by
function start. Readers at run time follow one segment to one section, and tools use
the first section that they find, so the functions of the other sections have no data.
Object files may have several, for example one for each section group.`,
	Fix:  `Check the linker script: all input sections .sframe go into one output section.`,
	Good: `.sframe`,
	Bad:  `.sframe, .sframe`,
}, func(c *rules.Context) {
	all := mapped(c.Object)
	for _, s := range all[min(1, len(all)):] {
		c.File(s.Header, "%s at 0x%x is an additional SFrame section, the first is at 0x%x: readers use one and find no data for the functions of the other", s.Name, s.Addr, all[0].Addr)
	}
})
