package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/flex"
)

// FlexPadding finds padding words at the end of flexible FREs.
var FlexPadding = flexRule(rules.Rule{
	ID:       "SF3024",
	Title:    "padding word at the end of a flexible FRE",
	Severity: rules.Warning,
	Text: `In a flexible FRE a single word 0 means that there is no rule for RA or FP.
For RA it lets the words for FP follow. At the end of an FRE it is redundant, or the
words for FP are missing. The Linux kernel accepts padding only if two more words
follow, and rejects the FRE. GNU as leaves out such words.`,
	Fix:  `Leave out the padding, or add the words for FP.`,
	Good: `33 f8 00 33 00: CFA, padding for RA, FP`,
	Bad:  `39 08 00`,
}, func(c *rules.Context) {
	bad := func(r model.FRE) bool { return idlePadding(r) > 0 }
	c.Rows(bad, func(r model.FRE) {
		n := idlePadding(r)
		sp := r.WordsSpan()
		end := sp.End()
		sp.Off = r.WordSpan(r.NumWords() - n).Off
		sp.Len = end - sp.Off
		what := "word is padding"
		if n > 1 {
			what = "2 words are padding"
		}
		c.FRE(r, sp, "the FRE's last %s, but no words for FP follow: the padding is redundant or the words for FP are missing, and the Linux kernel rejects the FRE", what)
	})
})

// idlePadding returns the number of padding words at the end of a flexible
// FRE. It returns 0 if words are left over, because the FRE then does not end
// in padding, and if the CFA has no base register, because the meaning of the
// words is then in doubt.
func idlePadding(r model.FRE) int {
	if !flex.Is(r) {
		return 0
	}
	row := flex.Parse(r)
	if row.Used < r.NumWords() {
		return 0
	}
	n := 0
	for _, e := range row.Entities {
		switch {
		case e.Padding():
			n++
		case e.Role == flex.CFA && !e.RegP():
			return 0
		default:
			n = 0
		}
	}
	return n
}
