package container

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// RelocType finds relocations of a type that the start field does not have.
var RelocType = rules.New(rules.Rule{
	ID:       "SF5020",
	Title:    "wrong relocation type",
	Clause:   relocClause,
	Files:    rules.RelocatableFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.RelocationsKnown},
	Severity: rules.Error,
	Text: `A start field is the distance to the function, so its relocation is
PC-relative and as wide as the field: R_X86_64_PC32, R_AARCH64_PREL32 or R_390_PC32
for the 4 bytes of versions 1 and 2, R_X86_64_PC64, R_AARCH64_PREL64 or R_390_PC64 for
the 8 bytes of version 3. An absolute type writes an address instead of a distance, a
narrower type leaves the upper half of the field unchanged, and a wider type
overwrites the function's size. Not all linkers that merge SFrame sections apply the
type, so the result depends on the linker.`,
	Fix:  `Use the PC-relative type with the width of the field.`,
	Good: `version 3: R_X86_64_PC64`,
	Bad:  `version 3: R_X86_64_PC32, or R_X86_64_64`,
}, func(c *rules.Context) {
	abi := c.Object.ELF
	if abi == nil || !abi.ABI().Known() {
		return
	}
	v := c.Section.Version()
	want, width := abi.ABI().StartReloc(v), v.Info().StartWidth
	irregular(c, func(r *reader.Reloc, to target) {
		if to.start && live(c, r) && r.Type != want {
			c.FileFDE(to.fde, r.Entry, "the relocation of %s is %s, but the %d bytes of the field need %s: the linker does not write the distance to the function", startField(c), relocName(c, r.Type), width, relocName(c, want))
		}
	})
})
