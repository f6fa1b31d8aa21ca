package proof

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/cfi"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestNeighbours: a fault in one row changes no verdict about another row. The rows are those of the CFI of objects, some of
// which are wrong before.
func TestNeighbours(t *testing.T) {
	files, err := filepath.Glob("../../corpus/files/*/*/*.o")
	require.NoError(t, err)
	more, err := filepath.Glob("../../corpus/regressions/*.o")
	require.NoError(t, err)
	compared, planted := 0, 0
	for _, file := range append(more, files...) {
		_ = reader.Scan(file, reader.Options{}, func(o *reader.Object) error {
			before, all := verdicts(t, o, nil)
			rnd := rand.New(rand.NewPCG(uint64(len(all)), 1))
			for f, rows := range all {
				if len(rows) < 2 || rnd.IntN(4) > 0 {
					continue
				}
				k := rnd.IntN(len(rows))
				after, _ := verdicts(t, o, func(i int, rows []Row) {
					if i == f {
						rows[k].CFA.Offset += 8
					}
				})
				other := func(all []string) []string {
					return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == fmt.Sprintf("%d.%d", f, k) })
				}
				require.ElementsMatch(t, other(before), other(after), "%s: function %d, row %d", file, f, k)
				compared += len(before)
				planted++
			}
			return nil
		})
	}
	require.Greater(t, planted, 100)
	t.Logf("%d faults, %d verdicts of other rows", planted, compared)
}

// verdicts returns the rows of an object's CFI that the code contradicts, and all rows, with a change.
func verdicts(t *testing.T, o *reader.Object, change func(i int, rows []Row)) (wrong []string, all [][]Row) {
	if o.ELF == nil {
		return nil, nil
	}
	frames, err := cfi.Load(o, 0)
	if err != nil {
		return nil, nil
	}
	var ranges []Range
	frames.Each(func(place uint32, start, end uint64, f cfi.FDE) bool {
		if n := len(ranges); n > 0 && ranges[n-1].Place == place && ranges[n-1].End > start {
			return true
		}
		ranges = append(ranges, Range{Place: place, Start: start, End: end})
		all = append(all, cfiRows(&f, start, end))
		return true
	})
	if change != nil {
		for i := range all {
			change(i, all[i])
		}
	}
	tr, err := New(o, ranges, LSDAs(frames), func(i int, out []Row) []Row { return append(out, all[i]...) })
	if err != nil {
		return nil, nil
	}
	require.NoError(t, tr.Run(1, func(f *Function) {
		f.Check(all[f.Index()], func(x Contradiction) {
			if s := fmt.Sprintf("%d.%d", f.Index(), x.Row); x.Kind <= WrongFP && !slices.Contains(wrong, s) {
				wrong = append(wrong, s)
			}
		})
	}))
	slices.Sort(wrong)
	return wrong, all
}
