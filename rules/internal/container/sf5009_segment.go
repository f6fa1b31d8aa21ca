package container

import "github.com/sframe-lint/sframe-lint/rules"

// NoSegment finds linked files whose section no segment leads to. It reports
// e_phnum, the count of the program headers, one of which is missing.
var NoSegment = rules.New(rules.Rule{
	ID:       "SF5009",
	Title:    "no PT_GNU_SFRAME segment",
	Clause:   "Overview",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `In a linked file the SFrame section has a segment of its own, PT_GNU_SFRAME.
Section headers are not part of a running program: the segment is the only way in which
a C library, a kernel or a profiler gets from a loaded file to its SFrame data. Linkers
that don't know the format (lld, gold) leave the segment out.

The exception is a program that finds its own section by symbols of its linker script,
as the Linux kernel does.`,
	Fix:  `Link with a linker that knows the format: GNU ld, or mold from version 3 on.`,
	Good: `LOAD, LOAD, GNU_SFRAME`,
	Bad:  `LOAD, LOAD`,
}, func(c *rules.Context) {
	all := mapped(c.Object)
	if _, ok := segment(c.Object); ok || len(all) == 0 {
		return
	}
	c.File(ePhnum, "there is no PT_GNU_SFRAME among the program headers (%d): at run time no unwinder finds %s of %d bytes", len(c.Object.ELF.Segments), all[0].Name, all[0].Size)
})
