package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Mangled finds signed return addresses on an ABI that signs none.
var Mangled = rules.New(rules.Rule{
	ID:       "SF3014",
	Title:    "mangled RA on an ABI without pointer authentication",
	Clause:   "The SFrame FRE Info Word",
	Needs:    []rules.Fact{rules.FREsKnown, rules.ABIKnown},
	Severity: rules.Error,
	Text: `Bit 7 of an FRE's info byte is set if the return address is signed, as AArch64
code may do, so that a tracer strips the signature. AMD64 and s390x sign no addresses.
A tracer that follows the bit there corrupts the return address.`,
	Fix:  `Clear the bit, or correct sfh_abi_arch.`,
	Good: `AMD64: info = 03`,
	Bad:  `AMD64: info = 83`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	if abi.Pauth {
		return
	}
	c.Rows(model.FRE.MangledRA, func(r model.FRE) {
		c := c.Repair("clear the mangled RA bit", r.InfoSpan(), uint64(r.Info()&^model.FREInfoMangledBit))
		c.FRE(r, r.InfoSpan(), "the info byte is 0x%02x: bit 7 marks a signed return address, but %s signs none; a tracer that strips the signature corrupts the address", r.Info(), abi.Name)
	})
})

// NoWords finds FREs without data words in version 1.
var NoWords = rules.New(rules.Rule{
	ID:       "SF3015",
	Title:    "FRE without data words",
	Clause:   "The SFrame FRE Info Word",
	Versions: []model.Version{model.SFRAME_VERSION_1},
	Needs:    []rules.Fact{rules.FREsKnown},
	Severity: rules.Error,
	Text: `An FRE has at least one data word, for the CFA. An FRE without data words
marks an outermost frame since errata 2 of version 2. In version 1 it has no meaning,
and libsframe of binutils 2.40, the only reader of that version, prints nothing useful
for it.`,
	Fix:  `Write the word for the CFA. To mark an outermost frame, use a later version.`,
	Good: `info = 03: one word`,
	Bad:  `info = 01: no word`,
}, func(c *rules.Context) {
	c.Rows(func(r model.FRE) bool { return r.NumWords() == 0 }, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the info byte is 0x%02x, which means no data words: in version 1 every FRE needs one for the CFA", r.Info())
	})
})
