package container

import (
	"debug/elf"
	"fmt"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// SectionType finds sections of a type other than SHT_GNU_SFRAME.
var SectionType = rules.New(rules.Rule{
	ID:       "SF5003",
	Title:    "section type is not SHT_GNU_SFRAME",
	Clause:   "Overview",
	Severity: rules.Warning,
	Scope:    rules.PerBytes,
	Text: `Since errata 1 of version 2 an SFrame section has the type SHT_GNU_SFRAME
(0x6ffffff4). Binutils before 2.45 wrote SHT_PROGBITS, the type of any program data.
GNU ld 2.45 and later ignore an input section of another type. mold has treated
sections of the old type as plain data and concatenated them.`,
	Fix:  `Assemble and link with binutils 2.46 or later.`,
	Good: `sh_type = SHT_GNU_SFRAME (6ffffff4)`,
	Bad:  `sh_type = SHT_PROGBITS (1)`,
	Bugs: []string{"https://github.com/rui314/mold/issues/1511"},
}, func(c *rules.Context) {
	if s, ok := header(c); ok && s.Type != reader.SHT_GNU_SFRAME {
		c := c.WithFix(rules.Fix{Message: "set sh_type to SHT_GNU_SFRAME", // a linker may then refuse the version
			Edits: []rules.Edit{shType.set(c, s.Header, uint64(reader.SHT_GNU_SFRAME))}})
		c.File(shType.in(s.Header), "sh_type of %s is %s, expected SHT_GNU_SFRAME (0x%x) since errata 1 of version 2: GNU ld 2.45 and later ignore an input section of another type", s.Name, typeName(s.Type), uint32(reader.SHT_GNU_SFRAME))
	}
})

func typeName(t elf.SectionType) string {
	if t == elf.SHT_PROGBITS {
		return "SHT_PROGBITS"
	}
	return fmt.Sprintf("0x%x", uint32(t))
}
