package crosscheck

import "github.com/sframe-lint/sframe-lint/rules"

// PLTUncovered finds PLTs without an FDE.
var PLTUncovered = rules.New(rules.Rule{
	ID:       "SF6005",
	Title:    "PLT without an FDE",
	Clause:   "SFrame FDE",
	Files:    rules.LinkedFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.AllFDEsKnown, rules.StartsAsFlagged},
	Severity: rules.Note,
	Text: `The linker makes the stubs of a PLT, so it alone can describe them. Where it has
not, a tracer that interrupts the program in a stub, on its way into another library, loses
the trace. GNU ld 2.40 makes no FDE for .plt.got; no GNU ld up to 2.47 makes any for the
PLTs of AArch64 and s390x and for that of a static program. mold 3 makes none at all.`,
	Fix:  `Link with GNU ld 2.46 or later, which covers the PLTs of AMD64; code that is compiled with ` + "`-fno-plt`" + ` needs no stubs.`,
	Good: `an FDE for .plt.got`,
	Bad:  `.plt.got without an FDE`,
}, func(c *rules.Context) {
	if !c.Linked() || c.Section.NumFDEs() == 0 {
		return
	}
	all := plts(c)
	if len(all) == 0 {
		return
	}
	fdes := covered(c.Section)
	for _, s := range all {
		_, begin := fdes.At(s.Addr)
		_, end := fdes.At(s.Addr + s.Size - 1)
		switch {
		case !begin && !end:
			c.File(s.Header, "no FDE covers %s (0x%x to 0x%x): a tracer that interrupts a stub there loses the trace", s.Name, s.Addr, s.Addr+s.Size)
		case !begin || !end:
			c.File(s.Header, "the FDEs cover %s (0x%x to 0x%x) in part: a tracer that interrupts one of the other stubs loses the trace", s.Name, s.Addr, s.Addr+s.Size)
		}
	}
})
