package header_test

import (
	"testing"

	"github.com/sframe-lint/sframe-lint/rules/internal/header"
	rt "github.com/sframe-lint/sframe-lint/rules/internal/ruletest"
)

// TestGapsThatGoOn: what lies before a sub-section is found even where
// unused bytes go on after its start.
func TestGapsThatGoOn(t *testing.T) {
	rt.Run(t, header.Rules, []rt.Case{
		{
			Name: "all FDEs lost, and so all rows", Base: rt.V3AMD64,
			Edits: []rt.Edit{rt.Set(0x08, "00000000"), rt.Set(0x0c, "00000000")},
			Want:  []string{"SF1022 0x8+4", "SF1016 0x1c+80"},
		},
		{
			Name: "zeros on both sides of nothing", Base: rt.V3AMD64,
			Edits: []rt.Edit{
				rt.Set(0x08, "00000000"), rt.Set(0x0c, "00000000"), rt.Set(0x10, "00000000"), rt.Set(0x18, "00000004"),
				rt.Delete(0x1c, 0x9a), rt.Insert(0x1c, "00000000 00000000"),
			},
			Want: []string{"SF1022 0x8+4", "SF1015 0x1c+4", "SF1017 0x20+4"},
		},
		{
			Name: "zeros before rows that no FDE leads to", Base: rt.V3AMD64,
			Edits: []rt.Edit{rt.Set(0x18, "00000054"), rt.Set(0x28, "00000014"), rt.Insert(0x6c, "00000000")},
			Want:  []string{"SF1021 0xc+4", "SF1015 0x6c+4"},
		},
	})
}
