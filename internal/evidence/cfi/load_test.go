package cfi_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestLoad reads sections that are compressed, and .eh_frame of a file without section
// headers. The files are of testdata/load.s.
func TestLoad(t *testing.T) {
	for name, at := range map[string]int64{"zlib.o": -1, "zstd.o": -1, "zlib-gnu.o": -1, "no-section-headers": 0x110} {
		t.Run(name, func(t *testing.T) {
			err := reader.Scan("testdata/load/"+name, reader.Options{}, func(o *reader.Object) error {
				frames, err := cfi.Load(o, 0)
				require.NoError(t, err)
				require.Empty(t, frames.Skipped)
				require.Len(t, frames.Sections, 1)
				s := frames.Sections[0]
				require.Equal(t, at, s.Offset)
				require.Equal(t, at >= 0, frames.Hdr != nil)
				fdes := slices.Collect(s.FDEs())
				require.Len(t, fdes, 2)
				require.True(t, fdes[1].Usable())
				require.Equal(t, []string{"0-1 rsp+8 *(CFA-8) unchanged", "1-4 rsp+16 *(CFA-8) *(CFA-16)", "4-5 rbp+16 *(CFA-8) *(CFA-16)",
					"5-6 rsp+8 *(CFA-8) unchanged"}, words(o.ELF.ABI(), fdes[1], slices.Collect(fdes[1].Rows())))
				n := cfi.Compare(o.SFrames[0].Section, frames, func(d cfi.Difference) { t.Errorf("%+v", d) })
				require.Equal(t, 2, n.Functions)

				frames, err = cfi.Load(o, int64(len(s.Input().Data))-1)
				require.NoError(t, err)
				require.Empty(t, frames.Sections)
				require.Len(t, frames.Skipped, 1)
				return nil
			})
			require.NoError(t, err)
		})
	}
}
