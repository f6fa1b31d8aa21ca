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
	Clause:   relocClause,
	Severity: rules.Note,
	OptIn:    true,
}, func(c *rules.Context) {
	if !c.Object.Relocatable() {
		return
	}
	if s, ok := c.Object.ELF.SectionOf(c.SFrame); !ok || s.Flags&elf.SHF_GROUP != 0 {
		return
	}
	secs := c.Object.ELF.Sections
	c.FDEs(nil, func(f model.FDE) {
		if p := f.Place(); f.Resolved() && p < len(secs) && secs[p].Flags&elf.SHF_GROUP != 0 {
			c.FDE(f, model.FDEStart, "the function is in %s of a section group, but the FDE is not: a linker without SFrame support cannot discard them together", secs[p].Name)
		}
	})
})
