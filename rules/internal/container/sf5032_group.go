package container

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// InGroup finds FDEs of functions that a linker may discard. It is opt-in,
// because every C++ object has them.
var InGroup = rules.New(rules.Rule{
	ID:       "SF5032",
	Title:    "FDE for a function in a section group",
	Clause:   relocClause,
	Severity: rules.Note,
	OptIn:    true,
	Text: `The function is in a section group, as inline functions and templates of C++
are, but the SFrame section that describes it is not. A linker keeps one of the groups
with the same name and discards the others. A linker with SFrame support also discards
the FDEs of the discarded functions. One without it either rejects the relocation into
the discarded section (lld) or leaves an FDE without a function. All assemblers write
C++ objects in this way, and GNU ld and mold 3 link them correctly. Select the rule to
find out whether another linker would fail.`,
	Fix:  `Use a linker with SFrame support, or assemble without ` + "`--gsframe`" + `.`,
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
			c.FDE(f, model.FDEStart, "the function is in %s of a section group, but the FDE is not: a linker without SFrame support cannot discard them together", secs[p].Name)
		}
	})
})
