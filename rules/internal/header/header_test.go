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

func TestUnaligned(t *testing.T) {
	aux := func(n string, bytes string) []rt.Edit { return []rt.Edit{rt.Set(0x07, n), rt.Insert(0x1c, bytes)} }
	gap := func(n string, freOff string, bytes string) []rt.Edit {
		return []rt.Edit{rt.Set(0x14, n), rt.Set(0x18, freOff), rt.Insert(0x1c, bytes)}
	}
	rt.Run(t, header.Rules, []rt.Case{
		{Name: "auxiliary header of 4", Base: rt.V3AMD64, Edits: aux("04", "00000001"), Want: []string{"SF1010 0x7+1"}},
		{Name: "auxiliary header of 2", Base: rt.V3AMD64, Edits: aux("02", "0001"), Want: []string{"SF1010 0x7+1", "SF1024 0x7+1"}},
		{Name: "auxiliary header of 1", Base: rt.V2S390X, Edits: aux("01", "01"), Want: []string{"SF1010 0x7+1", "SF1024 0x7+1"}},
		{Name: "packed FDEs", Base: rt.V1AMD64, Edits: aux("01", "01"), Want: []string{"SF1004 0x2+1", "SF1010 0x7+1"}},
		{Name: "offset of 8", Base: rt.V2AMD64, Edits: gap("00000008", "00000058", "00000000 00000000"), Want: []string{"SF1015 0x1c+8"}},
		{Name: "offset of 2", Base: rt.V3AMD64, Edits: gap("00000002", "00000052", "0000"), Want: []string{"SF1024 0x14+4", "SF1015 0x1c+2"}},
		{Name: "both add up", Base: rt.V3AMD64, Edits: append(gap("00000002", "00000052", "0000"), aux("02", "0001")...),
			Want: []string{"SF1010 0x7+1", "SF1015 0x1e+2"}},
		{Name: "no FDEs", Base: rt.V3AMD64, Edits: append(aux("02", "0001"), rt.Set(0x08, "00000000"), rt.Set(0x0c, "00000000"), rt.Set(0x10, "00000000"),
			rt.Set(0x18, "00000000"), rt.Delete(0x1e, 0x9a)), Want: []string{"SF1010 0x7+1", "SF1022 0x8+4"}},
	})
}
