package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// PauthKey finds a pointer authentication key on an ABI that has none.
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
	abi := c.Section.ABI()
	if abi.Pauth {
		return
	}
	bad := func(f model.FDE) bool { return f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B }
	c.FDEs(bad, func(f model.FDE) {
		c := c.Repair("clear the key bit", f.FieldSpan(model.FDEInfo), uint64(f.Info()&^model.InfoPauthKeyBit))
		c.FDE(f, model.FDEInfo, "%s is 0x%02x: bit 5 selects the pointer authentication key of AArch64, and %s must leave it zero; clear it, or correct sfh_abi_arch",
			name(c, model.FDEInfo), f.Info(), abi.Name)
	})
})
