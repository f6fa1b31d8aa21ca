package container

import "github.com/sframe-lint/sframe-lint/rules"

// SegmentAlone finds segments without a section.
var SegmentAlone = rules.New(rules.Rule{
	ID:       "SF5014",
	Title:    "PT_GNU_SFRAME without a .sframe section",
	Clause:   "Overview",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `The file has a PT_GNU_SFRAME segment and section headers, but no .sframe
section: the section was removed and the segment was not. A reader at run time treats
the bytes that are there now as SFrame data. The rule skips a file without any section
headers, as the segment is then all that is left.`,
	Fix:  `Link again, with the option to leave out SFrame data if it is not wanted.`,
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
	c.File(pType.in(p.Header), "PT_GNU_SFRAME has %d bytes at 0x%x, but there is no .sframe section: a reader at run time treats the bytes there as SFrame data", p.Filesz, p.Vaddr)
})
