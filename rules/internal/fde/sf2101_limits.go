package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// nearLimit is the distance to the limits of 32 bits below which a start field
// is reported: 64 MiB, by which a program easily grows.
const nearLimit = 64 << 20

var NearLimit = rules.New(rules.Rule{
	ID:       "SF2101",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.StartWidth == 4 }),
	Needs:    rules.FDEsKnown,
}, func(c *rules.Context) {
	if c.Object.Relocatable() {
		return
	}
	n := c.Section.NumFDEs()
	report := func(f model.FDE) {
		if v := f.RawStart(); v > 1<<31-nearLimit || v < -1<<31+nearLimit {
			c.FDE(f, model.FDEStart, "the start field is %d, within 64 MiB of the 32-bit limit: the field overflows if code and section move further apart", v)
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
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.MaxFREs == 65535 }),
	Needs:    rules.AttributesKnown,
}, func(c *rules.Context) {
	if c.SFrame.Survey().MostFREs() <= manyFREs {
		return
	}
	c.FDEs(nil, func(f model.FDE) {
		if n := f.ClaimedFREs(); n > manyFREs {
			c.FDE(f, model.FDENumFREs, "the function has %d FREs, and an FDE can have at most 65535: with a few more, the assembler writes no FDE", n)
		}
	})
})
