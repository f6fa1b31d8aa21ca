package fre

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var Misaligned = rules.New(rules.Rule{
	ID:    "SF3025",
	ABIs:  model.ABIsWith(model.ABIInfo.AlignsInsns),
	Needs: rules.FREsKnown | rules.ABIKnown,
}, func(c *rules.Context) {
	abi := c.ABI
	c.SFrame.Survey().Each(model.RowMisaligned, func(f model.FDE) {
		var first model.FRE
		n, prev := 0, int64(-1)
		for r := range f.FREs() {
			// Other rules report an FRE out of order or beyond the end.
			if int64(r.Start())%abi.MinInsn != 0 && int64(r.Start()) > prev && r.Start() < f.Extent() {
				if n++; n == 1 {
					first = r
				}
			}
			prev = max(prev, int64(r.Start()))
		}
		if n == 0 {
			return
		}
		more := ""
		if n > 1 {
			more = fmt.Sprintf(" (one of %d misaligned FREs)", n)
		}
		c.FRE(first, first.StartSpan(), "the FRE starts at offset 0x%x%s, but %s aligns instructions to %d bytes: a tracer applies the FRE to wrong PCs", first.Start(), more, abi.Name, abi.MinInsn)
	})
})

var FlexUnusedRA = flexRule(rules.Rule{ID: "SF3026"}, func(c *rules.Context) {
	bad := func(e model.FlexEntity) bool { return e.Role == model.FlexRA && !e.RegP() && e.Reg() != 0 }
	entities(c, bad, func(r model.FRE, e model.FlexEntity) {
		c.FRE(r, r.WordSpan(e.Word), "the control word for RA (0x%x) names register %d, but reg_p is clear: a tracer uses the CFA as the base, or rejects the FRE", e.Control, e.Reg())
	})
})

var IdleBits = rules.New(rules.Rule{
	ID:       "SF3027",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.Errata2 }),
	Needs:    rules.FREsKnown,
}, func(c *rules.Context) {
	pauth := c.Section.ABI().Pauth || !c.Section.ABI().Known()
	bad := func(r model.FRE) bool { return r.NumWords() == 0 && idleBits(r, pauth) != 0 }
	c.Rows(bad, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the FRE has no data words, but its info byte (0x%02x) has bits set: if words are missing, a tracer stops too early", r.Info())
	})
})

// idleBits returns the bits of an FRE without words that no other rule reports.
func idleBits(r model.FRE, pauth bool) uint8 {
	bits := r.Info()
	if r.Flex() {
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
