package abi

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var WordCount = rules.New(rules.Rule{
	ID:       "SF4001",
	Title:    "number of data words invalid for the ABI",
	Clause:   "Default FDE Type Interpretation",
	Needs:    []rules.Fact{rules.FREsKnown, rules.ABIKnown},
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
	abi := c.Section.ABI()
	v := c.Section.Version()
	bad := func(r model.FRE) bool {
		return r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT && r.NumWords() > 0 && !abi.ValidWords(v, r.NumWords())
	}
	c.Rows(bad, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the FRE has %d data words, but %s uses at most %d: the Linux kernel rejects the FRE, and if the count is wrong the next FRE is read from the wrong place", r.NumWords(), abi.Name, abi.MaxWords)
	})
})

var TwoWords = rules.New(rules.Rule{
	ID:       "SF4008",
	Title:    "AArch64 FRE with two data words",
	Clause:   "AArch64",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.Errata2 }),
	ABIs:     model.ABIsWith(func(a model.ABIInfo) bool { return a.TracksRA() && !a.RAPadding }), // AArch64
	Needs:    []rules.Fact{rules.FREsKnown, rules.ABIKnown},
	Severity: rules.Note,
	OptIn:    true,
	Text: `The manual gives an AArch64 FRE of the default type 1 or 3 data words. GNU as
writes 2 if a function saves RA but not FP, as one that saves only x30 does. All known
consumers read such an FRE correctly: CFA, RA, FP unchanged. The rule is for producers
whose consumer requires the manual's numbers. It is opt-in.`,
	Fix:  `Save FP with RA, as a frame record does, or accept such FREs.`,
	Good: `info = 07, words 20 e8 e0: RA at CFA-24, FP at CFA-32`,
	Bad:  `info = 05, words 20 e8: RA at CFA-24`,
}, func(c *rules.Context) {
	two := func(r model.FRE) bool { return r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT && r.NumWords() == 2 }
	c.Rows(two, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the FRE has 2 data words, for CFA and RA, but the manual allows only 1 or 3 on AArch64: a consumer that follows the manual rejects the FRE")
	})
})
