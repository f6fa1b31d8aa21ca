package suspicious

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// MisalignedCFA finds CFA offsets that no aligned stack gives.
var MisalignedCFA = sound.Rule(rules.Rule{
	ID:       "SF3102",
	Title:    "misaligned CFA offset",
	Clause:   "SFrame FRE",
	Severity: rules.Warning,
	Text: `Stack pointers move in steps: of 8 bytes on AMD64 and s390x, of 16 on AArch64,
whose hardware faults on a misaligned SP. The distance from SP or FP to the CFA is a
multiple of that step (of 8 from FP on AArch64). With another one a tracer reads RA and FP
from parts of two words.`,
	Fix:  `Correct the CFA offset.`,
	Good: `AMD64: CFA = rsp+16`,
	Bad:  `AMD64: CFA = rsp+17`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	eachRow(c, func(r model.FRE, row model.Row) (int, string) {
		v := row.CFA
		step := abi.CFAAlign
		if v.Reg != abi.SP {
			step = abi.SlotAlign
		}
		if v.Deref || v.Reg != abi.SP && v.Reg != abi.FP || v.Offset%step == 0 {
			return 0, ""
		}
		return cfaWord, fmt.Sprintf("CFA = %s: the offset is not a multiple of %d, which %s keeps its stack aligned to", v.Format(abi), step, abi.Name)
	})
})
