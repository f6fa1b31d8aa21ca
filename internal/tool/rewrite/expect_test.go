package rewrite_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// What the call frame information of real and hand-made files leads to says the same as it,
// by the comparison that the rules use. Only functions that were omitted have no FDE.
func TestExpectedSaysWhatCFISays(t *testing.T) {
	fdes, omitted := map[model.Version]int{}, 0
	err := filepath.WalkDir("../../../corpus/files", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return reader.Scan(path, reader.Options{NoSurvey: true}, func(o *reader.Object) error {
			if o.ELF == nil {
				return nil
			}
			for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
				for _, flex := range []bool{true, false} {
					if !o.ELF.ABI().InVersion(v) {
						continue
					}
					x, err := rewrite.Expect(o, v, flex, 0x100000)
					if err != nil {
						continue // the FDEs are too far away, or the file has no bytes
					}
					fdes[v] += x.FDEs
					omitted += len(x.Omitted)
					sameAsCFI(t, o, x, path)
				}
			}
			return nil
		})
	})
	require.NoError(t, err)
	for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
		assert.Greater(t, fdes[v], 1000, v)
	}
	assert.Greater(t, omitted, 100)
}

func sameAsCFI(t *testing.T, o *reader.Object, x *rewrite.Expected, path string) {
	t.Helper()
	frames := must.Get(cfi.Load(o, 0))(t)
	cfi.Compare(x.SFrame.Section, frames, func(d cfi.Difference) {
		if d.Kind == cfi.NoCFI && x.Proven > 0 {
			return
		}
		if d.Kind == cfi.NoFDE || d.Kind == cfi.RangeDiffers {
			for _, m := range x.Omitted {
				if d.Place == m.Place && d.Start >= m.Start && d.Start-m.Start < m.Size {
					return
				}
			}
		}
		assert.Fail(t, "it differs from the CFI", "%s V%d: %v from 0x%x to 0x%x: %+v", path, x.SFrame.Section.Version(), d.Kind, d.Start, d.End, d)
	})
}

// GNU as 2.47 and llvm-mc write what is expected of their version.
func TestExpectedOfAssemblers(t *testing.T) {
	equal := 0
	for _, pattern := range []string{"../../../corpus/files/binutils-2.47/*/*.o", "../../../corpus/files/llvm-23/*.o"} {
		paths := must.Get(filepath.Glob(pattern))(t)
		for _, path := range paths {
			err := reader.Scan(path, reader.Options{NoSurvey: true}, func(o *reader.Object) error {
				if o.ELF == nil || len(o.SFrames) != 1 || o.SFrames[0].Section == nil || strings.Contains(path, "partial") {
					return nil
				}
				have := o.SFrames[0].Section
				x, err := rewrite.Expect(o, have.Version(), true, 0)
				if err == nil && x.SFrame.Section.NumFDEs() == have.NumFDEs() && x.SFrame.Section.Size() == have.Size() {
					equal++
				}
				return err
			})
			require.NoError(t, err)
		}
	}
	assert.Greater(t, equal, 20, "of the same size")
}
