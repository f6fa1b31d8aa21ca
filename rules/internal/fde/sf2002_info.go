package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// InfoReserved finds bits of the info byte that have no meaning.
var InfoReserved = sound.Rule(rules.Rule{
	ID:       "SF2002",
	Title:    "reserved bits of the FDE info byte",
	Clause:   "The SFrame FDE Info Bytes",
	Severity: rules.Error,
	Text: `The info byte has bits without a meaning: 6 and 7 in versions 1 and 2, 6 in version
3, where bit 7 marks a signal frame. The manual keeps them for later versions, so they
have to be zero: a consumer that gives one a meaning misreads the function. Set bits often
are memory that the producer has not initialised.`,
	Fix:  `Clear the bits.`,
	Good: `V2: sfde_func_info = 10 (MASK, ADDR1)`,
	Bad:  `V2: sfde_func_info = 90`,
	Bugs: []string{"https://github.com/llvm/llvm-project/pull/159643"},
}, func(c *rules.Context) {
	reserved := uint8(model.InfoReservedV2)
	if c.Section.Version() == model.SFRAME_VERSION_3 {
		reserved = model.InfoReservedV3
	}
	c.FDEs(func(f model.FDE) bool { return f.Info()&reserved != 0 }, func(f model.FDE) {
		c := c.Repair("clear the reserved bits", f.FieldSpan(model.FDEInfo), uint64(f.Info()&^reserved))
		c.FDE(f, model.FDEInfo, "%s is 0x%02x: %v gives the bits 0x%02x no meaning, so they must be zero; a consumer of a later version may read the rows in another way",
			name(c, model.FDEInfo), f.Info(), c.Section.Version(), f.Info()&reserved)
	})
})

// Info2Reserved finds bits of the second info byte that have no meaning.
var Info2Reserved = sound.Rule(rules.Rule{
	ID:       "SF2003",
	Title:    "reserved bits of the second FDE info byte",
	Clause:   "The SFrame FDE Info Bytes",
	Versions: onlyV3,
	Severity: rules.Error,
	Text: `Bits 0 to 4 of sfda_func_info2 are the FDE type; bits 5 to 7 have no meaning. The
manual keeps them for later versions, so they have to be zero: a consumer that gives one a
meaning misreads the function.`,
	Fix:  `Clear the bits.`,
	Good: `sfda_func_info2 = 01 (flexible)`,
	Bad:  `sfda_func_info2 = 21`,
}, func(c *rules.Context) {
	bad := func(f model.FDE) bool { return f.Info2()&model.Info2Reserved != 0 }
	c.FDEs(bad, func(f model.FDE) {
		c := c.Repair("clear the reserved bits", f.FieldSpan(model.FDEInfo2), uint64(f.Info2()&^model.Info2Reserved))
		c.FDE(f, model.FDEInfo2, "sfda_func_info2 is 0x%02x: the bits 0x%02x have no meaning and must be zero; a consumer of a later version may read the rows in another way", f.Info2(), f.Info2()&model.Info2Reserved)
	})
})

// FDEType finds an FDE type that the format does not define.
var FDEType = sound.Rule(rules.Rule{
	ID:       "SF2004",
	Title:    "undefined FDE type",
	Clause:   "The SFrame FDE Types",
	Versions: onlyV3,
	Severity: rules.Error,
	Text: `Bits 0 to 4 of sfda_func_info2 are the FDE type, which says how the data words of
the function's rows are read: 0 is the default type, 1 the flexible one. With another type
the words have no meaning. libsframe reads them as those of the default type; the Linux
kernel takes the section out of use.`,
	Fix:  `Set the type that the rows are written for.`,
	Good: `sfda_func_info2 = 00 (default)`,
	Bad:  `sfda_func_info2 = 02`,
}, func(c *rules.Context) {
	c.FDEs(func(f model.FDE) bool { return f.Type() > model.SFRAME_FDE_TYPE_FLEX }, func(f model.FDE) {
		c.FDE(f, model.FDEInfo2, "sfda_func_info2 gives FDE type %d; 0 (default) and 1 (flexible) are defined: no consumer can tell what the data words of the function's %d FREs mean", uint8(f.Type()), f.ClaimedFREs())
	})
})
