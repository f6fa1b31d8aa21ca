package container

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// MisplacedReloc finds relocations of other fields than the start.
var MisplacedReloc = rules.New(rules.Rule{
	ID:       "SF5018",
	Title:    "relocation beside the start field",
	Clause:   relocClause,
	Files:    rules.RelocatableFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.RelocationsKnown},
	Severity: rules.Error,
	Text: `The start field is the only field of an FDE that awaits a relocation. One that
applies to another byte of the FDE overwrites size, row count or row offset when the file
is linked, as lld does. mold finds no relocation at the start field and leaves the
function out without a word.

` + "`ld -r`" + ` up to 2.44 leaves relocations where the FDEs of its inputs were before it
merged them, which can be in the middle of the FDEs that the output has there.`,
	Fix:  `Apply the relocation to the first byte of the FDE.`,
	Good: `an FDE at 0x2c, its relocation at 0x2c`,
	Bad:  `an FDE at 0x2c, its relocation at 0x30`,
}, func(c *rules.Context) {
	off, size, _ := array(c)
	irregular(c, func(r *reader.Reloc, to target) {
		if to.fde >= 0 && !to.start && live(c, r) {
			at := off + int64(to.fde)*size
			c.FileFDE(to.fde, r.Entry, "the relocation %s applies to offset 0x%x of %s, 0x%x behind %s at 0x%x: the linker overwrites other fields of the FDE", relocName(c, r.Type), r.Offset, c.SFrame.Name, r.Offset-at, startField(c), at)
		}
	})
})
