package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// InfoReserved finds reserved bits of the info byte that are set.
var InfoReserved = rules.New(rules.Rule{
	ID:       "SF2002",
	Title:    "reserved bits set in the FDE info byte",
	Clause:   "The SFrame FDE Info Bytes",
	Needs:    []rules.Fact{rules.AttributesKnown},
	Severity: rules.Error,
	Text: `Some bits of the info byte have no meaning: bits 6 and 7 in versions 1 and 2,
bit 6 in version 3, where bit 7 marks a signal frame. The manual reserves them for
later versions, so they must be zero. A consumer that gives a bit a meaning misreads
the function. A set bit is often uninitialized memory of the producer.`,
	Fix:  `Clear the bits.`,
	Good: `V2: sfde_func_info = 10 (MASK, ADDR1)`,
	Bad:  `V2: sfde_func_info = 90`,
	Bugs: []string{"https://github.com/llvm/llvm-project/pull/159643"},
}, func(c *rules.Context) {
	reserved := c.Section.Version().Info().Reserved
	c.FDEs(func(f model.FDE) bool { return f.Info()&reserved != 0 }, func(f model.FDE) {
		c := c.Repair("clear the reserved bits", f.FieldSpan(model.FDEInfo), uint64(f.Info()&^reserved))
		c.FDE(f, model.FDEInfo, "%s is 0x%02x: %v reserves the bits 0x%02x, which must be zero; a consumer of a later version may misread the FREs",
			name(c, model.FDEInfo), f.Info(), c.Section.Version(), f.Info()&reserved)
	})
})

// Info2Reserved finds reserved bits of the second info byte that are set.
var Info2Reserved = rules.New(rules.Rule{
	ID:       "SF2003",
	Title:    "reserved bits set in the second FDE info byte",
	Clause:   "The SFrame FDE Info Bytes",
	Versions: onlyV3,
	Needs:    []rules.Fact{rules.AttributesKnown},
	Severity: rules.Error,
	Text: `Bits 0 to 4 of sfda_func_info2 are the FDE type. Bits 5 to 7 have no meaning:
the manual reserves them for later versions, so they must be zero. A consumer that
gives a bit a meaning misreads the function.`,
	Fix:  `Clear the bits.`,
	Good: `sfda_func_info2 = 01 (flexible)`,
	Bad:  `sfda_func_info2 = 21`,
}, func(c *rules.Context) {
	bad := func(f model.FDE) bool { return f.Info2()&model.Info2Reserved != 0 }
	c.FDEs(bad, func(f model.FDE) {
		c := c.Repair("clear the reserved bits", f.FieldSpan(model.FDEInfo2), uint64(f.Info2()&^model.Info2Reserved))
		c.FDE(f, model.FDEInfo2, "sfda_func_info2 is 0x%02x: the bits 0x%02x are reserved and must be zero; a consumer of a later version may misread the FREs", f.Info2(), f.Info2()&model.Info2Reserved)
	})
})

// FDEType finds an FDE type that the format does not define.
var FDEType = rules.New(rules.Rule{
	ID:       "SF2004",
	Title:    "undefined FDE type",
	Clause:   "The SFrame FDE Types",
	Versions: onlyV3,
	Needs:    []rules.Fact{rules.AttributesKnown},
	Severity: rules.Error,
	Text: `Bits 0 to 4 of sfda_func_info2 are the FDE type. It selects how the data words
of the function's FREs are read: 0 is the default type, 1 the flexible type. With
another type the words have no meaning. libsframe reads them as words of the default
type. The Linux kernel disables the section.`,
	Fix:  `Set the type for which the FREs are written.`,
	Good: `sfda_func_info2 = 00 (default)`,
	Bad:  `sfda_func_info2 = 02`,
}, func(c *rules.Context) {
	c.FDEs(func(f model.FDE) bool { return f.Type() > model.SFRAME_FDE_TYPE_FLEX }, func(f model.FDE) {
		c.FDE(f, model.FDEInfo2, "sfda_func_info2 has FDE type %d, but only 0 (default) and 1 (flexible) are defined: the data words of the function's %d FREs cannot be interpreted", uint8(f.Type()), f.ClaimedFREs())
	})
})
