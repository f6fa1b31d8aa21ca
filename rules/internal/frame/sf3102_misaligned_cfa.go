package frame

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// MisalignedCFA finds CFA offsets that contradict the stack alignment.
var MisalignedCFA = rules.New(rules.Rule{
	ID:       "SF3102",
	Title:    "misaligned CFA offset",
	Clause:   "SFrame FRE",
	Needs:    []rules.Fact{rules.FREsKnown, rules.ABIKnown},
	Severity: rules.Warning,
	Text: `SP moves in steps: 8 bytes on AMD64 and s390x, and 16 bytes on AArch64, whose
hardware faults on a misaligned SP. The offset of the CFA from SP or FP is a multiple
of the step (on AArch64 of 8 from FP). With another offset a tracer reads RA and FP
from parts of two words.`,
	Fix:  `Correct the CFA offset.`,
	Good: `AMD64: CFA = rsp+16`,
	Bad:  `AMD64: CFA = rsp+17`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	eachRow(c, func(r model.FRE, row *model.Row) (int, string) {
		v := row.CFA
		step := abi.CFAAlign
		if v.Reg != abi.SP {
			step = abi.SlotAlign
		}
		if v.Deref || v.Reg != abi.SP && v.Reg != abi.FP || v.Offset%step == 0 {
			return 0, ""
		}
		return cfaWord, fmt.Sprintf("CFA = %s: the offset is not a multiple of %d, the stack alignment of %s, and a tracer reads RA and FP from parts of two words", v.Format(abi), step, abi.Name)
	})
})
