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
	abi := c.ABI()
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
	abi := c.ABI()
	if abi.MinInsn == 1 {
		return
	}
	c.EachFDE(func(f model.FDE) {
		if int64(f.Size())%abi.MinInsn != 0 {
			c.FDE(f, model.FDEFuncSize, "%s is %d, but instructions of %s take multiples of %d bytes: the function ends in data, or its size is wrong", c.FieldName(model.FDEFuncSize), f.Size(), abi.Name, abi.MinInsn)
		}
	})
})

// nearLimit is the distance to the limits of 32 bits below which a start field
// is reported: 64 MiB, by which a program easily grows.
const nearLimit = 64 << 20

var NearLimit = rules.New(rules.Rule{
	ID:       "SF2101",
	Title:    "function start near the limit of 32 bits",
	Clause:   "SFrame FDE",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.StartWidth == 4 }),
	Needs:    []rules.Fact{rules.FDEsKnown},
	Severity: rules.Warning,
	Text: `Versions 1 and 2 store a function's start as a signed distance of 32 bits.
They cannot describe code that lies 2 GiB or more from the section: the value wraps,
and a tracer finds the FREs for another address. A start within 64 MiB of the limit is
already wrong, or will be when the program grows.`,
	Fix:  `Use version 3, which has 64-bit starts, or place code and section closer together.`,
	Good: `sfde_func_start_address = -0x1fd0`,
	Bad:  `sfde_func_start_address = 0x7fff0000`,
}, func(c *rules.Context) {
	if c.Relocatable() {
		return
	}
	n := c.Section.NumFDEs()
	report := func(f model.FDE) {
		if v := f.RawStart(); v > 1<<31-nearLimit || v < -1<<31+nearLimit {
			c.FDE(f, model.FDEStart, "the start field is %d, within 64 MiB of the limit of 32 bits: the start wraps when code and section move further apart", v)
		}
	}
	if c.Section.StartsAscend() && n > 0 {
		// The first and last start bound all others.
		lo, hi := c.Section.FDE(0).RawStart(), c.Section.FDE(n-1).RawStart()
		span := int64(c.Section.FDESubsection().Len)
		if lo-span > -1<<31+nearLimit && hi+span < 1<<31-nearLimit && lo-span <= hi+span {
			return
		}
	}
	c.EachFDE(report)
})

// manyFREs is the number of FREs above which the next change of the source
// may overflow the 16-bit count.
const manyFREs = 60000

var ManyRows = rules.New(rules.Rule{
	ID:       "SF2102",
	Title:    "number of FREs near 65535",
	Clause:   "The SFrame FDE Attribute",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.MaxFREs == 65535 }),
	Needs:    []rules.Fact{rules.AttributesKnown},
	Severity: rules.Warning,
	Text: `Version 3 counts a function's FREs in 16 bits. The assembler leaves out the
FDE of a function with more, and tracers cannot pass the function. Above 60000 FREs
the next change of the source may cause that.`,
	Fix:  `Split the function.`,
	Good: `sfda_func_num_fres = 12`,
	Bad:  `sfda_func_num_fres = 65001`,
}, func(c *rules.Context) {
	if c.Survey().MostFREs() <= manyFREs {
		return
	}
	c.EachFDE(func(f model.FDE) {
		if n := f.ClaimedFREs(); n > manyFREs {
			c.FDE(f, model.FDENumFREs, "the function has %d FREs, and the maximum is 65535: with a few more the assembler leaves out its FDE", n)
		}
	})
})
