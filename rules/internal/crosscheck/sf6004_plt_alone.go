package crosscheck

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// PLTAlone finds linked files in which the linker's own stubs are all that
// is described.
var PLTAlone = rules.New(rules.Rule{
	ID:       "SF6004",
	Title:    "nothing but the PLT is covered",
	Clause:   "SFrame FDE",
	Files:    rules.LinkedFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.AllFDEsKnown, rules.StartsAsFlagged},
	Severity: rules.Warning,
	Text: `All FDEs are those that the linker makes for its PLT; no function of the program
has one. The inputs had no SFrame data, or the linker did not take it: GNU ld 2.47 ignores
sections of versions 1 and 2. The file looks as if it supported SFrame, but a tracer stops
at the first function.`,
	Fix:  `Give the linker inputs of the version that it writes; look for "SFrame section ignored" in its output.`,
	Good: `FDEs in .plt and .text`,
	Bad:  `FDEs in .plt, functions in .text`,
}, func(c *rules.Context) {
	if !pltAlone(c) {
		return
	}
	if name, ok := anyFunction(c); ok {
		c.Header(model.HdrNumFDEs, "there is nothing but the PLT in %s, no function of the program, such as %s: a tracer stops at the first", rules.Count(c.Section.NumFDEs(), "FDE"), name)
	}
})

// anyFunction names a function that is no stub.
func anyFunction(c *rules.Context) (name string, ok bool) {
	e := c.Object.ELF
	for i := range e.Symbols.Len() {
		y, _ := e.Symbols.Symbol(i)
		if y.Type == elf.STT_FUNC && !y.Reserved && y.Section > 0 && y.Section < len(e.Sections) && isCode(&e.Sections[y.Section]) && !isPLT(&e.Sections[y.Section]) {
			return y.Name, true
		}
	}
	return "", false
}
