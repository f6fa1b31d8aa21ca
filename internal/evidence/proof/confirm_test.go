package proof

import (
	"bytes"
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

// TestUnconfirmed: contradictions beyond the number of instructions that are replayed are counted, not dropped.
func TestUnconfirmed(t *testing.T) {
	const n = 100_000 // as many instructions between the push and the rows, which are wrong by it
	code := append(append([]byte{0x55}, bytes.Repeat([]byte{0xff, 0xc0}, n)...), 0x5d, 0xc3)
	scanProgram(t, model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE), code, nil, func(o *reader.Object) {
		found, err := Of(o, Functions{Ranges: []Range{{Start: codeAt, End: codeAt + uint64(len(code))}}, Rows: func(_ int, rows []Row) []Row {
			for pc := codeAt + 2*uint64(n-50); len(rows) < 50; pc += 2 {
				rows = append(rows, Row{Row: model.Row{CFA: sp(8), RA: slotAt(-8), FP: unchanged}, Start: pc + 1, End: pc + 3})
			}
			return rows
		}})
		require.NoError(t, err)
		require.Len(t, found.Wrong, 1)
		require.Equal(t, 1, found.Unconfirmed[WrongCFA])
	})
}
