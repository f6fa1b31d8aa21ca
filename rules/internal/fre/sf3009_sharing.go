package fre

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var Overlap = rules.New(rules.Rule{
	ID:       "SF3009",
	Title:    "FREs of two FDEs overlap",
	Clause:   "The SFrame FDE Index",
	Needs:    []rules.Fact{rules.FREsKnown},
	Severity: rules.Error,
	Text: `The FREs of one FDE begin inside those of another and are not the same. One of
the two offsets or numbers of FREs is wrong, and at least one function is traced with
FREs of another. No consumer checks this.`,
	Fix:  `Correct the wrong offset or number of FREs.`,
	Good: `FREs of FDE 0 at 0 to 0x14, of FDE 1 at 0x14 to 0x26`,
	Bad:  `FREs of FDE 0 at 0 to 0x14, of FDE 1 at 0x10 to 0x26`,
}, func(c *rules.Context) {
	eachShared(c, func(f, g run) {
		if f.Span != g.Span {
			c.FDE(c.Section.FDE(g.fde), model.FDEStartFREOff, "%s points into the FREs of %s: those have the bytes %v of the section, those of this FDE %v; one of the two functions is traced with FREs of the other",
				c.FieldName(model.FDEStartFREOff), c.Label(f.fde), f.Span, g.Span)
		}
	})
})

var SameRows = rules.New(rules.Rule{
	ID:       "SF3010",
	Title:    "FREs shared by two FDEs",
	Clause:   "SFrame FDE",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.AttrSize == 0 }),
	Needs:    []rules.Fact{rules.FREsKnown},
	Severity: rules.Warning,
	Text: `Two FDEs point to the same FREs. Consumers that only look up PCs accept this,
but sfh_num_fres counts the FREs twice, and a linker that merges sections writes them
twice. No known producer shares FREs in versions 1 and 2, so one of the offsets is probably
wrong. In version 3 several FDEs may have one attribute with its FREs: a section becomes
smaller, and all readers accept it. If the offset of such an FDE is wrong, SF3012 reports the
attribute to which no FDE points.`,
	Fix:  `Give each FDE its own FREs.`,
	Good: `FREs of FDE 0 at 0, of FDE 1 at 0x14`,
	Bad:  `FREs of FDE 0 at 0, of FDE 1 at 0`,
}, func(c *rules.Context) {
	eachShared(c, func(f, g run) {
		if f.Span == g.Span {
			c.FDE(c.Section.FDE(g.fde), model.FDEStartFREOff, "%s points to the FREs of %s, the bytes %v of the section: no known producer shares FREs, so one of the two functions is probably traced with FREs of the other",
				c.FieldName(model.FDEStartFREOff), c.Label(f.fde), f.Span)
		}
	})
})

// run is the part of the FRE sub-section that an FDE uses.
type run struct {
	model.Span
	fde int
}

// eachShared yields each FDE g whose FREs begin inside those of an FDE f at a
// lower or the same offset. Of several such f it prefers one with the same
// bytes, then the one that reaches furthest. It skips FDEs with FREs that
// could not be decoded; other rules report them.
func eachShared(c *rules.Context, yield func(f, g run)) {
	s := c.Section
	if !c.Survey().Has(model.DataOverlaps) {
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

var Claimed = rules.New(rules.Rule{
	ID:       "SF3013",
	Title:    "FREs used by too many FDEs",
	Clause:   "The SFrame FDE Index",
	Needs:    []rules.Fact{rules.FREsKnown},
	Severity: rules.Error,
	Text: `The FDEs together use the FRE sub-section more than twice over. No producer
writes that, but a small section of this kind can keep a reader busy for hours. From
here on this tool skips FREs that lie before the end of those it has decoded, so it
checks no more of this function. In version 3 several FDEs may have one attribute with its
FREs, and those are checked. FREs that begin inside those of another FDE are not.`,
	Fix:  `Give each FDE its own FREs.`,
	Good: `1000 FDEs, each with its own offset`,
	Bad:  `1000 FDEs, all with offset 0 and 60000 FREs`,
}, func(c *rules.Context) {
	c.Faults(reader.FREsShared, func(f reader.Fault) {
		c.Fault(f, "%s points back to FREs that earlier FDEs use, and the FDEs use the FRE sub-section more than twice over: the FREs of this function were not checked", c.FieldName(model.FDEStartFREOff))
	})
})

var Gap = rules.New(rules.Rule{
	ID:       "SF3011",
	Title:    "unused zero bytes in the FRE sub-section",
	Clause:   "SFrame FRE",
	Needs:    []rules.Fact{rules.FREsKnown, rules.AllFDEsKnown},
	Severity: rules.Warning,
	Text: `The FREs of all FDEs fill the FRE sub-section. Zero bytes that belong to no
FDE are padding, but the format needs none: FREs are not aligned. Consumers that
follow the offsets skip the bytes. They waste space, and an offset, a number of FREs
or sfh_fre_len may be wrong.`,
	Fix:  `Write the FREs one after the other, and set sfh_fre_len to their total length.`,
	Good: `FREs of FDE 0 at 0 to 0x14, of FDE 1 from 0x14 on`,
	Bad:  `FREs of FDE 0 at 0 to 0x14, of FDE 1 from 0x18 on, 4 zero bytes`,
}, func(c *rules.Context) {
	eachGap(c, func(g model.Gap) {
		if !g.NonZero {
			c.At(g.Span, "%d zero bytes of the FRE sub-section belong to no FDE: FREs are not aligned and need no padding, so an offset or a number of FREs may be wrong", g.Len)
		}
	})
})

var StrayGap = rules.New(rules.Rule{
	ID:       "SF3012",
	Title:    "stray bytes in the FRE sub-section",
	Clause:   "SFrame FRE",
	Needs:    []rules.Fact{rules.FREsKnown, rules.AllFDEsKnown},
	Severity: rules.Error,
	Text: `The FREs of all FDEs fill the FRE sub-section. Bytes that belong to no FDE and
are not zero are FREs to which no FDE points. An offset or a number of FREs is wrong,
or an FDE is missing, and consumers find too few FREs or none for a function.`,
	Fix:  `Correct the offset or number of FREs of the FDE to which the bytes belong, or remove them.`,
	Good: `sfda_func_num_fres = 4, followed by 4 FREs`,
	Bad:  `sfda_func_num_fres = 3, followed by 4 FREs`,
}, func(c *rules.Context) {
	eachGap(c, func(g model.Gap) {
		if g.NonZero {
			c.At(g.Span, "%d bytes of the FRE sub-section belong to no FDE and are not all zero: they look like FREs that an FDE does not count, or to which no FDE points", g.Len)
		}
	})
})

// eachGap yields the gaps in the FRE sub-section. If FREs are missing it
// yields none, as the bytes are probably theirs.
func eachGap(c *rules.Context, yield func(model.Gap)) {
	s := c.Section
	if c.Survey().Has(model.RowsMissing) {
		return
	}
	for _, g := range prereq.Gaps(s, s.FRESubsection()) {
		yield(g)
	}
}
