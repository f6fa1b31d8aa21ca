package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// fdeAlign is what the FDE sub-section is aligned to, in bytes from the start
// of the section. The 64-bit start fields of version 3 would need 8, but the
// header has 28 bytes.
const fdeAlign = 4

// Unaligned finds an FDE sub-section whose entries are not aligned.
var Unaligned = rules.New(rules.Rule{
	ID:       "SF1024",
	Title:    "FDEs are not aligned to 4 bytes",
	Clause:   "SFrame FDE",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.FDESize%fdeAlign == 0 }),
	Needs:    []rules.Fact{rules.FDEsKnown},
	Severity: rules.Warning,
	Text: `The manual says that the fields of an FDE are naturally aligned. The header has 28
bytes, and an FDE 20 (version 2) or 16 (version 3). So every field of 32 bits lies at a
multiple of 4, counted from the start of the section, if the length of the auxiliary header
and sfh_fdeoff add up to one. Otherwise a reader that uses aligned loads fails on a machine
that traps unaligned ones. The known consumers copy the fields, or run on machines without
such traps. (The 64-bit start fields of version 3 lie at 28 + 16 * n, so they can be aligned
to 4 bytes only. Version 1 has packed FDEs of 17 bytes.) SF5006 is about the alignment of the
section itself.`,
	Fix:  `Set sfh_fdeoff to 0, and pad the auxiliary header, if there is one, to a multiple of 4 bytes.`,
	Good: `sfh_auxhdr_len = 08, sfh_fdeoff = 0: FDEs from 0x24 on`,
	Bad:  `sfh_auxhdr_len = 06, sfh_fdeoff = 0: FDEs from 0x22 on`,
}, func(c *rules.Context) {
	h, at := c.Section.Header(), c.Section.FDESubsection().Off
	if c.Section.NumFDEs() == 0 || at%fdeAlign == 0 {
		return
	}
	field := model.HdrFDEOff
	if h.AuxLen%fdeAlign != 0 {
		field = model.HdrAuxLen
	}
	c.Header(field, "the FDEs start at 0x%x, not a multiple of %d, with sfh_auxhdr_len %d and sfh_fdeoff %d: their fields are unaligned", at, fdeAlign, h.AuxLen, h.FDEOff)
})
