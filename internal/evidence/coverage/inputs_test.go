package coverage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestInputs: the coverage names the inputs with gaps, and allowed gaps count nowhere else.
func TestInputs(t *testing.T) {
	measure := func(file string, allowed ...string) (f *coverage.File) {
		require.NoError(t, reader.Scan("../../../corpus/files/"+file, reader.Options{}, func(o *reader.Object) (err error) {
			f, err = coverage.Measure(o, -1, allowed...)
			return err
		}))
		return f
	}
	const file = "mixed/v3-and-none-by-ld-2.47.elf"
	f := measure(file)
	require.Equal(t, coverage.Share{Functions: 6, CoveredFunctions: 3, Bytes: 18, CoveredBytes: 9}, f.Share)
	require.Len(t, f.Inputs, 1)
	require.Equal(t, coverage.Input{Name: "nameless.o", Functions: 3, Bytes: 9, First: f.Inputs[0].First}, f.Inputs[0])
	require.Len(t, f.Gaps, 3)
	require.Equal(t, "nameless.o", f.Gaps[0].Input)

	f = measure(file, "*.o")
	require.Equal(t, coverage.Share{Functions: 3, CoveredFunctions: 3, Bytes: 9, CoveredBytes: 9}, f.Share)
	require.Equal(t, coverage.Allowed{Functions: 3, Bytes: 9}, f.Allowed)
	require.Empty(t, f.Inputs)
	require.Empty(t, f.Gaps)
	require.Empty(t, f.Missing)
	require.False(t, f.Below(100))

	require.Empty(t, measure("mixed/v3-and-none-by-mold.elf").Inputs, "mold adds no FILE symbol")
	require.True(t, measure("hand/cfi-lost.elf").Inputs[0].Lost)
	hidden := measure("../regressions/hidden-after-another-input-by-mold-amd64.so")
	require.Equal(t, coverage.Share{Functions: 8, CoveredFunctions: 6, Bytes: 62, CoveredBytes: 46}, hidden.Share)
	require.Empty(t, hidden.Inputs, "the object without a FILE symbol has no SFrame data at all")
}
