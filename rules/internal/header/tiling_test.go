package header_test

import (
	"testing"

	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/rules/internal/header"
)

// TestGapsThatGoOn: what lies before a sub-section is found even where
// unused bytes go on after its start.
func TestGapsThatGoOn(t *testing.T) {
	rt.Run(t, header.Rules, []rt.Case{
		{Name: "all FDEs lost, and so all rows", Base: rt.V3AMD64, Text: "num_fdes = 0\nnum_fres = 0",
			Want: []string{"SF1022 num_fdes", "SF1016 0x1c+80"}},
		{Name: "zeros on both sides of nothing", Base: rt.V3AMD64,
			Text: ".delete f0\n.delete f1\n.delete f2\n.delete f3\n.delete f4\n.fres_at 0x20\n.size 0x24",
			Want: []string{"SF1022 num_fdes", "SF1015 0x1c+4", "SF1017 0x20+4"}},
		{Name: "zeros before rows that no FDE leads to", Base: rt.V3AMD64, Text: ".fres_at 0x70\nf0.start_fre_off = 0x14",
			Want: []string{"SF1021 num_fres", "SF1015 0x6c+4"}},
	})
}
