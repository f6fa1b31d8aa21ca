package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var FREType = rules.New(rules.Rule{
	ID:       "SF2001",
	Title:    "undefined FRE type",
	Clause:   "The SFrame FRE Types",
	Needs:    []rules.Fact{rules.AttributesKnown},
	Severity: rules.Error,
	Text: `Bits 0 to 3 of the info byte are the FRE type. It gives the width of the start
offsets of the function's FREs: 0 (ADDR1), 1 (ADDR2) or 2 (ADDR4) for 1, 2 or 4 bytes.
With another type the FREs cannot be decoded. objdump and GNU ld abort on an
assertion, mold may read beyond its input, and the Linux kernel disables the section.`,
	Fix:  `Set the type in which the FREs are written.`,
	Good: `V3: sfda_func_info = 01 (ADDR2)`,
	Bad:  `V3: sfda_func_info = 07`,
}, func(c *rules.Context) {
	c.FDEs(func(f model.FDE) bool { return f.FREType().Width() == 0 }, func(f model.FDE) {
		c.FDE(f, model.FDEInfo, "%s has FRE type %d, but only 0 (ADDR1), 1 (ADDR2) and 2 (ADDR4) are defined: the width of start offsets is unknown, and no consumer can decode the function's %d FREs",
			c.FieldName(model.FDEInfo), uint8(f.FREType()), f.ClaimedFREs())
	})
})

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
			c.FieldName(model.FDEInfo), f.Info(), c.Section.Version(), f.Info()&reserved)
	})
})

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

var Padding = rules.New(rules.Rule{
	ID:       "SF2005",
	Title:    "FDE padding is not zero",
	Clause:   "SFrame FDE",
	Versions: onlyV2,
	Needs:    []rules.Fact{rules.FDEsKnown},
	Severity: rules.Warning,
	Text: `In version 2 an FDE ends with sfde_func_padding2, two bytes that align the
next FDE. No consumer reads them. A value other than 0 means that the producer writes
uninitialized memory, so two builds of the same input differ.`,
	Fix:  `Write zeros.`,
	Good: `sfde_func_padding2 = 00 00`,
	Bad:  `sfde_func_padding2 = a5 00`,
	Bugs: []string{"https://github.com/llvm/llvm-project/pull/158154"},
}, func(c *rules.Context) {
	c.Survey().Each(model.PaddingUsed, func(f model.FDE) {
		if f.Padding() != 0 {
			c := c.Repair("write zeros", f.FieldSpan(model.FDEPadding), 0)
			c.FDE(f, model.FDEPadding, "sfde_func_padding2 is 0x%04x, expected 0: the producer probably writes uninitialized memory", f.Padding())
		}
	})
})

var PauthKey = rules.New(rules.Rule{
	ID:       "SF2006",
	Title:    "pauth key on an ABI without pointer authentication",
	Clause:   "The SFrame FDE Info Bytes",
	Needs:    []rules.Fact{rules.AttributesKnown, rules.ABIKnown},
	Severity: rules.Error,
	Text: `Bit 5 of the info byte selects the key with which AArch64 signs return
addresses. AMD64 and s390x sign none and leave the bit unused. If it is set, either
the producer wrote uninitialized memory, or the section is for AArch64 and a consumer
that follows sfh_abi_arch misreads all of it.`,
	Fix:  `Clear the bit, or correct sfh_abi_arch.`,
	Good: `AMD64: sfda_func_info = 00`,
	Bad:  `AMD64: sfda_func_info = 20`,
}, func(c *rules.Context) {
	abi := c.ABI()
	if abi.Pauth {
		return
	}
	bad := func(f model.FDE) bool { return f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B }
	c.FDEs(bad, func(f model.FDE) {
		c := c.Repair("clear the key bit", f.FieldSpan(model.FDEInfo), uint64(f.Info()&^model.InfoPauthKeyBit))
		c.FDE(f, model.FDEInfo, "%s is 0x%02x: bit 5 selects the pointer authentication key of AArch64, and %s must leave it zero",
			c.FieldName(model.FDEInfo), f.Info(), abi.Name)
	})
})
