package proof_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestPointsAgreeWithCheck: in the files of the corpus, Points marks as many bytes of each kind as Check reports,
// those that follow from a wrong CFA aside, and at each point that is known the rows that are right have its CFA.
func TestPointsAgreeWithCheck(t *testing.T) {
	marked := 0
	require.NoError(t, filepath.WalkDir("../../../corpus/files/wrong-cfi", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".o") {
			return err
		}
		return reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
			for _, sf := range o.SFrames {
				marked += points(t, o, sf.Section)
			}
			return nil
		})
	}))
	assert.Greater(t, marked, 30)
}

func points(t *testing.T, o *reader.Object, s *model.Section) (marked int) {
	var ranges []proof.Range
	for f := range s.FDEs() {
		ranges = append(ranges, proof.Range{Place: uint32(f.Place()), Start: f.Start(), End: f.End()})
	}
	k, err := proof.New(o, ranges, nil, nil)
	require.NoError(t, err)
	require.NoError(t, k.Run(1, func(f *proof.Function) {
		var rows []proof.Row
		d := s.FDE(f.Index())
		for r := range d.FREs() {
			if n := len(rows); n > 0 {
				rows[n-1].End = d.Start() + uint64(r.Start())
			}
			rows = append(rows, proof.Row{Row: r.Row(), Start: d.Start() + uint64(r.Start()), End: d.End(), Signed: r.MangledRA()})
		}
		var want, got [proof.Inside]uint64
		f.Check(rows, func(c proof.Contradiction) {
			if c.Kind < proof.Inside {
				want[c.Kind] += c.PCs
			}
		})
		f.Points(rows, func(p *proof.Point) {
			for kind := range got {
				if p.Wrong>>kind&1 != 0 {
					got[kind] += uint64(p.Len)
					marked++
				}
			}
			for _, r := range rows {
				if r.Start <= p.PC && p.PC < r.End && p.Reason == proof.Known && p.CFA.Kind == r.CFA.Kind && p.CFA.Reg == r.CFA.Reg && !r.CFA.Deref {
					assert.Equal(t, p.Wrong&1 == 0, p.CFA == r.CFA, "%s 0x%x", o.Path, p.PC)
				}
			}
		})
		assert.Equal(t, want[proof.WrongCFA], got[proof.WrongCFA], o.Path)
		for kind := range got {
			assert.LessOrEqual(t, got[kind], want[kind], o.Path)
			assert.True(t, got[kind] == want[kind] || want[proof.WrongCFA] > 0, o.Path)
		}
	}))
	return marked
}
