package fre

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// Gap finds zero bytes that belong to no FDE.
var Gap = sound.Rule(rules.Rule{
	ID:       "SF3011",
	Title:    "unused zero bytes in the FRE sub-section",
	Clause:   "SFrame FRE",
	Severity: rules.Warning,
	Text: `The rows of all FDEs fill the FRE sub-section. Zero bytes that belong to no FDE are
padding, for which the format has no use: rows are not aligned. Consumers that go by the
offsets do not notice; the bytes cost space and show that sfh_fre_len, an offset or a
count of rows may be wrong.`,
	Fix:  `Lay the rows out one behind the other, and set sfh_fre_len to their sum.`,
	Good: `rows of FDE 0 at 0 to 0x14, of FDE 1 from 0x14 on`,
	Bad:  `rows of FDE 0 at 0 to 0x14, of FDE 1 from 0x18 on, 4 zero bytes`,
}, func(c *rules.Context) {
	eachGap(c, func(sp model.Span, zero bool) {
		if zero {
			c.At(sp, "%d zero bytes of the FRE sub-section belong to no FDE: rows are not aligned, so there is no use for padding, and an offset or count may be wrong", sp.Len)
		}
	})
})

// StrayGap finds other bytes that belong to no FDE.
var StrayGap = sound.Rule(rules.Rule{
	ID:       "SF3012",
	Title:    "stray bytes in the FRE sub-section",
	Clause:   "SFrame FRE",
	Severity: rules.Error,
	Text: `The rows of all FDEs fill the FRE sub-section. Bytes that belong to no FDE and
are not zero are rows that no FDE leads to: an offset or a count of rows is wrong, or an
FDE is missing, and a function is traced by too few rows or not at all.`,
	Fix:  `Correct the offset or count of the FDE that the bytes belong to, or take them out.`,
	Good: `sfda_func_num_fres = 4, followed by 4 rows`,
	Bad:  `sfda_func_num_fres = 3, followed by 4 rows`,
}, func(c *rules.Context) {
	eachGap(c, func(sp model.Span, zero bool) {
		if !zero {
			c.At(sp, "%d bytes of the FRE sub-section belong to no FDE and are not zero: they look like rows that an FDE's count leaves out, or that no FDE leads to", sp.Len)
		}
	})
})

// eachGap yields the gaps in the FRE sub-section. Where rows are missing it
// yields none: the bytes probably are theirs.
func eachGap(c *rules.Context, yield func(sp model.Span, zero bool)) {
	s := c.Section
	if s.Survey().Has(model.RowsMissing) {
		return
	}
	fres := s.FRESubsection()
	for _, g := range s.Gaps() {
		off := max(g.Off, fres.Off)
		sp := model.Span{Off: off, Len: min(g.End(), fres.End()) - off}
		if sp.Len > 0 {
			yield(sp, !g.NonZero || !slices.ContainsFunc(s.Bytes(sp), func(b byte) bool { return b != 0 }))
		}
	}
}
