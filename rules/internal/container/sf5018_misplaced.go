package container

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// MisplacedReloc finds relocations of FDE fields other than the start.
var MisplacedReloc = rules.New(rules.Rule{
	ID:       "SF5018",
	Title:    "relocation not at the start field",
	Clause:   relocClause,
	Files:    rules.RelocatableFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.RelocationsKnown},
	Severity: rules.Error,
	Text: `The start field is the only field of an FDE that is relocated. A relocation of
other bytes overwrites the size, the number of FREs or their offset when the file is
linked, as lld does. mold finds no relocation at the start field and leaves out the
function without a message. ` + "`ld -r`" + ` up to 2.44 leaves relocations at the offsets of
the inputs' FDEs when it merges them, and these offsets can be inside FDEs of the
output.`,
	Fix:  `Apply the relocation to the first byte of the FDE.`,
	Good: `an FDE at 0x2c, its relocation at 0x2c`,
	Bad:  `an FDE at 0x2c, its relocation at 0x30`,
}, func(c *rules.Context) {
	off, size, _ := array(c)
	irregular(c, func(r *reader.Reloc, to target) {
		if to.fde >= 0 && !to.start && live(c, r) {
			at := off + int64(to.fde)*size
			c.FileFDE(to.fde, r.Entry, "the relocation %s applies to offset 0x%x of %s, 0x%x bytes after %s at 0x%x: the linker overwrites other fields of the FDE", relocName(c, r.Type), r.Offset, c.SFrame.Name, r.Offset-at, startField(c), at)
		}
	})
})
