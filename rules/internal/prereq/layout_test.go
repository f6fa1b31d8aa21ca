package prereq_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

func TestLayout(t *testing.T) {
	set, insert := ruletest.Set, ruletest.Insert
	tests := []struct {
		name            string
		edit            []ruletest.Edit
		fdes, fres, all string // who reports that they are not known
	}{
		{"valid", nil, "", "", ""},
		{"unknown version", []ruletest.Edit{set(0x02, "07")}, "SF1003", "SF1003", "SF1003"},
		{"auxiliary header beyond the section", []ruletest.Edit{set(0x07, "ff")}, "SF1011", "SF1011", "SF1011"},
		{"an auxiliary header that is not there", []ruletest.Edit{set(0x07, "10")}, "SF1010", "SF1010", "SF1010"},
		{"an FDE too many", []ruletest.Edit{set(0x08, "00000006")}, "SF1014", "SF1014", "SF1014"},
		{"far too many FDEs", []ruletest.Edit{set(0x08, "00000106")}, "SF1012", "SF1012", "SF1012"},
		{"an FDE too few", []ruletest.Edit{set(0x08, "00000004")}, "", "", "SF1016"},
		{"FREs too early", []ruletest.Edit{set(0x18, "0000004f")}, "SF1014", "SF1014", "SF1014"},
		{"FREs too late", []ruletest.Edit{set(0x18, "00000051")}, "", "SF1016", "SF1016"},
		{"FREs too late, after a zero", []ruletest.Edit{set(0x18, "00000051"), set(0x6c, "00")}, "", "SF1013", "SF1013"},
		{"FREs beyond the section", []ruletest.Edit{set(0x18, "00001051")}, "", "SF1013", "SF1013"},
		{"FREs longer than the section", []ruletest.Edit{set(0x10, "00001051")}, "", "", ""},
		{"FDEs too late", []ruletest.Edit{set(0x14, "00000008"), set(0x08, "00000004")}, "SF1016", "SF1016", "SF1016"},
		{"the first FDE left out", []ruletest.Edit{set(0x14, "00000010"), set(0x08, "00000004")}, "", "", "SF1016"},
		{"zeros before the FREs", []ruletest.Edit{set(0x18, "00000058"), insert(0x6c, "0000000000000000")}, "", "", ""},
		{"zeros before the FREs, then FREs of no FDE", []ruletest.Edit{set(0x18, "00000058"), insert(0x6c, "0000000000000000"),
			set(0x28, "00000014")}, "", "", ""},
		{"a stray byte before the FDEs", []ruletest.Edit{set(0x14, "00000001"), set(0x18, "00000051"), insert(0x1c, "ff")}, "", "", ""},
		{"a stray byte before the FREs", []ruletest.Edit{set(0x18, "00000051"), insert(0x6c, "ff")}, "", "", ""},
		{"a stray byte, and an FRE that cannot be read", []ruletest.Edit{set(0x18, "00000051"), insert(0x6c, "ff"), set(0x73, "63")}, "", "", ""},
		{"stray bytes at the end", []ruletest.Edit{insert(0xb6, "ff")}, "", "", ""},
	}
	cause := func(d *prereq.Doubt) string {
		if d == nil {
			return ""
		}
		return d.Causes[0]
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l := prereq.LayoutIn(ruletest.Raw(ruletest.V3AMD64.Bytes(t, test.edit...)).SFrames[0].Section)
			assert.Equal(t, []string{test.fdes, test.fres, test.all}, []string{cause(l.FDEs), cause(l.FREs), cause(l.All)})
		})
	}
}
