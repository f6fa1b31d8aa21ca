package proof

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

var neighbours = flag.Int("neighbours", 500, "files that TestNeighbours draws")

// TestNeighbours: a fault in one row changes no verdict about another row. It draws files of the corpus, and a row of each.
// The rows are those of the CFI, some of which are wrong before.
func TestNeighbours(t *testing.T) {
	files, err := filepath.Glob("../../../corpus/files/*/*/*")
	require.NoError(t, err)
	more, err := filepath.Glob("../../../corpus/regressions/*.o")
	require.NoError(t, err)
	files = append(more, files...)
	rnd := rand.New(rand.NewPCG(1, 2))
	compared, planted, changed := 0, 0, 0
	for try := 0; planted < *neighbours; try++ {
		require.Less(t, try, 20**neighbours+1000, "few files have rows")
		file := files[rnd.IntN(len(files))]
		_ = reader.Scan(file, reader.Options{}, func(o *reader.Object) error {
			before, all := verdicts(t, o, nil)
			if len(all) == 0 {
				return nil
			}
			f := rnd.IntN(len(all))
			if len(all[f]) < 2 {
				return nil
			}
			k, kind := rnd.IntN(len(all[f])), rnd.IntN(4)
			after, _ := verdicts(t, o, func(i int, rows []Row) {
				if i == f {
					plant(&rows[k], kind)
				}
			})
			other := func(all []string) []string {
				return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == fmt.Sprintf("%d.%d", f, k) })
			}
			require.ElementsMatch(t, other(before), other(after), "%s: function %d, row %d, fault %d", file, f, k, kind)
			compared += len(before)
			planted++
			if !slices.Equal(before, after) {
				changed++
			}
			return nil
		})
	}
	require.Greater(t, changed, planted/4, "faults that are found")
	t.Logf("%d faults, %d of them found, %d verdicts of other rows", planted, changed, compared)
}

// plant makes a row wrong.
func plant(r *Row, kind int) {
	switch kind {
	case 0:
		r.CFA.Offset += 8
	case 1:
		r.CFA.Offset -= 16
	case 2:
		r.RA.Offset -= 8
	case 3:
		if r.FP.Kind == model.Unchanged {
			r.FP = model.Recovery{Kind: model.FromCFA, Deref: true, Offset: -16}
		} else {
			r.FP = model.Recovery{Kind: model.Unchanged}
		}
	}
}

// verdicts returns the rows of an object's CFI that the code contradicts, and all rows, with a change. Rows of code that
// nothing reaches are held against each other, and do not count.
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
			if s := fmt.Sprintf("%d.%d", f.Index(), x.Row); x.Kind <= WrongFP && !x.Beside && !slices.Contains(wrong, s) {
				wrong = append(wrong, s)
			}
		})
	}))
	slices.Sort(wrong)
	return wrong, all
}
