package crosscheck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Coverage finds functions without an FDE.
var Coverage = newRule(rules.Rule{
	ID:       "SF6003",
	Title:    "functions without an FDE",
	Clause:   "Generating Stack Traces using SFrame",
	Files:    rules.ELFFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.AllFDEsKnown, rules.StartsKnown, rules.StartsAsFlagged, rules.SymbolsReadable},
	Severity: rules.Note,
	Text: `The symbol table has functions that no FDE covers. A tracer that relies on
SFrame stops there. Usually they come from assembly without CFI directives. The rule counts
functions by their symbols, an alias as a separate function, and leaves out those that the
file has CFI for: SF6014 reports them, with the reason. SF1022 reports a section without any
FDE.`,
	Fix:  `Add CFI directives to the assembly, and assemble it with ` + "`--gsframe`" + `. If that is done, look for warnings of the assembler.`,
	Good: `2000 function symbols, all covered`,
	Bad:  `2000 function symbols, 12 of them without an FDE`,
}, func(c *rules.Context, j *join) {
	if j.bare.count == 0 || pltAlone(c) {
		return
	}
	c.Header(model.HdrNumFDEs, "no FDE covers %d of %d functions in the symbol table (%s), among them %s: a tracer stops there", j.bare.count, j.symbols, j.sections(c), j.names())
})

// names lists the first functions without an FDE, quoted.
func (j *join) names() string {
	var names []string
	for _, y := range j.bare.first {
		names = append(names, `"`+j.fs.name(y.index)+`"`)
	}
	return strings.Join(names, ", ")
}

// sections lists the sections with the most of them, with their numbers.
func (j *join) sections(c *rules.Context) string {
	type entry struct{ section, count int }
	var all []entry
	for i, n := range j.bare.section {
		all = append(all, entry{i, n})
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.section, b.section))
	})
	var words []string
	for _, e := range all[:min(len(all), bareNames)] {
		words = append(words, fmt.Sprintf("%s: %d", c.Object.ELF.Sections[e.section].Name, e.count))
	}
	if len(all) > bareNames {
		words = append(words, rules.Count(len(all)-bareNames, "other section"))
	}
	return strings.Join(words, ", ")
}
