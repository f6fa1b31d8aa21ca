package abi

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// WordCount finds FREs with a number of words that the ABI does not define.
var WordCount = sound.Rule(rules.Rule{
	ID:       "SF4001",
	Title:    "number of data words invalid for the ABI",
	Clause:   "Default FDE Type Interpretation",
	Severity: rules.Error,
	Text: `The words of an FRE of the default type are for the CFA, for RA unless the ABI
fixes it, and for FP: at most 2 on AMD64, at most 3 on AArch64 and s390x. (The manual
allows 1 or 3 words on AArch64. GNU as writes 2 if RA is saved and FP is not, and
consumers accept that.) If there are more, the Linux kernel disables the section,
glibc ends the trace, objdump may print another FRE or write beyond a buffer, and LLVM
skips the words. Usually the count is wrong and the next FRE is read from the wrong
place.`,
	Fix:  `Correct the number of words in the info byte, or remove the words.`,
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
		c.FRE(r, r.InfoSpan(), "the FRE has %d data words, but %s uses at most %d: the Linux kernel rejects the FRE, and if the count is wrong the next FRE is read from the wrong place", r.NumWords(), abi.Name, abi.MaxWords)
	})
})
