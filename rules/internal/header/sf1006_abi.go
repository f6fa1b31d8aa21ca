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
			known = append(known, fmt.Sprintf("%d: %s", a.ID, a.Short()))
		}
		all := "defined: " + strings.Join(known, ", ")
		if other := earlyELD[h.ABI]; other != "" {
			all += "; early versions of eld used it for " + other
		}
		c.At(model.HdrABI.Span(), "sfh_abi_arch is %d, which no version of the format defines (%s): the data words cannot be interpreted", uint8(h.ABI), all)
	case !abi.InVersion(h.Version):
		c.At(model.HdrABI.Span(), "sfh_abi_arch is %d (%s), which %v does not define: the data words cannot be interpreted", uint8(h.ABI), abi.Name, h.Version)
	}
})

var ByteOrder = rules.New(rules.Rule{ID: "SF1007"}, func(c *rules.Context) {
	abi := c.Section.ABI()
	if abi.Known() && abi.Big != c.Section.BigEndian() {
		c.At(model.HdrABI.Span(), "sfh_abi_arch is %d (%s), but the magic number is %s: consumers disagree about every field", uint8(abi.ID), abi.Spec, c.Section.OrderName())
	}
})

var FixedRA = rules.New(rules.Rule{ID: "SF1008"}, func(c *rules.Context) {
	abi, got := c.Section.ABI(), c.Section.Header().FixedRAOffset
	if abi.Known() && got != abi.FixedRA {
		c.At(model.HdrFixedRA.Span(), "sfh_cfa_fixed_ra_offset is %d, but %s has %s: a tracer reads every return address from the wrong slot", got, abi.Name, fixedOffset(abi.FixedRA))
	}
})

func fixedOffset(v int8) string {
	switch v {
	case 0:
		return "no fixed offset (expected 0)"
	case -8:
		return "-8"
	}
	return "another"
}

var FixedFP = rules.New(rules.Rule{ID: "SF1009", ABIs: model.ABIsWith(model.ABIInfo.TracksRA)}, func(c *rules.Context) {
	abi, got := c.Section.ABI(), c.Section.Header().FixedFPOffset
	if got != abi.FixedFP {
		c.At(model.HdrFixedFP.Span(), "sfh_cfa_fixed_fp_offset is %d, but %s has no fixed offset (expected 0): a consumer loads FP from a slot where it was not saved", got, abi.Name)
	}
})
