package container

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// DoubleReloc finds start fields with more than one relocation.
var DoubleReloc = rules.New(rules.Rule{
	ID:       "SF5022",
	Title:    "two relocations of one start field",
	Clause:   relocClause,
	Files:    rules.RelocatableFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.RelocationsKnown},
	Severity: rules.Error,
	Text: `Each start field has exactly one relocation. With two, the last one that the
linker applies wins. GNU ld 2.47, which pairs relocations and FDEs by position, aborts
on an assertion.`,
	Fix:  `Remove the relocation that does not belong to the function.`,
	Good: `3 FDEs, 3 relocations`,
	Bad:  `3 FDEs, 4 relocations, two of them at 0x1c`,
}, func(c *rules.Context) {
	seen := map[int]bool{}
	irregular(c, func(r *reader.Reloc, to target) {
		if !to.start || !live(c, r) {
			return
		}
		if seen[to.fde] {
			c.FileFDE(to.fde, r.Entry, "this is a second relocation of %s: which function the FDE describes depends on the linker", startField(c))
		}
		seen[to.fde] = true
	})
})
