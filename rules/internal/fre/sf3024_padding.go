package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/flex"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// FlexPadding finds padding in front of nothing.
var FlexPadding = sound.Rule(rules.Rule{
	ID:       "SF3024",
	Title:    "flexible row ends in a padding word",
	Clause:   flexClause,
	Versions: onlyV3,
	Severity: rules.Warning,
	Text: `In a flexible row a single word 0 says that there is no rule for RA or FP. For RA it
is there so that the words of FP can follow; at the end of a row it says what a row without
it says, and wastes the word, or the words of FP are missing. The Linux kernel looks for
padding only where two words are left: it rejects the row. GNU as leaves such words out.`,
	Fix:  `Leave the padding out, or add the words for FP.`,
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
		c.FRE(r, sp, "the row's last %s, but padding is for words of FP to follow: it is of no use, or the words for FP are missing, and the Linux kernel rejects the row", what)
	})
})

// idlePadding returns how many padding words a flexible row ends in. It is
// none where words are left over, since then padding isn't what the row ends
// in, nor where the CFA has no base register, since then it is doubtful what
// the words are.
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
