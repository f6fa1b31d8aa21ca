package container

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Unrelocated finds FDEs whose start field has no relocation.
var Unrelocated = rules.New(rules.Rule{
	ID:       "SF5016",
	Title:    "FDE without relocation",
	Clause:   relocClause,
	Files:    rules.RelocatableFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.RelocationsKnown},
	Severity: rules.Error,
	Text: `In a relocatable file only the relocation of the start field connects an FDE
to its function; the field's own value is ignored. Without the relocation a linker
cannot find the function. GNU ld 2.47 aborts on an assertion, mold leaves out a
function without a message, and lld writes a meaningless start.`,
	Fix:  `Assemble again. Do not edit .rela.sframe, and do not use -r of a linker without SFrame support.`,
	Good: `3 FDEs, 3 relocations of their start fields`,
	Bad:  `3 FDEs, 2 relocations`,
	Bugs: []string{"ld -r of binutils 2.40 and 2.44"},
}, func(c *rules.Context) {
	_, _, n := array(c)
	if !c.Survey().Has(model.FunctionUnknown) {
		return
	}
	if len(c.SFrame.Relocs) == 0 {
		c.FDE(c.Section.FDE(0), model.FDEStart, "no relocation applies to the section, which has %s: a linker cannot find the functions that it describes", rules.Count(n, "FDE"))
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
	c.Survey().Each(model.FunctionUnknown, func(f model.FDE) {
		switch i := f.Index(); {
		case f.Resolved() || has[i]:
		case dead[i]:
			c.FDE(f, model.FDEStart, "the only relocation of %s is %s: a linker cannot find the function that the FDE describes", startField(c), relocName(c, c.Object.ELF.ABI().RelocNone))
		default:
			c.FDE(f, model.FDEStart, "no relocation applies to %s: a linker cannot find the function that the FDE describes", startField(c))
		}
	})
})
