package sound_test

import (
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/ruletest"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

func TestLayout(t *testing.T) {
	tests := []struct {
		name string
		edit []ruletest.Edit
		want bool
	}{
		{"valid", nil, true},
		{"unknown version", []ruletest.Edit{ruletest.Set(0x02, "07")}, false},
		{"an FDE too many", []ruletest.Edit{ruletest.Set(0x08, "00000006")}, false},
		{"an FDE too few", []ruletest.Edit{ruletest.Set(0x08, "00000004")}, false},
		{"FREs too early", []ruletest.Edit{ruletest.Set(0x18, "0000004f")}, false},
		{"FREs too late", []ruletest.Edit{ruletest.Set(0x18, "00000051")}, false},
		{"zeros in front", []ruletest.Edit{ruletest.Set(0x18, "00000058"), ruletest.Insert(0x6c, "0000000000000000")}, true},
		{"zeros in front, then rows of no FDE", []ruletest.Edit{ruletest.Set(0x18, "00000058"), ruletest.Insert(0x6c, "0000000000000000"),
			ruletest.Set(0x28, "00000014")}, true},
		{"stray bytes behind", []ruletest.Edit{ruletest.Insert(0xb6, "ff")}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := ruletest.Raw(ruletest.V3AMD64.Bytes(t, test.edit...)).SFrames[0].Section
			require.Equal(t, test.want, sound.Layout(s))
		})
	}
}

func TestABI(t *testing.T) {
	trusted := func(edits ...ruletest.Edit) bool {
		o := ruletest.Raw(ruletest.V3AMD64.Bytes(t, edits...))
		_, ok := sound.ABI(&rules.Context{Object: o, Section: o.SFrames[0].Section})
		return ok
	}
	require.True(t, trusted())
	require.False(t, trusted(ruletest.Set(0x04, "13")), "unknown")
	require.False(t, trusted(ruletest.Set(0x04, "02")), "fixed RA offset of another ABI")
	require.False(t, trusted(ruletest.Set(0x04, "01"), ruletest.Set(0x06, "00")), "byte order of another ABI")

	o := ruletest.Linked(ruletest.V3AMD64.Bytes(t), ruletest.V3AMD64.ABI())
	c := &rules.Context{Object: o, Section: o.SFrames[0].Section}
	_, ok := sound.ABI(c)
	require.True(t, ok)
	o.ELF.Machine = elf.EM_AARCH64
	_, ok = sound.ABI(c)
	require.False(t, ok)
}
