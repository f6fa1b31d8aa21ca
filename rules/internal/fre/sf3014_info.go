package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

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
	abi := c.ABI()
	if abi.Pauth {
		return
	}
	c.Rows(model.FRE.MangledRA, func(r model.FRE) {
		c := c.Repair("clear the mangled RA bit", r.InfoSpan(), uint64(r.Info()&^model.FREInfoMangledBit))
		c.FRE(r, r.InfoSpan(), "the info byte is 0x%02x: bit 7 marks a signed return address, but %s signs none; a tracer that strips the signature corrupts the address", r.Info(), abi.Name)
	})
})

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

var IdleBits = rules.New(rules.Rule{
	ID:       "SF3027",
	Title:    "info bits of an FRE without data words",
	Clause:   "The SFrame FRE Info Word",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.Errata2 }),
	Needs:    []rules.Fact{rules.FREsKnown},
	Severity: rules.Note,
	Text: `An FRE without data words states that RA is undefined. The other bits of its info
byte, the base of the CFA, the size of the words and the mangled bit, have no meaning
then, and producers leave them 0. Set bits suggest that the number of words is wrong: then
a tracer stops in the middle of a trace.`,
	Fix:  `Clear the bits, or write the words.`,
	Good: `info = 00`,
	Bad:  `info = 21, a size of 2 bytes and SP, but no words`,
}, func(c *rules.Context) {
	pauth := c.Section.ABI().Pauth || !c.Section.ABI().Known()
	bad := func(r model.FRE) bool { return r.NumWords() == 0 && idleBits(r, pauth) != 0 }
	c.Rows(bad, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the info byte is 0x%02x: the FRE has no data words, so that RA is undefined, and its other bits have no meaning; if words are missing, a tracer stops too early", r.Info())
	})
})

// idleBits returns the bits of an FRE without words that no other rule reports.
func idleBits(r model.FRE, pauth bool) uint8 {
	bits := r.Info()
	if r.FDEType() == model.SFRAME_FDE_TYPE_FLEX {
		bits &^= model.FREInfoBaseBit // SF3023
	}
	if !pauth {
		bits &^= model.FREInfoMangledBit // SF3014
	}
	if r.WordSize().Width() == 0 {
		return 0 // SF3001
	}
	return bits
}
