package container

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// RelocOrder finds relocations that are not in the order of the FDEs.
var RelocOrder = rules.New(rules.Rule{
	ID:       "SF5021",
	Title:    "relocations out of order",
	Clause:   relocClause,
	Files:    rules.RelocatableFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.RelocationsKnown},
	Severity: rules.Error,
	Text: `GNU ld does not look at the offset of a relocation when it merges sections: it
takes the i-th relocation for that of the i-th FDE. Where they are not in the same order,
it gives functions each other's rows and deletes the wrong FDE with a discarded section.
mold goes through both in step and leaves functions out.`,
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
			c.FileFDE(to.fde, r.Entry, "the relocation of FDE %d comes behind that of FDE %d: GNU ld pairs relocations and FDEs one by one and gives functions each other's rows", to.fde, last)
		}
		last = to.fde
	})
})
