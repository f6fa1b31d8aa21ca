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
	Text: `The linker writes the stubs of a PLT, so only the linker can describe them. If
it does not, a tracer that interrupts the program in a stub loses the trace. GNU ld
2.40 writes no FDE for .plt.got. GNU ld up to 2.47 writes none for the PLTs of AArch64
and s390x and of static programs. mold 3 writes none at all.`,
	Fix:  `Use GNU ld 2.46 or later, which covers the PLTs of AMD64. Code compiled with ` + "`-fno-plt`" + ` needs no stubs.`,
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
			c.File(s.Header, "no FDE covers %s (0x%x to 0x%x): a tracer that interrupts the program in a stub there loses the trace", s.Name, s.Addr, s.Addr+s.Size)
		case !begin || !end:
			c.File(s.Header, "the FDEs cover only part of %s (0x%x to 0x%x): a tracer that interrupts the program in one of the other stubs loses the trace", s.Name, s.Addr, s.Addr+s.Size)
		}
	}
})
