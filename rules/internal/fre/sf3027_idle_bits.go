package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var IdleBits = rules.New(rules.Rule{
	ID:       "SF3027",
	Clause:   "The SFrame FRE Info Word",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.Errata2 }),
	Needs:    []rules.Fact{rules.FREsKnown},
	Severity: rules.Note,
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
