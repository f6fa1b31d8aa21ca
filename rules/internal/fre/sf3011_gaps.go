package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

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
