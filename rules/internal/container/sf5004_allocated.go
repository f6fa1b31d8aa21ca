package container

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/rules"
)

// NotAllocated finds sections that are not in memory at run time.
var NotAllocated = rules.New(rules.Rule{
	ID:       "SF5004",
	Title:    "section without SHF_ALLOC",
	Clause:   "Overview",
	Severity: rules.Error,
	Scope:    rules.PerBytes,
	Text: `SHF_ALLOC means that the section is in memory when the program runs. An
unwinder reads SFrame data at run time. Without the flag the section has no address
and no segment, and strip may remove it like debug information.`,
	Fix: `Declare the section ` + "`.section .sframe,\"a\",@0x6ffffff4`" + `.
Repair a file with ` + "`objcopy --set-section-flags .sframe=alloc,readonly`" + ` before it is linked.`,
	Good: `sh_flags = SHF_ALLOC (2)`,
	Bad:  `sh_flags = 0`,
}, func(c *rules.Context) {
	if s, ok := header(c); ok && s.Flags&elf.SHF_ALLOC == 0 {
		if c.Relocatable() {
			c = c.WithFix(rules.Fix{Message: "set SHF_ALLOC", Safe: true, Edits: []rules.Edit{shFlags.set(c, s.Header, uint64(s.Flags|elf.SHF_ALLOC))}})
		}
		c.File(shFlags.in(s.Header), "sh_flags of %s is 0x%x, without SHF_ALLOC (0x2): the section is not in memory at run time, and no unwinder finds it", s.Name, uint64(s.Flags))
	}
})
