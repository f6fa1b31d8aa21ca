package container

import "github.com/sframe-lint/sframe-lint/rules"

// NoSegment finds linked files without a PT_GNU_SFRAME segment. It reports
// e_phnum, the number of program headers, one of which is missing.
var NoSegment = rules.New(rules.Rule{
	ID:       "SF5009",
	Title:    "no PT_GNU_SFRAME segment",
	Clause:   "Overview",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `In a linked file the SFrame section has a segment of its own, PT_GNU_SFRAME. A
running program has no section headers, so the segment is the only way for a C
library, a kernel or a profiler to find the SFrame data of a loaded file. Linkers
without SFrame support (lld, gold) write no such segment. An exception is a program
that finds its section through symbols of its linker script, as the Linux kernel does.`,
	Fix:  `Use a linker with SFrame support: GNU ld, or mold 3 or later.`,
	Good: `LOAD, LOAD, GNU_SFRAME`,
	Bad:  `LOAD, LOAD`,
}, func(c *rules.Context) {
	all := mapped(c.Object)
	if _, ok := segment(c.Object); ok || len(all) == 0 {
		return
	}
	c.File(ePhnum, "none of the %d program headers is PT_GNU_SFRAME: at run time no unwinder finds %s of %d bytes", len(c.Object.ELF.Segments), all[0].Name, all[0].Size)
})
