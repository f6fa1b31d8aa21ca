package container

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/rules"
)

const shfGNURetain elf.SectionFlag = 0x200000

// plainFlags are the flags that leave the meaning of the section alone:
// where it is kept and with what. SHF_COMPRESSED is the reader's affair.
const plainFlags = elf.SHF_ALLOC | elf.SHF_GROUP | elf.SHF_LINK_ORDER | elf.SHF_INFO_LINK | elf.SHF_COMPRESSED | shfGNURetain

// oddFlags are the others that have a name. Nobody gives them to SFrame
// sections.
var oddFlags = []struct {
	flag elf.SectionFlag
	name string
	why  string
}{
	{elf.SHF_WRITE, "SHF_WRITE", "a program can damage its own unwind data"},
	{elf.SHF_EXECINSTR, "SHF_EXECINSTR", "its bytes can be run as code"},
	{elf.SHF_MERGE, "SHF_MERGE", "a linker may cut it up as constants"},
	{elf.SHF_STRINGS, "SHF_STRINGS", "a linker may cut it up as strings"},
	{elf.SHF_TLS, "SHF_TLS", "every thread gets a copy and none has the section's address"},
	{0x80000000, "SHF_EXCLUDE", "a linker leaves it out"},
}

// SectionFlags finds flags that don't belong on an SFrame section.
var SectionFlags = rules.New(rules.Rule{
	ID:       "SF5005",
	Title:    "unexpected section flags",
	Severity: rules.Warning,
	Scope:    rules.PerBytes,
	Text: `An SFrame section is read-only data: SHF_ALLOC is the only flag that it needs,
and the only one that any producer sets. SHF_GROUP, SHF_LINK_ORDER, SHF_INFO_LINK and
SHF_GNU_RETAIN say what it is kept with and do no harm. Others change what linker and
loader do with it: SHF_WRITE makes unwind data writable, SHF_EXECINSTR executable,
SHF_MERGE lets a linker cut it up, SHF_EXCLUDE has it left out.`,
	Fix:  `Declare the section with the flag "a" alone.`,
	Good: `sh_flags = SHF_ALLOC (2)`,
	Bad:  `sh_flags = SHF_WRITE | SHF_ALLOC (3)`,
}, func(c *rules.Context) {
	s, ok := header(c)
	if !ok || s.Flags&^plainFlags == 0 {
		return
	}
	for _, o := range oddFlags {
		if s.Flags&o.flag != 0 {
			c.File(shFlags.in(s.Header), "sh_flags of %s is 0x%x, with %s (0x%x); SFrame data is read-only data with SHF_ALLOC alone: %s", s.Name, uint64(s.Flags), o.name, uint64(o.flag), o.why)
			return
		}
	}
	c.File(shFlags.in(s.Header), "sh_flags of %s is 0x%x; SFrame data is read-only data with SHF_ALLOC (0x2) alone, and what 0x%x makes a linker do is its own affair", s.Name, uint64(s.Flags), uint64(s.Flags&^plainFlags))
})
