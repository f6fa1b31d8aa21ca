package container

import "github.com/sframe-lint/sframe-lint/rules"

// SegmentAlone finds segments without a section.
var SegmentAlone = rules.New(rules.Rule{
	ID:       "SF5014",
	Title:    "PT_GNU_SFRAME without a .sframe section",
	Clause:   "Overview",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `The file has a PT_GNU_SFRAME segment and section headers, but none of a .sframe
section: the section has been removed and its segment forgotten. A reader at run time
takes whatever stands there now for SFrame data.

A file that has lost all its section headers is not reported; there the segment is all
that is left.`,
	Fix:  `Link again, with the option to leave SFrame data out where it is not wanted.`,
	Good: `GNU_SFRAME and .sframe`,
	Bad:  `GNU_SFRAME, but no .sframe`,
}, func(c *rules.Context) {
	p, ok := segment(c.Object)
	if !ok || len(c.Object.ELF.Sections) == 0 {
		return
	}
	for i := range c.Object.ELF.Sections {
		if c.Object.ELF.Sections[i].IsSFrame() {
			return
		}
	}
	c.File(pType.in(p.Header), "there is a PT_GNU_SFRAME segment, p_filesz %d, at 0x%x, but no .sframe section: a reader at run time takes whatever is there for SFrame data", p.Filesz, p.Vaddr)
})
