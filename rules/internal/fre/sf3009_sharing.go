package fre

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// Overlap finds rows that begin inside those of another FDE.
var Overlap = sound.Rule(rules.Rule{
	ID:       "SF3009",
	Title:    "rows of two FDEs overlap",
	Clause:   "The SFrame FDE Index",
	Severity: rules.Error,
	Text: `The bytes of one FDE's rows begin inside those of another and are not the same:
one of the two offsets or counts is wrong, and at least one function is traced by rows
that were never meant for it. No consumer checks this.`,
	Fix:  `Correct the offset or the count of rows that is wrong.`,
	Good: `rows of FDE 0 at 0 to 0x14, of FDE 1 at 0x14 to 0x26`,
	Bad:  `rows of FDE 0 at 0 to 0x14, of FDE 1 at 0x10 to 0x26`,
}, func(c *rules.Context) {
	eachShared(c, func(f, g run) {
		if f.Span != g.Span {
			c.FDE(c.Section.FDE(g.fde), model.FDEStartFREOff, "%s leads into the rows of FDE %d: those take the bytes %v of the section, this FDE's %v; one of the two functions is traced by rows that are not its own",
				name(c, model.FDEStartFREOff), f.fde, f.Span, g.Span)
		}
	})
})

// SameRows finds rows that two FDEs share.
var SameRows = sound.Rule(rules.Rule{
	ID:       "SF3010",
	Title:    "rows shared by two FDEs",
	Clause:   "The SFrame FDE Index",
	Severity: rules.Warning,
	Text: `Two FDEs lead to the very same rows. Consumers that only look up don't mind, but
sfh_num_fres counts the rows twice, a linker that merges sections writes them twice, and
no known producer shares rows: mostly one of the offsets is wrong.`,
	Fix:  `Give each FDE rows of its own.`,
	Good: `rows of FDE 0 at 0, of FDE 1 at 0x14`,
	Bad:  `rows of FDE 0 at 0, of FDE 1 at 0`,
}, func(c *rules.Context) {
	eachShared(c, func(f, g run) {
		if f.Span == g.Span {
			c.FDE(c.Section.FDE(g.fde), model.FDEStartFREOff, "%s leads to the rows of FDE %d, the bytes %v of the section; no known producer shares rows, so one of the two functions is probably traced by rows that are not its own",
				name(c, model.FDEStartFREOff), f.fde, f.Span)
		}
	})
})

// run is what an FDE takes of the FRE sub-section.
type run struct {
	model.Span
	fde int
}

// eachShared yields the FDEs g that begin inside what an FDE f in front of
// them takes: of several such f the one that reaches furthest, the same
// bytes preferred. FDEs whose rows could not all be had are left out; other
// rules report them.
func eachShared(c *rules.Context, yield func(f, g run)) {
	s := c.Section
	if !s.Survey().Has(model.DataOverlaps) {
		return
	}
	var all []run
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		if sp := f.DataSpan(); f.HasAttr() && f.NumFREs() == int(f.ClaimedFREs()) && sp.Len > 0 {
			all = append(all, run{sp, i})
		}
	}
	slices.SortFunc(all, func(a, b run) int {
		return cmp.Or(cmp.Compare(a.Off, b.Off), cmp.Compare(b.Len, a.Len), cmp.Compare(a.fde, b.fde))
	})
	var furthest run
	for i, g := range all {
		switch {
		case i > 0 && all[i-1].Span == g.Span:
			yield(all[i-1], g)
		case i > 0 && g.Off < furthest.End():
			yield(furthest, g)
		}
		if g.End() > furthest.End() {
			furthest = g
		}
	}
}

// Claimed finds rows that are claimed many times over.
var Claimed = sound.Rule(rules.Rule{
	ID:       "SF3013",
	Title:    "rows claimed many times over",
	Clause:   "The SFrame FDE Index",
	Severity: rules.Error,
	Text: `The FDEs together claim the bytes of the FRE sub-section more than twice over.
No producer writes that: it is how a small section makes a reader work for hours. From
here on this tool does not look at rows in front of the end of those that it has seen,
so it can't tell more of this function.`,
	Fix:  `Give each FDE rows of its own.`,
	Good: `1000 FDEs, each with an offset of its own`,
	Bad:  `1000 FDEs, all with offset 0 and 60000 rows`,
}, func(c *rules.Context) {
	c.Faults(reader.FREsShared, func(f reader.Fault) {
		c.Fault(f, "%s leads back among rows that FDEs in front of this one take; these claim the FRE sub-section more than twice over already, so this function's rows were not looked at", name(c, model.FDEStartFREOff))
	})
})
