package container

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// faults calls yield for the container's faults of a code.
func faults(c *rules.Context, code reader.FaultCode, yield func(reader.Fault)) {
	for _, f := range c.Object.Faults {
		if f.Code == code {
			yield(f)
		}
	}
}

// ELFDamaged finds ELF files that can't be followed.
var ELFDamaged = rules.New(rules.Rule{
	ID:       "SF5024",
	Title:    "damaged ELF structure",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `A header or table of the ELF file contradicts itself or the size of the file.
What hangs on it could not be read, so there may be SFrame data that has not been
checked, and what other tools make of the file depends on how they cope.`,
	Fix:  `Build the file anew; if it was copied, compare it with the original.`,
	Good: `e_shoff + e_shnum * 64 <= size of the file`,
	Bad:  `a file that has been cut off before its section headers`,
}, func(c *rules.Context) {
	faults(c, reader.ELFDamaged, func(f reader.Fault) {
		c.File(f.Span, "the ELF structure is damaged: %s; what depends on it has not been checked", f.Detail)
	})
})

// ArchiveDamaged finds archives that can't be followed to their end.
var ArchiveDamaged = rules.New(rules.Rule{
	ID:       "SF5029",
	Title:    "damaged archive",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `A member header of the archive is not one, or its member would end behind the
archive. The members from there on could not be found and have not been checked; a linker
does not find them either.`,
	Fix:  `Make the archive anew; if it was copied, compare it with the original.`,
	Good: "`main.o/ ... 1234      `\\n`",
	Bad:  "`main.o/ ... 12x4      `\\n`",
}, func(c *rules.Context) {
	faults(c, reader.ArchiveDamaged, func(f reader.Fault) {
		c.File(f.Span, "the archive is damaged: %s; what depends on it has not been checked", f.Detail)
	})
})

// MemberUnreadable finds members of thin archives that can't be had.
var MemberUnreadable = rules.New(rules.Rule{
	ID:       "SF5030",
	Title:    "member of a thin archive can't be read",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `A thin archive holds the names of its members, not their bytes. A file of that
name could not be read, so a linker that is given the archive fails, and the member has
not been checked.`,
	Fix:  `Put the object file where the archive says, relative to the archive.`,
	Good: `libx.a names obj/main.o, which is there`,
	Bad:  `libx.a names obj/main.o, which has been removed`,
}, func(c *rules.Context) {
	faults(c, reader.MemberUnreadable, func(f reader.Fault) {
		c.File(f.Span, "the member %q can't be read: %s", c.Object.Member, f.Detail)
	})
})
