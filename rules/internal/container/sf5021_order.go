package container

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// RelocOrder finds relocations out of the order of the FDEs.
var RelocOrder = rules.New(rules.Rule{
	ID:       "SF5021",
	Title:    "relocations out of order",
	Clause:   relocClause,
	Files:    rules.RelocatableFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.RelocationsKnown},
	Severity: rules.Error,
	Text: `When GNU ld merges sections, it ignores the offsets of relocations and pairs
the i-th relocation with the i-th FDE. If the orders differ, it gives functions each
other's FREs and deletes the wrong FDE for a discarded section. mold walks both in
step and leaves out functions.`,
	Fix:  `Write the relocations in ascending order of their offsets.`,
	Good: `relocations of FDE 0, 1, 2`,
	Bad:  `relocations of FDE 0, 2, 1`,
}, func(c *rules.Context) {
	last := -1
	eachReloc(c, func(r *reader.Reloc, to target) {
		if !to.start || !live(c, r) {
			return
		}
		if to.fde < last {
			c.FileFDE(to.fde, r.Entry, "the relocation of FDE %d comes after that of FDE %d: GNU ld pairs relocations and FDEs by position and gives functions each other's FREs", to.fde, last)
		}
		last = to.fde
	})
})
