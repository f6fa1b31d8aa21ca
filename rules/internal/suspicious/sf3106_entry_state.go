package suspicious

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
	"github.com/sframe-lint/sframe-lint/rules/internal/starts"
)

// EntryState finds functions that do not begin as the ABI enters them.
var EntryState = sound.Rule(rules.Rule{
	ID:       "SF3106",
	Title:    "first row unlike the entry state",
	Clause:   "SFrame FRE",
	Severity: rules.Warning,
	Text: `On entry to a function nothing is saved yet: CFA is rsp+8 on AMD64, sp+0 on AArch64
and r15+160 on s390x, RA and FP are unchanged. The first row of a function says so; where
it says something else, a profiler that interrupts the function at its first instruction
takes the wrong word for RA. Parts that a compiler has split off (".cold"), PLT stubs and
signal trampolines are entered otherwise and are not looked at, nor are functions without
a symbol, which may be such parts.

GNU ld 2.44 to 2.47 gives the stubs of .plt.got, a single jump each, a first row with CFA
= rsp+16, as if they had pushed something: that is found too.`,
	Fix:  `Correct the first row, or the CFI at the function's beginning.`,
	Good: `AMD64: row at 0: CFA = rsp+8, FP unchanged`,
	Bad:  `AMD64: row at 0: CFA = rsp+24, FP unchanged`,
}, func(c *rules.Context) {
	abi, known := sound.ABI(c)
	bad := func(r model.FRE) bool {
		row := r.Row()
		return judged(r, row, abi) && !atEntry(row, abi)
	}
	if !known || c.Object.ELF == nil || !c.StartsTrusted() || !c.Survey().AnyFirstRow(bad) || starts.Misread(c) {
		return
	}
	c.EachFDE(func(f model.FDE) {
		if f.NumFREs() == 0 || f.Signal() {
			return
		}
		r := f.FRE(0)
		if !bad(r) || !enteredByCall(c, f) {
			return
		}
		row := r.Row()
		c.FRE(r, r.Span(), "the function's first row says CFA = %s, RA %s, FP %s; on entry %s has CFA = %s+%d and nothing else saved",
			row.CFA.Format(abi), row.RA.Format(abi), row.FP.Format(abi), abi.Name, abi.SPName, abi.EntryCFA)
	})
})

// enteredByCall tells whether the function is one that is called as the ABI
// says.
func enteredByCall(c *rules.Context, f model.FDE) bool {
	if sectionName(c, f) == ".plt.got" {
		return true
	}
	name, ok := symbolAt(c, f)
	return ok && !coldPart(name) && f.PCType() == model.SFRAME_FDE_PCTYPE_INC
}
