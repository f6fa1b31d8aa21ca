package frame

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// hugeFrame is larger than the default stack (8 MiB on Linux).
const hugeFrame = 16 << 20

var HugeOffset = rowRule(rules.Rule{ID: "SF3108"}, func(abi *model.ABIInfo, _ model.FRE, row *model.Row) (word int, why string) {
	for word, v := range [...]model.Recovery{row.CFA, row.RA, row.FP} {
		if v.Offset > hugeFrame || v.Offset < -hugeFrame {
			return word, fmt.Sprintf("%s = %s: the offset exceeds 16 MiB, which is larger than the default stack of a thread", entityName(word), v.Format(*abi))
		}
	}
	return 0, ""
})
