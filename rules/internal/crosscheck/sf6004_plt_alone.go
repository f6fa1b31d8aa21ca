package crosscheck

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// PLTAlone finds linked files with FDEs only for the linker's own stubs.
var PLTAlone = rules.New(rules.Rule{
	ID:       "SF6004",
	Title:    "FDEs only for the PLT",
	Clause:   "SFrame FDE",
	Files:    rules.LinkedFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.AllFDEsKnown, rules.StartsAsFlagged},
	Severity: rules.Error,
	Text: `The linker wrote all FDEs, for its PLT. No function of the program has
one. The linker ignored the SFrame data of its inputs: GNU
ld 2.47 ignores sections of versions 1 and 2. The file seems to support SFrame, but a
tracer stops at the first function of the program.`,
	Fix:  `Link inputs of the version that the linker writes. Look for "SFrame section ignored" in its output.`,
	Good: `FDEs in .plt and .text`,
	Bad:  `FDEs in .plt, functions in .text`,
}, func(c *rules.Context) {
	if !pltAlone(c) {
		return
	}
	if name, ok := anyFunction(c); ok {
		c.Header(model.HdrNumFDEs, "the section has only %s for the PLT and none for functions of the program such as \"%s\": a tracer stops at the first of them", rules.Count(c.Section.NumFDEs(), "FDE"), name)
	}
})

// anyFunction returns the name of a function that is not a stub.
func anyFunction(c *rules.Context) (name string, ok bool) {
	e := c.Object.ELF
	for i := range e.Symbols.Len() {
		y, ok := e.Symbols.Symbol(i)
		if !ok {
			break // the rest can't be read, or the budget is exceeded
		}
		if y.Type == elf.STT_FUNC && !y.Reserved && y.Section > 0 && y.Section < len(e.Sections) && isCode(&e.Sections[y.Section]) && !isPLT(&e.Sections[y.Section]) {
			return y.Name, true
		}
	}
	return "", false
}
