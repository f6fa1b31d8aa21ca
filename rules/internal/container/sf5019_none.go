package container

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// NoneReloc finds relocations without effect.
var NoneReloc = rules.New(rules.Rule{
	ID:       "SF5019",
	Title:    "dead relocation",
	Clause:   relocClause,
	Files:    rules.RelocatableFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.RelocationsKnown},
	Severity: rules.Warning,
	Text: `A relocation of type NONE has no effect. ` + "`ld -r`" + ` leaves one for each FDE of a
section group that it discards. GNU ld 2.47 skips such entries after all others.
Before others it aborts on an assertion, because it pairs the first relocation with
the first FDE, the second with the second and so on. If the dead relocation is the
only one of a start field, SF5016 reports the FDE as well.`,
	Fix:  `Use ` + "`-r`" + ` of binutils 2.46 or later, which removes them.`,
	Good: `4 FDEs, 4 relocations`,
	Bad:  `4 FDEs, 6 relocations, 2 of them R_X86_64_NONE`,
	Bugs: []string{"https://sourceware.org/bugzilla/show_bug.cgi?id=33127", "https://sourceware.org/bugzilla/show_bug.cgi?id=33401"},
}, func(c *rules.Context) {
	irregular(c, func(r *reader.Reloc, to target) {
		if !live(c, r) {
			c.FileFDE(to.fde, r.Entry, "the relocation at offset 0x%x of %s is %s, which has no effect: a linker that pairs relocations and FDEs by position gives later functions the wrong FREs", r.Offset, c.SFrame.Name, relocName(c, r.Type))
		}
	})
})
