package header

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// earlyELD has the ABIs for which versions of eld of 2026 used identifiers that the format does not
// define.
var earlyELD = map[model.ABI]string{5: "s390x", 6: "RISC-V of 64 bits", 7: "RISC-V of 32 bits", 8: "Hexagon"}

var ABI = rules.New(rules.Rule{
	ID:       "SF1006",
	Title:    "unknown ABI identifier",
	Clause:   "SFrame ABI/arch Identifier",
	Severity: rules.Error,
	Text: `sfh_abi_arch selects how the data words of an FRE are read. It is 1 or 2 for
AArch64 (big- or little-endian), 3 for AMD64 and 4 for s390x (since errata 1 of
version 2). With another value the words have no meaning. Early versions of
eld used 4 to 8 for i386, s390x, RISC-V and Hexagon. Readers in a running system
(the Linux kernel, glibc) ignore the field and read the words as those of their own
machine. objdump 2.47 aborts on an assertion when a flexible FRE of such a section
names a register.`,
	Fix:  `Set the identifier of the target for which the code is built.`,
	Good: `sfh_abi_arch = 03`,
	Bad:  `sfh_abi_arch = 13`,
}, func(c *rules.Context) {
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
		if other := earlyELD[h.ABI]; other != "" {
			known = append(known, fmt.Sprintf("%d: %s in early versions of eld", h.ABI, other))
		}
		c.Header(model.HdrABI, "sfh_abi_arch is %d, which no version of the format defines (%s): the data words cannot be interpreted", uint8(h.ABI), strings.Join(known, ", "))
	case !abi.InVersion(h.Version):
		c.Header(model.HdrABI, "sfh_abi_arch is %d (%s), which %v does not define: the data words cannot be interpreted", uint8(h.ABI), abi.Name, h.Version)
	}
})

var ByteOrder = rules.New(rules.Rule{
	ID:       "SF1007",
	Title:    "ABI contradicts the byte order",
	Clause:   "SFrame ABI/arch Identifier",
	Severity: rules.Error,
	Text: `The ABI identifier implies a byte order: AMD64 and AArch64 with identifier 2
are little-endian, s390x and AArch64 with identifier 1 are big-endian. The magic
number shows the byte order of the section. Where the two disagree, consumers that
follow the identifier and consumers that follow the magic number read different
values.`,
	Fix:  `Write the section in the byte order of the target, and set the identifier of that target.`,
	Good: `e2 de .. .. 02: little-endian, AArch64 little-endian`,
	Bad:  `e2 de .. .. 01: little-endian, AArch64 big-endian`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	if abi.Known() && abi.Big != c.Section.BigEndian() {
		c.Header(model.HdrABI, "sfh_abi_arch is %d (%s), but by its magic number the section is %s: consumers disagree about every field", uint8(abi.ID), abi.Spec, c.Section.OrderName())
	}
})

var FixedRA = rules.New(rules.Rule{
	ID:       "SF1008",
	Title:    "fixed RA offset is not the ABI's",
	Clause:   "SFrame Header",
	Severity: rules.Error,
	Text: `sfh_cfa_fixed_ra_offset is the offset from the CFA at which RA is saved, on an
ABI that fixes it. On AMD64 it is -8, where the call instruction pushes RA. AArch64
and s390x fix no offset; there the field is 0 and each FRE gives the place of RA. With
a wrong value a tracer reads the return address of every frame from the wrong slot.`,
	Fix:  `Set the field to -8 (0xf8) for AMD64, 0 for AArch64 and s390x.`,
	Good: `AMD64: sfh_cfa_fixed_ra_offset = f8`,
	Bad:  `AMD64: sfh_cfa_fixed_ra_offset = f0`,
}, func(c *rules.Context) {
	abi, got := c.Section.ABI(), c.Section.Header().FixedRAOffset
	if abi.Known() && got != abi.FixedRA {
		c.Header(model.HdrFixedRA, "sfh_cfa_fixed_ra_offset is %d, but %s has %s: a tracer reads every return address from the wrong slot", got, abi.Name, fixedOffset(abi.FixedRA))
	}
})

func fixedOffset(v int8) string {
	switch v {
	case 0:
		return "no fixed offset (0)"
	case -8:
		return "-8"
	}
	return "another"
}

var FixedFP = rules.New(rules.Rule{
	ID:       "SF1009",
	Title:    "fixed FP offset is not the ABI's",
	Clause:   "SFrame Header",
	ABIs:     model.ABIsWith(model.ABIInfo.TracksRA),
	Severity: rules.Error,
	Text: `sfh_cfa_fixed_fp_offset is the offset from the CFA at which FP is saved, on an
ABI that fixes it. AArch64 and s390x fix none: the third data word of an FRE is for
FP, and FP is unchanged in an FRE without that word. So the field is 0. With another
value a consumer loads FP from a slot that the function may never have written.`,
	Fix:  `Set the field to 0.`,
	Good: `AArch64: sfh_cfa_fixed_fp_offset = 00`,
	Bad:  `AArch64: sfh_cfa_fixed_fp_offset = f0`,
}, func(c *rules.Context) {
	abi, got := c.Section.ABI(), c.Section.Header().FixedFPOffset
	if got != abi.FixedFP {
		c.Header(model.HdrFixedFP, "sfh_cfa_fixed_fp_offset is %d, but %s has no fixed offset (0): a consumer loads FP from a slot where it was not saved", got, abi.Name)
	}
})

var FixedFPAMD64 = rules.New(rules.Rule{
	ID:       "SF1023",
	Title:    "fixed FP offset on AMD64",
	Clause:   "SFrame Header",
	ABIs:     model.ABIsWith(func(a model.ABIInfo) bool { return !a.TracksRA() }),
	Severity: rules.Warning,
	Text: `The manual allows a fixed FP offset on AMD64: it states only that the second
data word of an FRE, if there is one, locates FP. The ABI does not fix the place of
FP, and every producer writes 0. With another value consumers disagree: libsframe and
glibc load FP from the fixed place for every FRE, the Linux kernel reads the data
words, llvm-readobj does not print the fixed place, and a linker that merges sections
writes 0 or the value of its first input.`,
	Fix:  `Set the field to 0, and write a second data word in each FRE whose function has saved FP.`,
	Good: `AMD64: sfh_cfa_fixed_fp_offset = 00`,
	Bad:  `AMD64: sfh_cfa_fixed_fp_offset = f0`,
}, func(c *rules.Context) {
	if got := c.Section.Header().FixedFPOffset; got != c.Section.ABI().FixedFP {
		c.Header(model.HdrFixedFP, "sfh_cfa_fixed_fp_offset is %d, which no producer writes for AMD64: some consumers load FP from CFA%+d for every FRE, others read the data words", got, got)
	}
})
