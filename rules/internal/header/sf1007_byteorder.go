package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// ByteOrder finds an ABI whose byte order is not the one of the magic.
var ByteOrder = rules.New(rules.Rule{
	ID:       "SF1007",
	Title:    "ABI contradicts the byte order",
	Clause:   "SFrame ABI/arch Identifier",
	Severity: rules.Error,
	Text: `The ABI identifier implies a byte order: AMD64 and 2 (AArch64) are
little-endian, s390x and 1 (AArch64) are big-endian. The magic number shows the order
that the section is written in. Where they disagree, consumers that go by the one read
other values than consumers that go by the other.`,
	Fix:  `Write the section in the byte order of the target, and name that target.`,
	Good: `e2 de .. .. 02: little-endian, AArch64 little-endian`,
	Bad:  `e2 de .. .. 01: little-endian, AArch64 big-endian`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	if abi.Known() && abi.Big != c.Section.BigEndian() {
		c.Header(model.HdrABI, "sfh_abi_arch is %d (%s), but the magic number shows a %s section: consumers disagree about every field", uint8(abi.ID), abi.Spec, order(c.Section.BigEndian()))
	}
})

func order(big bool) string {
	if big {
		return "big-endian"
	}
	return "little-endian"
}
