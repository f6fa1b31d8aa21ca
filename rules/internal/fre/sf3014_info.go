package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var Mangled = rules.New(rules.Rule{ID: "SF3014", Needs: rules.FREsKnown | rules.ABIKnown}, func(c *rules.Context) {
	abi := c.ABI
	if abi.Pauth {
		return
	}
	c.Rows(model.FRE.MangledRA, func(r model.FRE) {
		c := c.With(rules.Repair("clear the mangled RA bit", r.InfoSpan(), uint64(r.Info()&^model.FREInfoMangledBit)))
		c.FRE(r, r.InfoSpan(), "the info byte 0x%02x marks a signed return address, but %s has none: a tracer that strips the signature corrupts the address", r.Info(), abi.Name)
	})
})

var NoWords = rules.New(rules.Rule{
	ID:       "SF3015",
	Versions: []model.Version{model.SFRAME_VERSION_1},
	Needs:    rules.FREsKnown,
}, func(c *rules.Context) {
	c.Rows(func(r model.FRE) bool { return r.NumWords() == 0 }, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the FRE has no data words (info byte 0x%02x), but version 1 requires at least one: a tracer finds no CFA", r.Info())
	})
})
