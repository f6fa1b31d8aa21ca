package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestRowsRemembered compares the rows of functions, which are remembered by the bytes of their FREs, with the
// FREs that are decoded one by one.
func TestRowsRemembered(t *testing.T) {
	remembered := 0
	for _, shape := range testkit.Shapes() {
		f := reader.DecodeSFrame(testkit.ShapeSection(shape, 2000), reader.SectionOptions{})
		all := trackedFDEs(f.Section)
		for round := range 3 { // in the second round the first functions find rows of the last ones
			for k := range all.known { // in the third one they find rows of other keys
				if x := all.known[k].Load(); round == 2 && x != nil {
					all.known[k].Store(&proof.Row{Key: x.Key + 1, Row: model.Row{CFA: model.Recovery{Offset: 1 << 30}}})
				}
			}
			for i := range all.ranges {
				d := all.at(i)
				rows := all.rows(i, nil)
				for _, r := range rows {
					found := false
					for x := range d.FREs() {
						if d.Start()+uint64(x.Start()) == r.Start {
							require.Equal(t, x.Row(), r.Row, "%v: FDE %d, FRE %d", shape, d.Index(), x.Index())
							found = true
							break
						}
					}
					require.True(t, found, "%v: FDE %d, %#x", shape, d.Index(), r.Start)
				}
			}
		}
		for k := range all.known {
			if x := all.known[k].Load(); x != nil && x.CFA.Offset != 1<<30 {
				remembered++
			}
		}
	}
	require.Greater(t, remembered, 50)
}
