package container

import (
	"github.com/sframe-lint/sframe-lint/internal/survey"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Unrelocated finds FDEs that are tied to no function.
var Unrelocated = rules.New(rules.Rule{
	ID:       "SF5016",
	Title:    "FDE without relocation",
	Clause:   relocClause,
	Files:    rules.RelocatableFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.RelocationsKnown},
	Severity: rules.Error,
	Text: `In a relocatable file an FDE's function is known by the relocation of its start
field alone; what the field holds is of no account. Without the relocation the linker
does not know whose rows these are. GNU ld 2.47 ends with a failed assertion, mold leaves
a function out without a word, and lld writes a start that leads nowhere.`,
	Fix:  `Assemble anew; do not edit .rela.sframe or link with -r by a linker that does not know the format.`,
	Good: `3 FDEs, 3 relocations of their start fields`,
	Bad:  `3 FDEs, 2 relocations`,
	Bugs: []string{"ld -r of binutils 2.40 and 2.44"},
}, func(c *rules.Context) {
	_, _, n := array(c)
	if !c.Survey().Has(survey.FunctionUnknown) {
		return
	}
	if len(c.SFrame.Relocs) == 0 {
		c.FDE(c.Section.FDE(0), model.FDEStart, "no relocation applies to the section, which has %s: the linker can't tell which functions it describes", rules.Count(n, "FDE"))
		return
	}
	has := make([]bool, n)
	dead := map[int]bool{}
	eachReloc(c, func(r *reader.Reloc, to target) {
		if to.start {
			has[to.fde] = has[to.fde] || live(c, r)
			dead[to.fde] = true
		}
	})
	c.EachFDE(func(f model.FDE) {
		switch i := f.Index(); {
		case f.Resolved() || has[i]:
		case dead[i]:
			c.FDE(f, model.FDEStart, "the only relocation of %s is %s: the linker can't tell which function the FDE describes", startField(c), relocName(c, c.Object.ELF.ABI().RelocNone))
		default:
			c.FDE(f, model.FDEStart, "no relocation applies to %s: the linker can't tell which function the FDE describes", startField(c))
		}
	})
})
