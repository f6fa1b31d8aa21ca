package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// ByteOrder finds an ABI whose byte order differs from that of the magic number.
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
		c.Header(model.HdrABI, "sfh_abi_arch is %d (%s), but by its magic number the section is %s: consumers disagree about every field", uint8(abi.ID), abi.Spec, order(c.Section.BigEndian()))
	}
})

func order(big bool) string {
	if big {
		return "big-endian"
	}
	return "little-endian"
}
