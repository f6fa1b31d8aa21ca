package flex_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules/internal/flex"
)

// row returns the last row of the last FDE of V3AMD64 with another info byte
// and other words, which are 1 byte long.
func row(t *testing.T, words string) model.FRE {
	t.Helper()
	n := len(ruletest.Hex(t, words, false))
	const at = 0xb0 // the info byte
	data := ruletest.V3AMD64.Bytes(t, ruletest.Delete(at, 6),
		ruletest.Insert(at, words), ruletest.Insert(at, string("0123456789abcdef"[n>>3])+string("0123456789abcdef"[n<<1&15])),
		ruletest.Set(0x10, "00000054")) // room for more words than there are
	f := ruletest.Raw(data).SFrames[0].Section.FDE(4)
	return f.FRE(2)
}

func entity(role model.FlexRole, word int, control uint32, whole bool, offset int32) flex.Entity {
	return flex.Entity{Role: role, Word: word, Control: control, Whole: whole, Offset: offset}
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, words string
		want        []flex.Entity
		used        int
	}{
		{"CFA", "39 08", []flex.Entity{entity(flex.CFA, 0, 0x39, true, 8)}, 2},
		{"unsigned control word", "f9 f0", []flex.Entity{entity(flex.CFA, 0, 0xf9, true, -16)}, 2},
		{"padding", "33 f8 00 32 10", []flex.Entity{entity(flex.CFA, 0, 0x33, true, -8), entity(flex.RA, 2, 0, false, 0), entity(flex.FP, 3, 0x32, true, 16)}, 5},
		{"zero for CFA", "00 08", []flex.Entity{entity(flex.CFA, 0, 0, true, 8)}, 2},
		{"half a pair", "39 08 02", []flex.Entity{entity(flex.CFA, 0, 0x39, true, 8), entity(flex.RA, 2, 2, false, 0)}, 3},
		{"half a CFA", "39", []flex.Entity{entity(flex.CFA, 0, 0x39, false, 0)}, 1},
		{"left over", "39 08 00 00 07", []flex.Entity{entity(flex.CFA, 0, 0x39, true, 8), entity(flex.RA, 2, 0, false, 0), entity(flex.FP, 3, 0, false, 0)}, 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := row(t, test.words)
			require.True(t, flex.Is(r))
			got := flex.Parse(r)
			require.Equal(t, test.want, got.Entities)
			require.Equal(t, test.used, got.Used)
		})
	}
}

func TestAny(t *testing.T) {
	isRA := func(e flex.Entity) bool { return e.Role == flex.RA }
	require.True(t, flex.Any(row(t, "39 08 02 08"), isRA))
	require.False(t, flex.Any(row(t, "39 08"), isRA))
	s := ruletest.Raw(ruletest.V3AMD64.Bytes(t)).SFrames[0].Section
	require.False(t, flex.Any(s.FDE(0).FRE(1), func(flex.Entity) bool { return true }), "a default-type row has no entities")
}
