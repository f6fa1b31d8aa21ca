package container

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// InGroup finds FDEs of functions that a linker may discard. Every C++
// object has them, so it is run on request alone.
var InGroup = rules.New(rules.Rule{
	ID:       "SF5032",
	Title:    "FDE for a function in a section group",
	Clause:   relocClause,
	Severity: rules.Note,
	OptIn:    true,
	Text: `The function is in a section group, as inline functions and templates of C++
are; the SFrame section that describes it is not. Of the groups of one name a linker keeps
one and discards the others, and the FDEs of the discarded functions with them, if it
knows the format. One that does not either refuses the relocation into the discarded
section (lld) or leaves an FDE without a function behind.

This is how all assemblers write C++ objects, and nothing is wrong with it where GNU ld or
mold 3 links them. Ask for the rule to find out whether another linker would be in
trouble.`,
	Fix:  `Link with a linker that knows the format, or assemble without ` + "`--gsframe`" + `.`,
	Good: `.text._ZN1AC2Ev in a group, no FDE for it in .sframe outside`,
	Bad:  `.text._ZN1AC2Ev in a group, .sframe outside with an FDE for it`,
	Bugs: []string{"https://github.com/llvm/llvm-project/issues/156667", "https://github.com/rust-lang/rust/issues/155704"},
}, func(c *rules.Context) {
	if !c.Relocatable() {
		return
	}
	if s, ok := c.Object.ELF.SectionOf(c.SFrame); !ok || s.Flags&elf.SHF_GROUP != 0 {
		return
	}
	secs := c.Object.ELF.Sections
	c.EachFDE(func(f model.FDE) {
		if p := f.Place(); f.Resolved() && p < len(secs) && secs[p].Flags&elf.SHF_GROUP != 0 {
			c.FDE(f, model.FDEStart, "the function is in %s of a section group, the FDE is not: a linker that does not know SFrame can't discard the one with the other", secs[p].Name)
		}
	})
})
