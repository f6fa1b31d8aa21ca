package trace

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/internal/testkit/alloc"
	"github.com/sframe-lint/sframe-lint/reader"
)

// stored opens a stored core.
func stored(t testing.TB, b []byte, budget *budget.Budget) (*corefile.Core, *corefile.Modules, error) {
	t.Helper()
	opts := reader.Options{Budget: budget}
	core, err := corefile.Open(bytes.NewReader(b), int64(len(b)), opts)
	if err != nil {
		return nil, nil, err
	}
	return core, corefile.NewModules(core, corefile.Options{Exe: gcore + "/prog", CFI: true, Read: opts}), nil
}

const gcore = "testdata/sid-x86_64-gcore"

// The frames of all threads are bounded by the size of the core, and none is held.
func TestTotalFrames(t *testing.T) {
	b, err := os.ReadFile(gcore + "/core")
	require.NoError(t, err)
	core, mods, err := stored(t, b, nil)
	require.NoError(t, err)
	one := core.Threads[0]
	core.Threads = nil
	for range 20_000 {
		core.Threads = append(core.Threads, one)
	}
	var out bytes.Buffer
	r, err := Write(&out, core, mods, Options{MaxFrames: 1000})
	require.NoError(t, err)
	assert.True(t, r.Cut)
	assert.Positive(t, r.Incomplete)
	n := int64(strings.Count(out.String(), "\n#"))
	assert.LessOrEqual(t, n, baseTotal+core.Size/8+int64(len(core.Threads)))
	assert.Greater(t, n, int64(baseTotal))
	core.Size = maxTotal * 100
	r, err = Write(io.Discard, core, mods, Options{MaxFrames: 1000})
	require.NoError(t, err)
	assert.False(t, r.Cut)
}

// A report that the budget ends is whole, and says so.
func TestBudgetEndsReport(t *testing.T) {
	b, err := os.ReadFile(gcore + "/core")
	require.NoError(t, err)
	core, mods, err := stored(t, b, budget.New(t.Context(), budget.Limits{}))
	require.NoError(t, err)
	spent := budget.New(t.Context(), budget.Limits{budget.Work: 10})
	var out bytes.Buffer
	r, err := Write(&out, core, mods, Options{MaxFrames: 1000, Budget: spent})
	require.NoError(t, err)
	require.Error(t, r.Err)
	assert.Contains(t, out.String(), "stopped: the work budget of 10 is exceeded")
}

// FuzzCore traces whatever comes: the output has its form, and memory and output have bounds.
func FuzzCore(f *testing.F) {
	for _, name := range []string{"sid-x86_64-gcore", "sid-s390x-signal", "sid-aarch64-be-signal"} {
		b, err := os.ReadFile("testdata/" + name + "/core")
		require.NoError(f, err)
		f.Add(b, false)
		f.Add(b, true)
	}
	f.Fuzz(func(t *testing.T, b []byte, asJSON bool) {
		var out bytes.Buffer
		used := alloc.Bytes(func() {
			limits := budget.New(t.Context(), budget.Limits{})
			core, mods, err := stored(t, b, limits)
			if err != nil {
				return
			}
			_, err = Write(&out, core, mods, Options{JSON: asJSON, MaxFrames: 100, Compare: true, Budget: limits})
			assert.NoError(t, err)
			if asJSON {
				var r Report
				assert.NoError(t, json.Unmarshal(out.Bytes(), &r))
				assert.LessOrEqual(t, len(r.Threads), len(core.Threads))
				assert.NotEmpty(t, r.Threads)
			}
		})
		assert.LessOrEqual(t, used, uint64(256<<20+20000*len(b)))
		assert.LessOrEqual(t, out.Len(), 1<<20+100*1000*len(b))
	})
}
