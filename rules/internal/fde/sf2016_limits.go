package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var StartAlignment = rules.New(rules.Rule{
	ID:       "SF2016",
	Clause:   "The SFrame FDE Index",
	ABIs:     model.ABIsWith(model.ABIInfo.AlignsInsns),
	Needs:    []rules.Fact{rules.FDEsKnown, rules.ABIKnown, rules.StartsAsFlagged},
	Severity: rules.Error,
}, func(c *rules.Context) {
	abi := c.ABI
	if abi.MinInsn == 1 {
		return
	}
	c.FDEs(nil, func(f model.FDE) {
		if f.Resolved() && f.Start()%uint64(abi.MinInsn) != 0 {
			c.FDE(f, model.FDEStart, "the function starts at 0x%x, but instructions of %s lie at multiples of %d: the start is wrong, and a tracer applies the FREs to wrong PCs", f.Start(), abi.Name, abi.MinInsn)
		}
	})
})

var SizeAlignment = rules.New(rules.Rule{
	ID:       "SF2017",
	Clause:   "The SFrame FDE Index",
	ABIs:     model.ABIsWith(model.ABIInfo.AlignsInsns),
	Needs:    []rules.Fact{rules.FDEsKnown, rules.ABIKnown},
	Severity: rules.Warning,
}, func(c *rules.Context) {
	abi := c.ABI
	if abi.MinInsn == 1 {
		return
	}
	c.FDEs(nil, func(f model.FDE) {
		if int64(f.Size())%abi.MinInsn != 0 {
			c.FDE(f, model.FDEFuncSize, "%s is %d, but instructions of %s take multiples of %d bytes: the function ends in data, or its size is wrong", c.Section.FieldName(model.FDEFuncSize), f.Size(), abi.Name, abi.MinInsn)
		}
	})
})

// nearLimit is the distance to the limits of 32 bits below which a start field
// is reported: 64 MiB, by which a program easily grows.
const nearLimit = 64 << 20

var NearLimit = rules.New(rules.Rule{
	ID:       "SF2101",
	Clause:   "SFrame FDE",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.StartWidth == 4 }),
	Needs:    []rules.Fact{rules.FDEsKnown},
	Severity: rules.Warning,
}, func(c *rules.Context) {
	if c.Object.Relocatable() {
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
	c.FDEs(nil, report)
})

// manyFREs is the number of FREs above which the next change of the source
// may overflow the 16-bit count.
const manyFREs = 60000

var ManyRows = rules.New(rules.Rule{
	ID:       "SF2102",
	Clause:   "The SFrame FDE Attribute",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.MaxFREs == 65535 }),
	Needs:    []rules.Fact{rules.AttributesKnown},
	Severity: rules.Warning,
}, func(c *rules.Context) {
	if c.SFrame.Survey().MostFREs() <= manyFREs {
		return
	}
	c.FDEs(nil, func(f model.FDE) {
		if n := f.ClaimedFREs(); n > manyFREs {
			c.FDE(f, model.FDENumFREs, "the function has %d FREs, and the maximum is 65535: with a few more the assembler leaves out its FDE", n)
		}
	})
})
