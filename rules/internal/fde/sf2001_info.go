package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var FREType = rules.New(rules.Rule{ID: "SF2001", Needs: rules.AttributesKnown}, func(c *rules.Context) {
	c.FDEs(func(f model.FDE) bool { return f.FREType().Width() == 0 }, func(f model.FDE) {
		c.FDE(f, model.FDEInfo, "%s has FRE type %d, but only 0 (ADDR1), 1 (ADDR2) and 2 (ADDR4) are defined: no consumer can decode the function's %d FREs",
			c.Section.FieldName(model.FDEInfo), uint8(f.FREType()), f.ClaimedFREs())
	})
})

var InfoReserved = rules.New(rules.Rule{ID: "SF2002", Needs: rules.AttributesKnown}, func(c *rules.Context) {
	reserved := c.Section.Version().Info().Reserved
	c.FDEs(func(f model.FDE) bool { return f.Info()&reserved != 0 }, func(f model.FDE) {
		c := c.With(rules.Repair("clear the reserved bits", f.FieldSpan(model.FDEInfo), uint64(f.Info()&^reserved)))
		c.FDE(f, model.FDEInfo, "%s is 0x%02x, but bits 0x%02x are reserved in version %d: a consumer of a later version may misread the FREs",
			c.Section.FieldName(model.FDEInfo), f.Info(), f.Info()&reserved, uint8(c.Section.Version()))
	})
})

var Info2Reserved = rules.New(rules.Rule{ID: "SF2003", Versions: onlyV3, Needs: rules.AttributesKnown}, func(c *rules.Context) {
	bad := func(f model.FDE) bool { return f.Info2()&model.Info2Reserved != 0 }
	c.FDEs(bad, func(f model.FDE) {
		c := c.With(rules.Repair("clear the reserved bits", f.FieldSpan(model.FDEInfo2), uint64(f.Info2()&^model.Info2Reserved)))
		c.FDE(f, model.FDEInfo2, "sfda_func_info2 is 0x%02x, but bits 0x%02x are reserved: a consumer of a later version may misread the FREs", f.Info2(), f.Info2()&model.Info2Reserved)
	})
})

var FDEType = rules.New(rules.Rule{ID: "SF2004", Versions: onlyV3, Needs: rules.AttributesKnown}, func(c *rules.Context) {
	c.FDEs(func(f model.FDE) bool { return f.Type() > model.SFRAME_FDE_TYPE_FLEX }, func(f model.FDE) {
		c.FDE(f, model.FDEInfo2, "sfda_func_info2 has FDE type %d, but only 0 (default) and 1 (flexible) are defined: no consumer can interpret the data words of the function's %d FREs", uint8(f.Type()), f.ClaimedFREs())
	})
})

var Padding = rules.New(rules.Rule{ID: "SF2005", Versions: onlyV2, Needs: rules.FDEsKnown}, func(c *rules.Context) {
	c.SFrame.Survey().Each(model.PaddingUsed, func(f model.FDE) {
		if f.Padding() != 0 {
			c := c.With(rules.Repair("write zeros", f.FieldSpan(model.FDEPadding), 0))
			c.FDE(f, model.FDEPadding, "sfde_func_padding2 is 0x%04x, expected 0: the producer probably writes uninitialized memory", f.Padding())
		}
	})
})

var PauthKey = rules.New(rules.Rule{ID: "SF2006", Needs: rules.AttributesKnown | rules.ABIKnown}, func(c *rules.Context) {
	abi := c.ABI
	if abi.Pauth {
		return
	}
	bad := func(f model.FDE) bool { return f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B }
	c.FDEs(bad, func(f model.FDE) {
		c := c.With(rules.Repair("clear the key bit", f.FieldSpan(model.FDEInfo), uint64(f.Info()&^model.InfoPauthKeyBit)))
		c.FDE(f, model.FDEInfo, "bit 5 of %s (0x%02x) is set, but only AArch64 uses it: the producer wrote uninitialized memory, or the section is not for %s",
			c.Section.FieldName(model.FDEInfo), f.Info(), abi.Name)
	})
})
