package container

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/rules"
)

const shfGNURetain elf.SectionFlag = 0x200000

// plainFlags are the flags that do not change the meaning of the section.
// SF5026 reports SHF_COMPRESSED.
const plainFlags = elf.SHF_ALLOC | elf.SHF_GROUP | elf.SHF_LINK_ORDER | elf.SHF_INFO_LINK | elf.SHF_COMPRESSED | shfGNURetain

// oddFlags are the other flags that have a name. No producer sets them on
// SFrame sections.
var oddFlags = []struct {
	flag elf.SectionFlag
	name string
	why  string
}{
	{elf.SHF_WRITE, "SHF_WRITE", "the program can overwrite its unwind data"},
	{elf.SHF_EXECINSTR, "SHF_EXECINSTR", "the data can be executed as code"},
	{elf.SHF_MERGE, "SHF_MERGE", "a linker may split it as constants"},
	{elf.SHF_STRINGS, "SHF_STRINGS", "a linker may split it as strings"},
	{elf.SHF_TLS, "SHF_TLS", "every thread gets a copy, none at the address of the section"},
	{0x80000000, "SHF_EXCLUDE", "a linker removes it"},
}

// SectionFlags finds flags that an SFrame section must not have.
var SectionFlags = rules.New(rules.Rule{
	ID:       "SF5005",
	Title:    "unexpected section flags",
	Severity: rules.Warning,
	Scope:    rules.PerBytes,
	Text: `An SFrame section is read-only data: it needs SHF_ALLOC and no other flag, and
producers set no other. SHF_GROUP, SHF_LINK_ORDER, SHF_INFO_LINK and SHF_GNU_RETAIN
tie the section to others and are harmless. Other flags change what linker and loader
do with it: SHF_WRITE makes it writable, SHF_EXECINSTR executable, SHF_MERGE lets a
linker split it, and SHF_EXCLUDE lets a linker remove it.`,
	Fix:  `Declare the section with only the flag "a".`,
	Good: `sh_flags = SHF_ALLOC (2)`,
	Bad:  `sh_flags = SHF_WRITE | SHF_ALLOC (3)`,
}, func(c *rules.Context) {
	s, ok := header(c)
	if !ok || s.Flags&^plainFlags == 0 {
		return
	}
	for _, o := range oddFlags {
		if s.Flags&o.flag != 0 {
			c.File(shFlags.in(s.Header), "sh_flags of %s is 0x%x, with %s (0x%x), but an SFrame section is read-only data with SHF_ALLOC only: %s", s.Name, uint64(s.Flags), o.name, uint64(o.flag), o.why)
			return
		}
	}
	c.File(shFlags.in(s.Header), "sh_flags of %s is 0x%x, but an SFrame section is read-only data with SHF_ALLOC (0x2) only: what a linker does for 0x%x is unspecified", s.Name, uint64(s.Flags), uint64(s.Flags&^plainFlags))
})
