package conformance

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/model"
)

// TestRows: what tools print of a row is an answer.
func TestRows(t *testing.T) {
	amd64, aarch64, s390x := model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE), model.LookupABI(model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE),
		model.LookupABI(model.SFRAME_ABI_S390X_ENDIAN_BIG)
	type row = map[string]any
	for _, c := range []struct {
		abi  model.ABIInfo
		text string
		want row
	}{
		{amd64, "sp+8uf", row{"cfa": "r7+8", "fp": "unchanged", "ra": "*(cfa-8)"}},
		{amd64, "fp+16c-16f", row{"cfa": "r6+16", "fp": "*(cfa-16)", "ra": "*(cfa-8)"}},
		{amd64, "(r10-8)(r6+0)(r10-8)", row{"cfa": "*(r10-8)", "fp": "*(r6+0)", "ra": "*(r10-8)"}},
		{amd64, "sp+8uu", row{"cfa": "r7+8", "fp": "unchanged"}},
		{amd64, "RAundefined", row{"cfa": "undefined", "fp": "undefined", "ra": "undefined"}},
		{aarch64, "sp+-8uu[s]", row{"cfa": "r31-8", "fp": "unchanged", "ra": "unchanged", "mangled_ra": true}},
		{s390x, "sp+160r14r16", row{"cfa": "r15+160", "fp": "r14+0", "ra": "r16+0"}},
	} {
		got := row{}
		objdumpRow(got, c.text, c.abi)
		assert.Equal(t, c.want, got, c.text)
	}
	got := row{}
	llvmRow(got, "FP base CFA Offset16 RA Offset-8 FP Offset-16 ", amd64, false)
	assert.Equal(t, row{"cfa": "r6+16", "fp": "*(cfa-16)", "ra": "*(cfa-8)"}, got)
	for fixedFP, want := range map[bool]row{false: {"cfa": "r7-8", "fp": "unchanged"}, true: {"cfa": "r7-8"}} {
		got := row{}
		llvmRow(got, "CFA Offset-8 ", amd64, fixedFP)
		assert.Equal(t, want, got)
	}
}
