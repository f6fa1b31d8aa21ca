package header_test

import (
	"testing"

	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/rules/internal/header"
)

// TestGapsThatGoOn: what lies before a sub-section is found even where
// unused bytes go on after its start.
func TestGapsThatGoOn(t *testing.T) {
	rt.Table(t, header.Rules, `
		V3AMD64 | all FDEs lost, and so all rows | num_fdes = 0 / num_fres = 0 | SF1022 num_fdes, SF1016 0x1c+80
		V3AMD64 | zeros on both sides of nothing | .delete f0 / .delete f1 / .delete f2 / .delete f3 / .delete f4 / .fres_at 0x20 / .size 0x24 | SF1022 num_fdes, SF1015 0x1c+4, SF1017 0x20+4
		V3AMD64 | zeros before rows that no FDE leads to | .fres_at 0x70 / f0.start_fre_off = 0x14 | SF1021 num_fres, SF1015 0x6c+4
	`)
}
