package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// FixedFP finds a fixed FP offset on an ABI whose rows say where FP is saved.
var FixedFP = rules.New(rules.Rule{
	ID:       "SF1009",
	Title:    "fixed FP offset is not the ABI's",
	Clause:   "SFrame Header",
	ABIs:     model.ABIsWith(model.ABIInfo.TracksRA),
	Severity: rules.Error,
	Text: `sfh_cfa_fixed_fp_offset is the offset from the CFA at which FP is saved, on an
ABI that fixes it. AArch64 and s390x fix none: the third data word of an FRE is for
FP, and FP is unchanged in an FRE without that word. So the field is 0. With another
value a consumer loads FP from a slot that the function may never have written.`,
	Fix:  `Set 0.`,
	Good: `AArch64: sfh_cfa_fixed_fp_offset = 00`,
	Bad:  `AArch64: sfh_cfa_fixed_fp_offset = f0`,
}, func(c *rules.Context) {
	abi, got := c.Section.ABI(), c.Section.Header().FixedFPOffset
	if got != abi.FixedFP {
		c.Header(model.HdrFixedFP, "sfh_cfa_fixed_fp_offset is %d, but %s has no fixed offset (0): a consumer loads FP from a slot where it was not saved", got, abi.Name)
	}
})

// FixedFPAMD64 finds a fixed FP offset on the ABI for which the manual leaves
// one open.
var FixedFPAMD64 = rules.New(rules.Rule{
	ID:       "SF1023",
	Title:    "fixed FP offset on AMD64",
	Clause:   "SFrame Header",
	ABIs:     model.ABIsWith(func(a model.ABIInfo) bool { return !a.TracksRA() }),
	Severity: rules.Warning,
	Text: `The manual allows a fixed FP offset on AMD64: it states only that the second
data word of an FRE, if there is one, locates FP. The ABI does not fix the place of
FP, and every producer writes 0. With another value consumers disagree: libsframe and
glibc load FP from the fixed place for every FRE, the Linux kernel reads the data
words, llvm-readobj does not print the fixed place, and a linker that merges sections
writes 0 or the value of its first input.`,
	Fix:  `Set 0, and write a second data word in each FRE whose function has saved FP.`,
	Good: `AMD64: sfh_cfa_fixed_fp_offset = 00`,
	Bad:  `AMD64: sfh_cfa_fixed_fp_offset = f0`,
}, func(c *rules.Context) {
	if got := c.Section.Header().FixedFPOffset; got != c.Section.ABI().FixedFP {
		c.Header(model.HdrFixedFP, "sfh_cfa_fixed_fp_offset is %d, which no producer writes for AMD64: some consumers load FP from CFA%+d for every FRE, others read the data words", got, got)
	}
})
