package lint_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/lint"
)

// FuzzBaseline reads whatever comes as a baseline: what is accepted is written and read
// again unchanged, and memory is bounded by the size of the input.
func FuzzBaseline(f *testing.F) {
	f.Add([]byte(`{"schema":"sframe-lint/baseline/1","findings":[{"rule":"SF1003","file":"a.o","place":"header+2","count":1}]}`))
	f.Add([]byte(`{"schema":"sframe-lint/baseline/1","findings":[{"rule":"SF2004","file":"a.o","member":"m","section":".sframe","function":"f\u0000","place":"row","count":9223372036854775807}]}`))
	f.Add([]byte(`{"schema":"sframe-lint/baseline/1","findings":[]} {}`))
	f.Add([]byte(`{"schema":"","findings":""`)) // a value of another kind, whose error has no type
	f.Fuzz(func(t *testing.T, data []byte) {
		var b *lint.Baseline
		var err error
		used := testkit.Allocated(func() { b, err = lint.ReadBaseline(bytes.NewReader(data)) })
		require.LessOrEqual(t, used, uint64(1<<20+200*len(data)))
		if err != nil {
			require.LessOrEqual(t, len(err.Error()), 1000+6*len(data))
			return
		}
		written := func(b *lint.Baseline) string {
			var r lint.Recorder
			r.Carry(b, func(lint.Identity) bool { return true })
			var out bytes.Buffer
			require.NoError(t, r.Write(&out))
			return out.String()
		}
		once := written(b)
		require.LessOrEqual(t, len(once), 100+20*len(data))
		again, err := lint.ReadBaseline(bytes.NewReader([]byte(once)))
		require.NoError(t, err)
		assert.Equal(t, once, written(again))
	})
}
