package frame

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// hugeFrame is larger than the default stack (8 MiB on Linux).
const hugeFrame = 16 << 20

// HugeOffset finds offsets larger than a usual stack.
var HugeOffset = rules.New(rules.Rule{
	ID:       "SF3108",
	Title:    "implausibly large offset",
	Clause:   "SFrame FRE",
	Needs:    []rules.Fact{rules.FREsKnown, rules.RAKnown, rules.FPKnown},
	Severity: rules.Warning,
	Text: `A frame of 16 MiB is larger than the default stack of a thread. An offset of
that size is usually damaged data, and leads a tracer out of the stack.`,
	Fix:  `Correct the data word.`,
	Good: `CFA = rsp+4112`,
	Bad:  `CFA = rsp+16777224`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	eachRow(c, func(r model.FRE, row *model.Row) (int, string) {
		for word, v := range [...]model.Recovery{row.CFA, row.RA, row.FP} {
			if v.Offset > hugeFrame || v.Offset < -hugeFrame {
				return word, fmt.Sprintf("%s = %s: the offset exceeds 16 MiB, which is larger than the default stack of a thread", entityName(word), v.Format(abi))
			}
		}
		return 0, ""
	})
})
