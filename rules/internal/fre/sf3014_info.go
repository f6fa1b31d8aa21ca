package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// Mangled finds signed return addresses on an ABI that signs none.
var Mangled = sound.Rule(rules.Rule{
	ID:       "SF3014",
	Title:    "mangled RA on an ABI without pointer authentication",
	Clause:   "The SFrame FRE Info Word",
	Severity: rules.Error,
	Text: `Bit 7 of an FRE's info byte says that the return address is signed, as AArch64
code may do it, so that a tracer has to strip the signature. AMD64 and s390x sign none: a
tracer that believes the bit damages the return address.`,
	Fix:  `Clear the bit, or correct sfh_abi_arch.`,
	Good: `AMD64: info = 03`,
	Bad:  `AMD64: info = 83`,
}, func(c *rules.Context) {
	abi, ok := sound.ABI(c)
	if !ok || abi.Pauth {
		return
	}
	c.Rows(model.FRE.MangledRA, func(r model.FRE) {
		c := c.Repair("clear the mangled RA bit", r.InfoSpan(), uint64(r.Info()&^model.FREInfoMangledBit))
		c.FRE(r, r.InfoSpan(), "the info byte is 0x%02x: bit 7 says that the return address is signed, which %s has no means for; a tracer that strips a signature damages the address", r.Info(), abi.Name)
	})
})

// NoWords finds rows that version 1 gives no meaning.
var NoWords = sound.Rule(rules.Rule{
	ID:       "SF3015",
	Title:    "row without data words",
	Clause:   "The SFrame FRE Info Word",
	Versions: []model.Version{model.SFRAME_VERSION_1},
	Severity: rules.Error,
	Text: `A row has at least one data word, for the CFA. That a row without any marks an
outermost frame came with errata 2 of version 2; in version 1 it says nothing, and
libsframe of binutils 2.40, which alone reads that version, shows nothing sensible.`,
	Fix:  `Write the CFA's word; to mark an outermost frame use a later version.`,
	Good: `info = 03: one word`,
	Bad:  `info = 01: no word`,
}, func(c *rules.Context) {
	c.Rows(func(r model.FRE) bool { return r.NumWords() == 0 }, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the info byte is 0x%02x, a row without data words: version 1 gives it no meaning, and every row needs one for the CFA", r.Info())
	})
})
