package fre

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var Overlap = rules.New(rules.Rule{ID: "SF3009", Needs: rules.FREsKnown}, func(c *rules.Context) {
	eachShared(c, func(f, g run) {
		if f.Span != g.Span {
			c.FDE(c.Section.FDE(g.fde), model.FDEStartFREOff, "the FREs from 0x%x to 0x%x (%s) overlap those of %s, from 0x%x to 0x%x: one of the two functions has wrong FREs",
				g.Off, g.End(), c.Section.FieldName(model.FDEStartFREOff), rules.FDE(f.fde), f.Off, f.End())
		}
	})
})

var SameRows = rules.New(rules.Rule{
	ID:       "SF3010",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.AttrSize == 0 }),
	Needs:    rules.FREsKnown,
}, func(c *rules.Context) {
	eachShared(c, func(f, g run) {
		if f.Span == g.Span {
			c.FDE(c.Section.FDE(g.fde), model.FDEStartFREOff, "%s points to the FREs of %s (0x%x to 0x%x), but no known producer shares FREs: one of the two functions probably has wrong FREs",
				c.Section.FieldName(model.FDEStartFREOff), rules.FDE(f.fde), f.Off, f.End())
		}
	})
})

// run is the part of the FRE sub-section that an FDE uses.
type run struct {
	model.Span
	fde int
}

// eachShared yields each FDE g whose FREs begin within the FREs of an FDE f at the same or a lower offset. If several
// f qualify, it prefers one with the same bytes, then the one that extends furthest. It skips FDEs with undecodable
// FREs, which other rules report.
func eachShared(c *rules.Context, yield func(f, g run)) {
	if !c.SFrame.Survey().Has(model.DataOverlaps) {
		return
	}
	var all []run
	for f := range c.Section.FDEs() {
		if sp := f.DataSpan(); f.HasAttr() && f.NumFREs() == int(f.ClaimedFREs()) && sp.Len > 0 {
			all = append(all, run{sp, f.Index()})
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

var Claimed = rules.New(rules.Rule{ID: "SF3013", Needs: rules.FREsKnown}, func(c *rules.Context) {
	for f := range c.SFrame.FaultsOf(reader.FREsShared) {
		c.With(rules.OfFault(f)).At(f.Span, "%s points to FREs of earlier FDEs, and all FDEs together claim more than twice the sub-section's size: the function's FREs were not checked", c.Section.FieldName(model.FDEStartFREOff))
	}
})

var Gap = rules.New(rules.Rule{ID: "SF3011", Needs: rules.FREsKnown | rules.AllFDEsKnown}, func(c *rules.Context) {
	eachGap(c, func(g model.Gap) {
		if !g.NonZero {
			c.At(g.Span, "%d zero bytes of the FRE sub-section belong to no FDE: FREs need no padding, so an offset or a count may be wrong", g.Len)
		}
	})
})

var StrayGap = rules.New(rules.Rule{ID: "SF3012", Needs: rules.FREsKnown | rules.AllFDEsKnown}, func(c *rules.Context) {
	eachGap(c, func(g model.Gap) {
		if g.NonZero {
			c.At(g.Span, "%d bytes of the FRE sub-section, not all zero, belong to no FDE: an FDE probably counts too few FREs, or is missing", g.Len)
		}
	})
})

// eachGap yields the gaps in the FRE sub-section. If FREs are missing it
// yields none, as the bytes are probably theirs.
func eachGap(c *rules.Context, yield func(model.Gap)) {
	s := c.Section
	if c.SFrame.Survey().Has(model.RowsMissing) {
		return
	}
	for _, g := range prereq.Gaps(s, s.FRESubsection()) {
		yield(g)
	}
}
