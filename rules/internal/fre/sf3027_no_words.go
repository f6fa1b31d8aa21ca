package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// IdleBits finds FREs without data words whose info byte has other bits set.
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
