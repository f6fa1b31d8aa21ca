package container

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// SegmentTwice finds segments after the first.
var SegmentTwice = rules.New(rules.Rule{
	ID:       "SF5012",
	Title:    "several PT_GNU_SFRAME segments",
	Clause:   "Overview",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `A file has one SFrame section and one segment for it. A reader at run time
uses either the first or the last PT_GNU_SFRAME segment and finds no data for the
functions of the others.`,
	Fix:  `Make the linker merge the SFrame sections of all inputs into one, with one segment.`,
	Good: `LOAD, LOAD, GNU_SFRAME`,
	Bad:  `LOAD, LOAD, GNU_SFRAME, GNU_SFRAME`,
}, func(c *rules.Context) {
	if !linked(c.Object) || hasFault(c.Object, reader.ELFDamaged) {
		return
	}
	all := c.Object.ELF.SFrameSegments()
	for _, i := range all[min(1, len(all)):] {
		c.File(pType.in(c.Object.ELF.Segments[i].Header), "program header %d is PT_GNU_SFRAME, as is program header %d: a reader at run time uses one and finds no data for the functions of the others", i, all[0])
	}
})
