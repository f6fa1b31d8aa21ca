package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestWalk compares what a walk finds with what plain loops find, in sections whose survey is
// complete and in one that has more different FREs than a survey lists.
func TestWalk(t *testing.T) {
	var rows []func(model.FRE) bool
	for k := range 70 {
		rows = append(rows, func(r model.FRE) bool {
			return r.NumWords() > 0 && int(r.Word(r.NumWords()-1)+int32(r.Info()))%(k+1) == 0
		})
	}
	rows = append(rows, func(r model.FRE) bool { return r.WordSize() > 0 })
	kinds := []func(model.FDE) bool{
		func(f model.FDE) bool { return f.RepSize() > 0 },
		func(f model.FDE) bool { return f.FREType() == model.SFRAME_FRE_TYPE_ADDR1 },
		func(f model.FDE) bool { return f.Info2() > 0 },
	}
	for _, shape := range testkit.Shapes() {
		n := 500
		if shape == testkit.Different {
			n = 70000
		}
		f := reader.DecodeSFrame(testkit.ShapeSection(shape, n), reader.SectionOptions{})
		require.Empty(t, f.Faults, shape)
		_, _, _, complete := f.Survey().Distinct()
		require.Equal(t, shape != testkit.Different, complete, shape)
		got, want := make([]tally, len(rows)+len(kinds)), make([]tally, len(rows)+len(kinds))
		c := &Context{Object: &reader.Object{}, SFrame: f, Section: f.Section}
		for i, bad := range rows {
			c.Rows(bad, func(r model.FRE) { got[i].add(r.FDEIndex(), r.Index()) })
		}
		for i, bad := range kinds {
			c.FDEs(bad, func(f model.FDE) { got[len(rows)+i].add(f.Index(), -1) })
		}
		for d := range f.Section.FDEs() {
			for i, bad := range kinds {
				if bad(d) {
					want[len(rows)+i].add(d.Index(), -1)
				}
			}
			for r := range d.FREs() {
				for i, bad := range rows {
					if bad(r) {
						want[i].add(r.FDEIndex(), r.Index())
					}
				}
			}
		}
		require.NotZero(t, want[0], shape)
		require.Equal(t, want, got, shape)
	}
}

// tally sums up the places of findings in their order.
type tally struct{ count, sum uint64 }

func (t *tally) add(fde, fre int) {
	t.count++
	t.sum = 31*t.sum + uint64(fde)<<8 + uint64(fre)
}
