package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var FixedFPAMD64 = rules.New(rules.Rule{
	ID:   "SF1023",
	ABIs: model.ABIsWith(func(a model.ABIInfo) bool { return !a.TracksRA() }),
}, func(c *rules.Context) {
	if got := c.Section.Header().FixedFPOffset; got != c.Section.ABI().FixedFP {
		c.At(model.HdrFixedFP.Span(), "sfh_cfa_fixed_fp_offset is %d, which no producer writes for AMD64: some consumers load FP from CFA%+d in every FRE, and others use the data words", got, got)
	}
})

// fdeAlign is what the FDE sub-section is aligned to, in bytes from the start
// of the section. The 64-bit start fields of version 3 would need 8, but the
// header has 28 bytes.
const fdeAlign = 4

var Unaligned = rules.New(rules.Rule{
	ID:       "SF1024",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.FDESize%fdeAlign == 0 }),
	Needs:    rules.FDEsKnown,
}, func(c *rules.Context) {
	h, at := c.Section.Header(), c.Section.FDESubsection().Off
	if c.Section.NumFDEs() == 0 || at%fdeAlign == 0 {
		return
	}
	field := model.HdrFDEOff
	if h.AuxLen%fdeAlign != 0 {
		field = model.HdrAuxLen
	}
	c.At(field.Span(), "the FDEs start at 0x%x (sfh_auxhdr_len %d, sfh_fdeoff %d), which is not a multiple of %d: the fields of the FDEs are unaligned", at, h.AuxLen, h.FDEOff, fdeAlign)
})
