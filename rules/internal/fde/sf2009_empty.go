package fde

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// EmptyFunction finds functions of size 0.
var EmptyFunction = rules.New(rules.Rule{
	ID:       "SF2009",
	Title:    "function of size 0",
	Clause:   "The SFrame FDE Index",
	Needs:    []rules.Fact{rules.FDEsKnown},
	Requires: []*analysis.Analyzer{prereq.ByStart},
	Severity: rules.Warning,
	Text: `No PC lies in a function of size 0, so its FDE is useless. GNU as writes such an
FDE for CFI directives without an instruction between them. Usually the next function
starts at the same address, and the Linux kernel rejects a section in which two FDEs have the
same start. SF2012 reports these cases, and this rule the others.`,
	Fix:  `Leave out the FDE: remove the empty function or the CFI directives around it.`,
	Good: `V3: sfdi_func_size = 0x10`,
	Bad:  `V3: sfdi_func_size = 0`,
	Bugs: []string{"https://github.com/rui314/mold/issues/1648"},
}, func(c *rules.Context) {
	if !c.Survey().Has(model.EmptyFunction) {
		return
	}
	twin := map[int32]bool{} // reported by SF2012
	if c.Has(rules.StartsAsFlagged) {
		eachTwin(c, func(f, prev model.Function) { twin[f.FDE], twin[prev.FDE] = true, true })
	}
	c.Survey().Each(model.EmptyFunction, func(f model.FDE) {
		if f.Size() == 0 && !twin[int32(f.Index())] {
			c.FDE(f, model.FDEFuncSize, "%s is 0: no PC lies in the function", name(c, model.FDEFuncSize))
		}
	})
})
