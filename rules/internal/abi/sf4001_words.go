package abi

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// WordCount finds rows with a number of words that the ABI has no use for.
var WordCount = sound.Rule(rules.Rule{
	ID:       "SF4001",
	Title:    "number of data words is not the ABI's",
	Clause:   "Default FDE Type Interpretation",
	Severity: rules.Error,
	Text: `The words of a row of default type are for the CFA, for RA where the ABI does not
fix it, and for FP: at most 2 on AMD64, at most 3 on AArch64 and s390x. (The manual has
AArch64 rows with 1 or 3 words only; GNU as writes 2 where RA is saved and FP is not, and
consumers read that.) Where there are more, the Linux kernel takes the section out of use,
glibc gives the trace up, objdump may show another row or write beyond a buffer, and LLVM
skips them; mostly the count is wrong and the next row is read from the wrong place.`,
	Fix:  `Correct the number of words in the info byte, or take the words out.`,
	Good: `AMD64: info = 05: CFA and FP`,
	Bad:  `AMD64: info = 07: 3 words`,
}, func(c *rules.Context) {
	abi, ok := sound.ABI(c)
	if !ok {
		return
	}
	v := c.Section.Version()
	bad := func(r model.FRE) bool {
		return r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT && r.NumWords() > 0 && !abi.ValidWords(v, r.NumWords())
	}
	c.Rows(bad, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the row has %d data words; %s has a use for %d at most: the Linux kernel rejects the row, and if the count is wrong the next row is read from the wrong place", r.NumWords(), abi.Name, abi.MaxWords)
	})
})
