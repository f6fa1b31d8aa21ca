package container

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// NoneReloc finds relocations that do nothing.
var NoneReloc = rules.New(rules.Rule{
	ID:       "SF5019",
	Title:    "dead relocation",
	Clause:   relocClause,
	Files:    rules.RelocatableFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.RelocationsKnown},
	Severity: rules.Warning,
	Text: `A relocation of type NONE changes nothing. ` + "`ld -r`" + ` leaves one behind for
each FDE of a section group that it has discarded. GNU ld 2.47 steps over such entries
behind the others; in front of others it ends with a failed assertion, as it pairs the
first relocation with the first FDE, the second with the second and so on. Where the dead
relocation is all that a start field has, SF5016 reports the FDE besides.`,
	Fix:  `Link with ` + "`-r`" + ` by binutils 2.46 or later, which removes them.`,
	Good: `4 FDEs, 4 relocations`,
	Bad:  `4 FDEs, 6 relocations, 2 of them R_X86_64_NONE`,
	Bugs: []string{"https://sourceware.org/bugzilla/show_bug.cgi?id=33127", "https://sourceware.org/bugzilla/show_bug.cgi?id=33401"},
}, func(c *rules.Context) {
	irregular(c, func(r *reader.Reloc, to target) {
		if !live(c, r) {
			c.FileFDE(to.fde, r.Entry, "the relocation at offset 0x%x of %s is %s, which does nothing: a linker that pairs relocations and FDEs one by one gives the functions behind it the wrong rows", r.Offset, c.SFrame.Name, relocName(c, r.Type))
		}
	})
})
