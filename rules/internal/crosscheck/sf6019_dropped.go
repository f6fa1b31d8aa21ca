package crosscheck

import (
	"github.com/sframe-lint/sframe-lint/ehframe"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Dropped finds single functions with simple CFI and without an FDE among functions
// that have one.
var Dropped = newCFIRule(rules.Rule{
	ID:       "SF6019",
	Title:    "FDE missing between two others",
	Clause:   "Generating Stack Traces using SFrame",
	Files:    rules.ELFFiles,
	Needs:    append([]rules.Fact{rules.AllFDEsKnown}, rangeNeeds...),
	Severity: rules.Warning,
	Text: "The file's `.eh_frame` or `.debug_frame`" + ` describes a function that no FDE covers. FREs of
the default type can express its CFI, and the functions before and after it have FDEs, in
the same section and in the order of the CFI, so the tools seem to have lost this one. A
tracer stops there. An exception is an object of a single function that was assembled
without SFrame data. The rule skips outermost frames: the start files of the C library, with
` + "`_start`" + `, mostly have no SFrame data. SF6014 counts all functions without an FDE.`,
	Fix:  `Assemble the function with ` + "`--gsframe`" + `. If it is, assemble or link with another version of the tools.`,
	Good: `FDEs for three functions in a row`,
	Bad:  `FDEs for the first and the third of three functions in a row`,
}, 1<<ehframe.NoFDE, func(c *rules.Context, f *ehframe.Frames) (func(*ehframe.Difference), func(*ehframe.Comparison)) {
	return func(d *ehframe.Difference) {
		if !d.Alone || !c.Has(rules.SingleSection) || inPLT(c, d.Place, d.Start) {
			return
		}
		before, after := d.Neighbours[0], d.Neighbours[1]
		if !sameSection(c, d.Start, before) || !sameSection(c, d.Start, after) {
			return
		}
		fde, _ := f.Sections[d.Section].FDEAt(d.CFI.Off)
		if _, ok := fde.Obstacle(c.Section.Version(), false); ok {
			return
		}
		if row, ok := fde.RowAt(d.Start); ok && row.RA.Kind == ehframe.Undefined {
			return
		}
		c.Uncovered(int(d.Place), d.Start, model.HdrNumFDEs.Span(), "no FDE covers %s, whose CFI (%s) is simple, between %s and %s, which have FDEs: a tracer stops there",
			nameAt(c, d.Place, d.Start), source(f, d), nameAt(c, d.Place, before), nameAt(c, d.Place, after))
	}, nil
})

// sameSection reports whether two addresses of one place are in the same section.
func sameSection(c *rules.Context, a, b uint64) bool {
	if c.Relocatable() {
		return true
	}
	i, ok := c.Object.ELF.SectionAt(a)
	k, found := c.Object.ELF.SectionAt(b)
	return ok && found && i == k
}
