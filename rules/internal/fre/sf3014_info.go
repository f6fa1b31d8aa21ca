package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var Mangled = rules.New(rules.Rule{
	ID:       "SF3014",
	Clause:   "The SFrame FRE Info Word",
	Needs:    []rules.Fact{rules.FREsKnown, rules.ABIKnown},
	Severity: rules.Error,
}, func(c *rules.Context) {
	abi := c.ABI
	if abi.Pauth {
		return
	}
	c.Rows(model.FRE.MangledRA, func(r model.FRE) {
		c := c.With(rules.Repair("clear the mangled RA bit", r.InfoSpan(), uint64(r.Info()&^model.FREInfoMangledBit)))
		c.FRE(r, r.InfoSpan(), "the info byte is 0x%02x: bit 7 marks a signed return address, but %s signs none; a tracer that strips the signature corrupts the address", r.Info(), abi.Name)
	})
})

var NoWords = rules.New(rules.Rule{
	ID:       "SF3015",
	Clause:   "The SFrame FRE Info Word",
	Versions: []model.Version{model.SFRAME_VERSION_1},
	Needs:    []rules.Fact{rules.FREsKnown},
	Severity: rules.Error,
}, func(c *rules.Context) {
	c.Rows(func(r model.FRE) bool { return r.NumWords() == 0 }, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the info byte is 0x%02x, which means no data words: in version 1 every FRE needs one for the CFA", r.Info())
	})
})

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
