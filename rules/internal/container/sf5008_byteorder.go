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
	Text: `A section is written in the byte order of its target, and the file's
e_ident[EI_DATA] says which that is. The magic number shows the order that was used.
Readers on the machine itself read in their own order and reject the section for its
magic; a tool that swaps bytes reads it, and linkers mix it with the others.

Where the ABI identifier contradicts the magic number as well, SF1007 says so.`,
	Fix:  `Build the section for the file's target.`,
	Good: `ELFDATA2LSB, sfp_magic = e2 de`,
	Bad:  `ELFDATA2LSB, sfp_magic = de e2`,
}, func(c *rules.Context) {
	e, abi := c.Object.ELF, c.Section.ABI()
	if e == nil || e.Order == nil || e.BigEndian() == c.Section.BigEndian() {
		return
	}
	if otherMachine(c) || abi.Known() && abi.Big != c.Section.BigEndian() {
		return // SF5007 or SF1007 has told that much
	}
	c.Header(model.HdrMagic, "sfp_magic shows a %s section in a %s file: readers on the machine itself reject it", order(c.Section.BigEndian()), order(e.BigEndian()))
})

func order(big bool) string {
	if big {
		return "big-endian"
	}
	return "little-endian"
}
