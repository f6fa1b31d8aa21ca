package crosscheck_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/crosscheck"
)

// covered returns the result of the rule for a file.
func covered(t *testing.T, file string, least coverage.Percent, measure *analysis.Analyzer) (out *rules.Result) {
	t.Helper()
	d := rules.Driver{Rules: []*rules.Rule{crosscheck.Covered(least, measure)}}
	require.NoError(t, reader.Scan("../../../corpus/files/"+file, reader.Options{}, func(o *reader.Object) error {
		out = d.Run(o)
		return nil
	}))
	return out
}

func TestCovered(t *testing.T) {
	const mixed, all = "mixed/v3-and-v2-by-ld-2.47.elf", "binutils-2.40/amd64/flexible.o" // 98 of 112 bytes, 1 of 86
	for _, x := range []struct {
		file  string
		least coverage.Percent
		at    int64 // below 0: nothing is found
		len   int64
		says  string
	}{
		{mixed, 87.5, -1, 0, ""},
		{mixed, 87.6, 0x238, 4, `FDEs cover 5 of 7 functions (71.4%), 98 of 112 bytes (87.5%), less than the required 87.6%: a tracer stops in "main" (CFI, but no FDE), ` +
			`"bare" (no CFI)`},
		{all, 1, -1, 0, ""},
		{"mold-3/dropped-v2.elf", 1, 0, 64, `FDEs cover 0 of 6 functions (0.0%), 0 of 99 bytes (0.0%), less than the required 1%: ` +
			"a tracer stops in \"pushes\", \"roomy\", \"vast\", \"framed\", \"leaf\" (no SFrame data in the file) and 1 more"},
		{"hand/v3-amd64.sframe", 100, -1, 0, ""}, // a raw section has no functions
	} {
		res := covered(t, x.file, x.least, crosscheck.Measure(0, nil))
		assert.Empty(t, res.HeldBack)
		if x.at < 0 {
			assert.Empty(t, res.Findings, x.file)
			continue
		}
		require.Len(t, res.Findings, 1, x.file)
		f := &res.Findings[0]
		assert.Equal(t, crosscheck.CoverageID, f.Rule.ID)
		assert.Equal(t, rules.Error, f.Severity)
		assert.Equal(t, x.says, f.Message)
		assert.Equal(t, []int64{x.at, x.len}, []int64{f.Span.Off, f.Span.Len}, x.file)
	}
}

// TestMeasure: what could not be measured holds the rule back, and a measurement that
// lists more gaps names no more functions.
func TestMeasure(t *testing.T) {
	res := covered(t, "mixed/v3-and-v2-by-ld-2.47.elf", 100, &analysis.Analyzer{Name: "coverage", Run: func(*analysis.Pass) (any, error) { return &coverage.Measured{Err: errors.New("too much")}, nil }})
	assert.Empty(t, res.Findings)
	require.Len(t, res.HeldBack, 1)
	assert.Equal(t, "too much", res.HeldBack[0].Reason)
	short := covered(t, "mold-3/dropped-v2.elf", 100, crosscheck.Measure(0, nil))
	long := covered(t, "mold-3/dropped-v2.elf", 100, crosscheck.Measure(50, nil))
	assert.Equal(t, short.Findings[0].Message, long.Findings[0].Message)
}
