package container

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// RelocType finds relocations of another type than the start field needs.
var RelocType = rules.New(rules.Rule{
	ID:       "SF5020",
	Title:    "wrong type of relocation",
	Clause:   relocClause,
	Files:    rules.RelocatableFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.RelocationsKnown},
	Severity: rules.Error,
	Text: `A start field is the distance to the function, so its relocation is PC-relative
and as wide as the field: R_X86_64_PC32, R_AARCH64_PREL32 or R_390_PC32 for the 4 bytes of
versions 1 and 2, R_X86_64_PC64, R_AARCH64_PREL64 or R_390_PC64 for the 8 bytes of
version 3. An absolute type writes an address where a distance is read; a narrower one leaves the
upper half of the field as it is; a wider one overwrites the function's size. Linkers
that merge SFrame sections do not all obey the type, so what comes of it depends on the
linker.`,
	Fix:  `Use the PC-relative type that has the field's width.`,
	Good: `version 3: R_X86_64_PC64`,
	Bad:  `version 3: R_X86_64_PC32, or R_X86_64_64`,
}, func(c *rules.Context) {
	abi := c.Object.ELF
	if abi == nil || !abi.ABI().Known() {
		return
	}
	want, width := abi.ABI().Reloc32, 4
	if c.Section.Version() == model.SFRAME_VERSION_3 {
		want, width = abi.ABI().Reloc64, 8
	}
	irregular(c, func(r *reader.Reloc, to target) {
		if to.start && live(c, r) && r.Type != want {
			c.FileFDE(to.fde, r.Entry, "the relocation of %s is %s, the %d bytes of the field need %s: the linker does not write the distance to the function", startField(c), relocName(c, r.Type), width, relocName(c, want))
		}
	})
})
