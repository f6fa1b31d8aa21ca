package header_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/header"
	rt "github.com/sframe-lint/sframe-lint/rules/internal/ruletest"
)

func TestFixedFP(t *testing.T) {
	fixed := []rt.Edit{rt.Set(0x05, "f0")}
	rt.Run(t, header.Rules, []rt.Case{
		{Name: "AMD64, where the manual allows it", Base: rt.V3AMD64, Edits: fixed, Want: []string{"SF1023 0x5+1"}},
		{Name: "AMD64", Base: rt.V1AMD64, Edits: fixed, Want: []string{"SF1004 0x2+1", "SF1023 0x5+1"}},
		{Name: "AArch64", Base: rt.V2AArch64BE, Edits: fixed, Want: []string{"SF1009 0x5+1"}},
		{Name: "s390x", Base: rt.V3S390X, Edits: fixed, Want: []string{"SF1009 0x5+1"}},
		{Name: "unknown ABI", Base: rt.V3AMD64, Edits: append(fixed, rt.Set(0x04, "09")), Want: []string{"SF1006 0x4+1"}},
	})
}

// TestOrder: a message does not claim that bytes are read twice where the FREs
// end before the FDEs start.
func TestOrder(t *testing.T) {
	for _, test := range []struct {
		name  string
		edits []rt.Edit
		want  string
	}{
		{"before", []rt.Edit{rt.Set(0x10, "00000010"), rt.Set(0x14, "00000010"), rt.Set(0x18, "00000000")},
			"sfh_freoff is 0 and sfh_fdeoff is 16: the FREs end at 16, before the FDEs start; the FDEs must come first, and the FREs must follow them"},
		{"one byte more", []rt.Edit{rt.Set(0x10, "00000011"), rt.Set(0x14, "00000010"), rt.Set(0x18, "00000000")},
			"sfh_freoff is 0, but 5 FDEs of 16 bytes from sfh_fdeoff 16 end at 96: the same bytes are read as FDEs and as FREs"},
		{"the end", []rt.Edit{rt.Set(0x18, "00000040")},
			"sfh_freoff is 64, but 5 FDEs of 16 bytes from sfh_fdeoff 0 end at 80: the same bytes are read as FDEs and as FREs"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := rules.Driver{Rules: []*rules.Rule{header.Overlap}}
			found := d.Run(rt.Raw(rt.V3AMD64.Bytes(t, test.edits...))).Findings
			require.Len(t, found, 1)
			assert.Equal(t, test.want, found[0].Message)
		})
	}
}
