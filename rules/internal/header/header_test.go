package header_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/header"
)

func TestFixedFP(t *testing.T) {
	const fixed = "cfa_fixed_fp_offset = -16\n"
	rt.Run(t, header.Rules, []rt.Case{
		{Name: "AMD64, where the manual allows it", Base: rt.V3AMD64, Text: fixed, Want: []string{"SF1023 cfa_fixed_fp_offset"}},
		{Name: "AMD64", Base: rt.V1AMD64, Text: fixed, Want: []string{"SF1004 version", "SF1023 cfa_fixed_fp_offset"}},
		{Name: "AArch64", Base: rt.V2AArch64BE, Text: fixed, Want: []string{"SF1009 cfa_fixed_fp_offset"}},
		{Name: "s390x", Base: rt.V3S390X, Text: fixed, Want: []string{"SF1009 cfa_fixed_fp_offset"}},
		{Name: "unknown ABI", Base: rt.V3AMD64, Text: fixed + "abi_arch = 9", Want: []string{"SF1006 abi_arch"}},
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
	rt.Run(t, header.Rules, []rt.Case{
		{Name: "auxiliary header of 4", Base: rt.V3AMD64, Text: ".aux 01000000", Want: []string{"SF1010 auxhdr_len"}},
		{Name: "auxiliary header of 2", Base: rt.V3AMD64, Text: ".aux 0100", Want: []string{"SF1010 auxhdr_len", "SF1024 auxhdr_len"}},
		{Name: "auxiliary header of 1", Base: rt.V2S390X, Text: ".aux 01", Want: []string{"SF1010 auxhdr_len", "SF1024 auxhdr_len"}},
		{Name: "packed FDEs", Base: rt.V1AMD64, Text: ".aux 01", Want: []string{"SF1004 version", "SF1010 auxhdr_len"}},
		{Name: "offset of 8", Base: rt.V2AMD64, Text: ".fdes_at 0x24", Want: []string{"SF1015 0x1c+8"}},
		{Name: "offset of 2", Base: rt.V3AMD64, Text: ".fdes_at 0x1e", Want: []string{"SF1024 fdeoff", "SF1015 0x1c+2"}},
		{Name: "both add up", Base: rt.V3AMD64, Text: ".aux 0100\n.fdes_at 0x20", Want: []string{"SF1010 auxhdr_len", "SF1015 0x1e+2"}},
		{Name: "no FDEs", Base: rt.V3AMD64, Text: ".aux 0100\n.delete f0\n.delete f1\n.delete f2\n.delete f3\n.delete f4",
			Want: []string{"SF1010 auxhdr_len", "SF1022 num_fdes"}},
	})
}
