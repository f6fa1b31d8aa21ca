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
	rt.Table(t, header.Rules, `
		fixed: cfa_fixed_fp_offset = -16
		V3AMD64 | AMD64, where the manual allows it | fixed | SF1023 cfa_fixed_fp_offset
		V1AMD64 | AMD64 | fixed | SF1004 version, SF1023 cfa_fixed_fp_offset
		V2AArch64BE | AArch64 | fixed | SF1009 cfa_fixed_fp_offset
		V3S390X | s390x | fixed | SF1009 cfa_fixed_fp_offset
		V3AMD64 | unknown ABI | fixed / abi_arch = 9 | SF1006 abi_arch
	`)
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
			"the FREs come before the FDEs (sfh_freoff 0, sfh_fdeoff 16), but the format requires the opposite order: the Linux kernel rejects the section"},
		{"one byte more", []rt.Edit{rt.Set(0x10, "00000011"), rt.Set(0x14, "00000010"), rt.Set(0x18, "00000000")},
			"sfh_freoff is 0, but the 5 FDEs of 16 bytes (sfh_fdeoff 16) end at 96: consumers read the same bytes as FDEs and as FREs"},
		{"the end", []rt.Edit{rt.Set(0x18, "00000040")},
			"sfh_freoff is 64, but the 5 FDEs of 16 bytes (sfh_fdeoff 0) end at 80: consumers read the same bytes as FDEs and as FREs"},
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
	rt.Table(t, header.Rules, `
		V3AMD64 | auxiliary header of 4 | .aux 01000000 | SF1010 auxhdr_len
		V3AMD64 | auxiliary header of 2 | .aux 0100 | SF1010 auxhdr_len, SF1024 auxhdr_len
		V2S390X | auxiliary header of 1 | .aux 01 | SF1010 auxhdr_len, SF1024 auxhdr_len
		V1AMD64 | packed FDEs | .aux 01 | SF1004 version, SF1010 auxhdr_len
		V2AMD64 | offset of 8 | .fdes_at 0x24 | SF1015 0x1c+8
		V3AMD64 | offset of 2 | .fdes_at 0x1e | SF1024 fdeoff, SF1015 0x1c+2
		V3AMD64 | both add up | .aux 0100 / .fdes_at 0x20 | SF1010 auxhdr_len, SF1015 0x1e+2
		V3AMD64 | no FDEs | .aux 0100 / .delete f0 / .delete f1 / .delete f2 / .delete f3 / .delete f4 | SF1010 auxhdr_len, SF1022 num_fdes
	`)
}
