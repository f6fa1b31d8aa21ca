package proof

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestConfirm proves rows of "pushes" of testdata/amd64.s right at some instructions. A value may
// be at two places: rbp is in its register until 6, and in its slot from 2 to 0x14.
func TestConfirm(t *testing.T) {
	all := []uint64{0, 1, 2, 6, 9, 0xe, 0x12, 0x13, 0x14}
	for _, c := range []struct {
		name  string
		row   model.Row
		right []uint64
	}{
		{"entry", model.Row{CFA: sp(8), RA: slotAt(-8), FP: unchanged}, []uint64{0, 0x14}},
		{"in the register", model.Row{CFA: sp(48), RA: slotAt(-8), FP: unchanged}, []uint64{6}},
		{"in the slot", model.Row{CFA: sp(48), RA: slotAt(-8), FP: slotAt(-24)}, []uint64{6, 9, 0xe}},
		{"in the slot below SP", model.Row{CFA: sp(16), RA: slotAt(-8), FP: slotAt(-24)}, []uint64{0x13}},
		{"RA not there", model.Row{CFA: sp(48), RA: slotAt(-16), FP: slotAt(-24)}, nil},
		{"outermost", model.Row{CFA: undefined, RA: undefined, FP: undefined}, nil},
	} {
		var got, right []uint64
		require.NoError(t, reader.Scan("testdata/amd64.o", reader.Options{}, func(o *reader.Object) error {
			tr, err := New(o, functions(t, o), nil, nil)
			require.NoError(t, err)
			return tr.Run(1, func(f *Function) {
				r := f.Range()
				if y, _ := o.ELF.Symbols.Func(int(r.Place), r.Start); y.Name != "pushes" {
					return
				}
				f.Confirm([]Row{{Row: c.row, Start: r.Start, End: r.End}}, func(pc uint64, n int, ok bool) {
					require.Positive(t, n)
					got = append(got, pc-r.Start)
					if ok {
						right = append(right, pc-r.Start)
					}
				})
			})
		}))
		require.Equal(t, all, got, c.name)
		require.Equal(t, c.right, right, c.name)
	}
}
