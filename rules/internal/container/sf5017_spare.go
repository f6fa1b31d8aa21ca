package container

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// SpareReloc finds relocations outside the FDEs.
var SpareReloc = rules.New(rules.Rule{
	ID:       "SF5017",
	Title:    "relocation outside the FDEs",
	Clause:   relocClause,
	Files:    rules.RelocatableFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.RelocationsKnown},
	Requires: []*analysis.Analyzer{prereq.TailOf},
	Severity: rules.Error,
	Text: `Only the start fields of FDEs need relocations. One that applies elsewhere
overwrites bytes of the header or of FREs when the file is linked. ` + "`ld -r`" + ` up to 2.44
merges the sections of its inputs but moves only the relocations of the first; the
others then apply to FREs of the merged section. (In a section that a linker has only
concatenated, SF1019 counts those of the further start fields.) GNU ld 2.47 aborts on an assertion at
such a relocation; lld applies it.`,
	Fix:  `Use ` + "`-r`" + ` of binutils 2.46 or later, or link the original object files.`,
	Good: `6 FDEs at 0x1c to 0x94, 6 relocations inside`,
	Bad:  `6 FDEs at 0x1c to 0x94, a relocation at 0xc4`,
}, func(c *rules.Context) {
	off, size, n := array(c)
	var tail prereq.Tail // SF1019 counts the relocations of further sections
	if !regular(c) {
		tail = prereq.Get[prereq.Tail](c.Pass, prereq.TailOf)
	}
	irregular(c, func(r *reader.Reloc, to target) {
		if to.fde < 0 && live(c, r) && !tail.IsStart(r.Offset) {
			c.File(r.Entry, "the relocation %s applies to offset 0x%x of %s, outside the FDEs (0x%x to 0x%x): the linker overwrites the bytes there", relocName(c, r.Type), r.Offset, c.SFrame.Name, off, off+size*int64(n))
		}
	})
})
