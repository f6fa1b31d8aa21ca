package header

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// earlyELD has the ABIs for which versions of eld of 2026 used identifiers that the format does not
// define.
var earlyELD = map[model.ABI]string{5: "s390x", 6: "64-bit RISC-V", 7: "32-bit RISC-V", 8: "Hexagon"}

var ABI = rules.New(rules.Rule{ID: "SF1006"}, func(c *rules.Context) {
	h := c.Section.Header()
	if !h.Version.Known() {
		return
	}
	switch abi := c.Section.ABI(); {
	case !abi.Known():
		var known []string
		for _, a := range model.ABIs() {
			known = append(known, fmt.Sprintf("%d (%s)", a.ID, a.Short()))
		}
		other := earlyELD[h.ABI]
		if other != "" {
			other = " (" + other + " in early versions of eld)"
		}
		c.At(model.HdrABI.Span(), "sfh_abi_arch is %d%s, but only %s are defined: consumers cannot interpret the data words", uint8(h.ABI), other, strings.Join(known, ", "))
	case !abi.InVersion(h.Version):
		c.At(model.HdrABI.Span(), "sfh_abi_arch is %d (%s), which version %d of the format does not define: consumers cannot interpret the data words", uint8(h.ABI), abi.Name, uint8(h.Version))
	}
})

var ByteOrder = rules.New(rules.Rule{ID: "SF1007"}, func(c *rules.Context) {
	abi := c.Section.ABI()
	if abi.Known() && abi.Big != c.Section.BigEndian() {
		c.At(model.HdrABI.Span(), "sfh_abi_arch is %d (%s), but sfp_magic is %s: consumers disagree about the byte order of all fields", uint8(abi.ID), abi.Spec, c.Section.OrderName())
	}
})

var FixedRA = rules.New(rules.Rule{ID: "SF1008"}, func(c *rules.Context) {
	abi, got := c.Section.ABI(), c.Section.Header().FixedRAOffset
	if abi.Known() && got != abi.FixedRA {
		c.At(model.HdrFixedRA.Span(), "sfh_cfa_fixed_ra_offset is %d, but must be %d for %s: tracers read every return address from the wrong slot", got, abi.FixedRA, abi.Name)
	}
})

var FixedFP = rules.New(rules.Rule{ID: "SF1009", ABIs: model.ABIsWith(model.ABIInfo.TracksRA)}, func(c *rules.Context) {
	abi, got := c.Section.ABI(), c.Section.Header().FixedFPOffset
	if got != abi.FixedFP {
		c.At(model.HdrFixedFP.Span(), "sfh_cfa_fixed_fp_offset is %d, but must be 0 for %s: consumers load FP from a slot in which the function did not save FP", got, abi.Name)
	}
})
