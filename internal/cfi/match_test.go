package cfi

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestMatch compares files of the corpus, as they are and with random bits flipped in
// their SFrame data and CFI, with and without the matcher.
func TestMatch(t *testing.T) {
	files, err := filepath.Glob("../../corpus/files/*/*/*")
	require.NoError(t, err)
	flips := 30
	if testing.Short() {
		flips = 3
	}
	functions, matches := 0, 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil || len(data) < 4 || string(data[:4]) != "\x7fELF" {
			continue
		}
		var spans []model.Span
		scan(t, data, func(o *reader.Object, s *model.Section, f *Frames) {
			for _, x := range o.SFrames {
				spans = append(spans, model.Span{Off: x.Offset, Len: int64(len(x.Data))})
			}
			for _, x := range f.Sections {
				spans = append(spans, model.Span{Off: int64(o.ELF.Sections[x.Index].Offset), Len: int64(len(x.in.Data))})
			}
		})
		r := rand.New(rand.NewPCG(uint64(len(data)), 1))
		for i := range flips + 1 {
			changed := bytes.Clone(data)
			if i > 0 && len(spans) > 0 {
				at := spans[r.IntN(len(spans))]
				if at.Len == 0 || at.End() > int64(len(data)) {
					continue
				}
				changed[at.Off+r.Int64N(at.Len)] ^= 1 << r.IntN(8)
			}
			scan(t, changed, func(o *reader.Object, s *model.Section, f *Frames) {
				a, b := f.sframeIntervals(s), f.intervals()
				_, n := match(s, f, a, b)
				var quick, slow []Difference
				got := Compare(s, f, func(d Difference) { quick = append(quick, d) })
				want := compare(s, f, a, b, make([]bool, s.NumFDEs()), Comparison{}, func(d Difference) { slow = append(slow, d) })
				require.Equal(t, want, got, "%s, flip %d", file, i)
				require.Equal(t, slow, quick, "%s, flip %d", file, i)
				functions += got.Functions
				matches += n.Functions
			})
		}
	}
	require.Greater(t, functions, 1000)
	require.Greater(t, matches, functions/2)
	t.Logf("%d of %d functions match", matches, functions)
}

// scan visits the sections of a file that have CFI beside them.
func scan(t *testing.T, data []byte, visit func(*reader.Object, *model.Section, *Frames)) {
	err := reader.ScanReader("test", bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
		f, err := Load(o, 0)
		if err != nil || o.ELF == nil {
			return err
		}
		for _, x := range o.SFrames {
			if x.Section != nil && len(f.Sections) > 0 {
				visit(o, x.Section, f)
			}
		}
		return nil
	})
	_ = err // files that can't be read have nothing to compare
}
