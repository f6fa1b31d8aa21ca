package container

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// faults calls yield for each fault of the container with the given code.
func faults(c *rules.Context, code reader.FaultCode, yield func(reader.Fault)) {
	for _, f := range c.Object.Faults {
		if f.Code == code {
			yield(f)
		}
	}
}

// ELFDamaged finds ELF files whose structure cannot be decoded.
var ELFDamaged = rules.New(rules.Rule{
	ID:       "SF5024",
	Title:    "damaged ELF structure",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `A header or table of the ELF file contradicts itself or the size of the file.
The parts that depend on it could not be read, so there may be SFrame data that has
not been checked, and other tools may read the file differently.`,
	Fix:  `Build the file again. If it is a copy, compare it with the original.`,
	Good: `e_shoff + e_shnum * 64 <= size of the file`,
	Bad:  `a file that has been cut off before its section headers`,
}, func(c *rules.Context) {
	faults(c, reader.ELFDamaged, func(f reader.Fault) {
		c.File(f.Span, "the ELF structure is damaged: %s; the parts that depend on it were not checked", f.Detail)
	})
})

// ArchiveDamaged finds archives whose members cannot all be found.
var ArchiveDamaged = rules.New(rules.Rule{
	ID:       "SF5029",
	Title:    "damaged archive",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `A member header of the archive is invalid, or its member would end after the
end of the archive. The members from there on could not be found and were not checked;
a linker does not find them either.`,
	Fix:  `Make the archive again. If it is a copy, compare it with the original.`,
	Good: "`main.o/ ... 1234      `\\n`",
	Bad:  "`main.o/ ... 12x4      `\\n`",
}, func(c *rules.Context) {
	faults(c, reader.ArchiveDamaged, func(f reader.Fault) {
		c.File(f.Span, "the archive is damaged: %s; the parts that depend on it were not checked", f.Detail)
	})
})

// MemberUnreadable finds members of thin archives that cannot be read.
var MemberUnreadable = rules.New(rules.Rule{
	ID:       "SF5030",
	Title:    "unreadable member of a thin archive",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `A thin archive contains the names of its members but not their bytes. The file
of that name could not be read. A linker that gets the archive fails, and the member
has not been checked.`,
	Fix:  `Put the object file where the archive expects it, relative to the archive.`,
	Good: `libx.a names obj/main.o, which is there`,
	Bad:  `libx.a names obj/main.o, which has been removed`,
}, func(c *rules.Context) {
	faults(c, reader.MemberUnreadable, func(f reader.Fault) {
		c.File(f.Span, "the member %q cannot be read: %s", c.Object.Member, f.Detail)
	})
})
