package suspicious

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// nearLimit is how close to the limits of 32 bits a start field gets before
// it is worth a word: 64 MiB, what a program easily grows by.
const nearLimit = 64 << 20

// NearLimit finds starts that hardly fit the field.
var NearLimit = sound.Rule(rules.Rule{
	ID:       "SF2101",
	Title:    "function start near the limit of 32 bits",
	Clause:   "SFrame FDE",
	Versions: []model.Version{model.SFRAME_VERSION_1, model.SFRAME_VERSION_2},
	Severity: rules.Warning,
	Text: `Versions 1 and 2 keep a function's start as a signed 32-bit distance. Code that
lies 2 GiB from the section can't be described: the value wraps and a tracer finds the
rows for another address. A start within 64 MiB of the limit is either already wrong or
will be after the program has grown a little.`,
	Fix:  `Use version 3, whose starts have 64 bits, or bring code and section together.`,
	Good: `sfde_func_start_address = -0x1fd0`,
	Bad:  `sfde_func_start_address = 0x7fff0000`,
}, func(c *rules.Context) {
	if c.Relocatable() {
		return
	}
	n := c.Section.NumFDEs()
	report := func(f model.FDE) {
		if v := f.RawStart(); v > 1<<31-nearLimit || v < -1<<31+nearLimit {
			c.FDE(f, model.FDEStart, "the start field is %d, within 64 MiB of what 32 bits hold: the function's start wraps as soon as code and section move apart", v)
		}
	}
	if c.Section.StartsAscend() && n > 0 {
		// The outermost starts bound all others.
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

// ManyRows finds functions whose rows nearly overflow the count.
var ManyRows = sound.Rule(rules.Rule{
	ID:       "SF2102",
	Title:    "number of FREs near 65535",
	Clause:   "The SFrame FDE Attribute",
	Versions: []model.Version{model.SFRAME_VERSION_3},
	Severity: rules.Warning,
	Text: `Version 3 counts a function's FREs in 16 bits. The assembler leaves the FDE of
a function with more out, and the function can no longer be traced. From 60000 on the
next change of the source may do it.`,
	Fix:  `Split the function.`,
	Good: `sfda_func_num_fres = 12`,
	Bad:  `sfda_func_num_fres = 65001`,
}, func(c *rules.Context) {
	if c.Survey().MostFREs() <= manyFREs {
		return
	}
	c.EachFDE(func(f model.FDE) {
		if n := f.ClaimedFREs(); n > manyFREs {
			c.FDE(f, model.FDENumFREs, "the function has %d FREs, and the count ends at 65535: with a few more the assembler leaves the function out", n)
		}
	})
})
