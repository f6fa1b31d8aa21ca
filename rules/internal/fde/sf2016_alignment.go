package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var StartAlignment = rules.New(rules.Rule{
	ID:       "SF2016",
	Title:    "function start is not an instruction address",
	Clause:   "The SFrame FDE Index",
	ABIs:     model.ABIsWith(model.ABIInfo.AlignsInsns),
	Needs:    []rules.Fact{rules.FDEsKnown, rules.ABIKnown, rules.StartsAsFlagged},
	Severity: rules.Error,
	Text: `Instructions of AArch64 lie at multiples of 4 bytes, those of s390x at
multiples of 2. No function starts elsewhere: the start field or its relocation is
wrong, and a tracer applies all FREs of the function to wrong PCs.`,
	Fix:  `Correct the start, or the tool that computes it.`,
	Good: `AArch64: start 0x1040`,
	Bad:  `AArch64: start 0x1042`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	if abi.MinInsn == 1 {
		return
	}
	c.EachFDE(func(f model.FDE) {
		if f.Resolved() && f.Start()%uint64(abi.MinInsn) != 0 {
			c.FDE(f, model.FDEStart, "the function starts at 0x%x, but instructions of %s lie at multiples of %d: the start is wrong, and a tracer applies the FREs to wrong PCs", f.Start(), abi.Name, abi.MinInsn)
		}
	})
})

var SizeAlignment = rules.New(rules.Rule{
	ID:       "SF2017",
	Title:    "function size is not a multiple of the instruction size",
	Clause:   "The SFrame FDE Index",
	ABIs:     model.ABIsWith(model.ABIInfo.AlignsInsns),
	Needs:    []rules.Fact{rules.FDEsKnown, rules.ABIKnown},
	Severity: rules.Warning,
	Text: `Instructions of AArch64 have 4 bytes, those of s390x 2, 4 or 6, so the size of
a function is a multiple of 4 or 2. With another size either the function ends in
data, or the size is wrong. If it is too small, a tracer finds no FREs for the last
instructions; if it is too large, it applies these FREs to the start of the next
function.`,
	Fix:  `Correct the size, or end the CFI before the data.`,
	Good: `AArch64: size 0x40`,
	Bad:  `AArch64: size 0x42`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	if abi.MinInsn == 1 {
		return
	}
	c.EachFDE(func(f model.FDE) {
		if int64(f.Size())%abi.MinInsn != 0 {
			c.FDE(f, model.FDEFuncSize, "%s is %d, but instructions of %s take multiples of %d bytes: the function ends in data, or its size is wrong", c.FieldName(model.FDEFuncSize), f.Size(), abi.Name, abi.MinInsn)
		}
	})
})
