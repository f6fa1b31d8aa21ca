package container

import "github.com/sframe-lint/sframe-lint/rules"

// sectionAlign is the alignment of SFrame sections, in bytes.
const sectionAlign = 8

// Misaligned finds sections that are not aligned to 8 bytes.
var Misaligned = rules.New(rules.Rule{
	ID:       "SF5006",
	Title:    "section not aligned to 8 bytes",
	Clause:   "SFrame Header",
	Severity: rules.Warning,
	Scope:    rules.PerBytes,
	Text: `The fields of 16 and 32 bits in the header and the FDEs are aligned, counted from the
start of the section; the section itself must be aligned for that. All producers align it
to 8 bytes, in every version. On a machine that traps unaligned loads an unwinder that
reads these fields as integers would crash. The manual demands natural alignment of the
index entries of version 3 too, but their 64-bit start fields lie at 28 + 16 * n. No
alignment of the section makes that a multiple of 8: readers have to copy the fields.`,
	Fix:  `Set sh_addralign to 8 and link again.`,
	Good: `sh_addralign = 8, sh_addr = 0x2000`,
	Bad:  `sh_addralign = 1, sh_addr = 0x2003`,
}, func(c *rules.Context) {
	s, ok := header(c)
	switch {
	case !ok:
	case s.AddrAlign == 0 || s.AddrAlign%sectionAlign != 0:
		if s.Addr%sectionAlign == 0 {
			c = c.WithFix(rules.Fix{Message: "set sh_addralign to 8", Safe: true, Edits: []rules.Edit{shAddralign.set(c, s.Header, sectionAlign)}})
		}
		c.File(shAddralign.in(s.Header), "sh_addralign of %s is %d, not a multiple of 8: a linker may place the section at an address where the fields of its header and FDEs are unaligned", s.Name, s.AddrAlign)
	case s.Addr%sectionAlign != 0:
		c.File(shAddr.in(s.Header), "%s is at address 0x%x, not a multiple of 8: the fields of its header and FDEs are unaligned", s.Name, s.Addr)
	}
})
