package container

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// OtherByteOrder finds sections in another byte order than the file's.
var OtherByteOrder = rules.New(rules.Rule{
	ID:       "SF5008",
	Title:    "byte order contradicts the ELF file",
	Clause:   "SFrame Magic Number and Endianness",
	Severity: rules.Error,
	Text: `A section is written in the byte order of its target, which is
e_ident[EI_DATA] of the file. The magic number shows the order that was used. Readers
on the target machine read in their own order and reject the section for its magic
number. A tool that swaps bytes accepts it, and linkers merge it with the others.
SF1007 reports an ABI identifier that contradicts the magic number.`,
	Fix:  `Build the section for the file's target.`,
	Good: `ELFDATA2LSB, sfp_magic = e2 de`,
	Bad:  `ELFDATA2LSB, sfp_magic = de e2`,
}, func(c *rules.Context) {
	e, abi := c.Object.ELF, c.Section.ABI()
	if e == nil || e.Order == nil || e.BigEndian() == c.Section.BigEndian() {
		return
	}
	if otherMachine(c) || abi.Known() && abi.Big != c.Section.BigEndian() {
		return // SF5007 or SF1007 reports it
	}
	c.Header(model.HdrMagic, "by sfp_magic the section is %s, but the file is %s: readers on the target machine reject the section", order(c.Section.BigEndian()), order(e.BigEndian()))
})

func order(big bool) string {
	if big {
		return "big-endian"
	}
	return "little-endian"
}
