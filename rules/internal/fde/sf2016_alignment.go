package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
	"github.com/sframe-lint/sframe-lint/rules/internal/starts"
)

// StartAlignment finds starts where no instruction can be.
var StartAlignment = sound.Rule(rules.Rule{
	ID:       "SF2016",
	Title:    "function start is no instruction address",
	Clause:   "The SFrame FDE Index",
	ABIs:     fixedInsns,
	Severity: rules.Error,
	Text: `Instructions of AArch64 stand at multiples of 4 bytes, those of s390x at multiples
of 2. A function that starts elsewhere does not exist: the start field or its relocation
is wrong, and a tracer applies all rows of the function to wrong PCs.`,
	Fix:  `Correct the start, or what computes it.`,
	Good: `AArch64: start 0x1040`,
	Bad:  `AArch64: start 0x1042`,
}, func(c *rules.Context) {
	abi, ok := sound.ABI(c)
	if !ok || abi.MinInsn == 1 || starts.Misread(c) {
		return
	}
	c.EachFDE(func(f model.FDE) {
		if f.Resolved() && f.Start()%uint64(abi.MinInsn) != 0 {
			c.FDE(f, model.FDEStart, "the function starts at 0x%x; instructions of %s stand at multiples of %d, so there is no function, and its rows apply to wrong PCs", f.Start(), abi.Name, abi.MinInsn)
		}
	})
})

// SizeAlignment finds sizes that no run of instructions has.
var SizeAlignment = sound.Rule(rules.Rule{
	ID:       "SF2017",
	Title:    "function size is no multiple of an instruction",
	Clause:   "The SFrame FDE Index",
	ABIs:     fixedInsns,
	Severity: rules.Warning,
	Text: `Instructions of AArch64 take 4 bytes, those of s390x 2, 4 or 6, so a function's
size is a multiple of 4 or 2. Another size means that data stands at the function's end,
or that the size is wrong and a tracer finds no rows for the last instructions, or these
rows for the next function's first ones.`,
	Fix:  `Correct the size; close the CFI in front of data.`,
	Good: `AArch64: size 0x40`,
	Bad:  `AArch64: size 0x42`,
}, func(c *rules.Context) {
	abi, ok := sound.ABI(c)
	if !ok || abi.MinInsn == 1 {
		return
	}
	c.EachFDE(func(f model.FDE) {
		if int64(f.Size())%abi.MinInsn != 0 {
			c.FDE(f, model.FDEFuncSize, "%s is %d; instructions of %s take multiples of %d bytes, so the function ends in data or its size is wrong", name(c, model.FDEFuncSize), f.Size(), abi.Name, abi.MinInsn)
		}
	})
})

// fixedInsns are the ABIs on which not every address is an instruction's.
var fixedInsns = []model.ABI{
	model.SFRAME_ABI_AARCH64_ENDIAN_BIG, model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, model.SFRAME_ABI_S390X_ENDIAN_BIG,
}
