package fuzz_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/fuzz"
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
)

// FuzzMutate changes inputs that are damaged already, as they are after some
// generations of a campaign: it comes to an end, keeps to its limit, leaves the
// input alone, says what it did, and memory and its log have bounds.
func FuzzMutate(f *testing.F) {
	const dir, most = "../corpus", 4 << 10
	entries, err := corpus.Load(dir)
	require.NoError(f, err)
	for i, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.File))
		require.NoError(f, err)
		if len(b) <= most {
			f.Add(b, uint64(i))
		}
	}
	other, err := generator.Generate(generator.Default())
	require.NoError(f, err)
	section, err := generator.Encode(other)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, input []byte, seed uint64) {
		was := bytes.Clone(input)
		for name, change := range changes {
			m := fuzz.New(seed)
			m.Other, m.Max = section, len(input)+100
			var got []byte
			used := testkit.Allocated(func() { got = change(m, input, 4) })
			assert.LessOrEqual(t, used, uint64(4<<20+4<<10*len(input)), name)
			assert.LessOrEqual(t, len(strings.Join(m.Log(), "\n")), 4<<10, name)
			assert.LessOrEqual(t, len(got), m.Max, name)
			assert.Equal(t, was, input, name)
			assert.NotEmpty(t, m.Log(), name)
		}
	})
}

// TestMemberSizesBelowZero: one panicked, one never came to an end.
func TestMemberSizesBelowZero(t *testing.T) {
	for _, size := range []int{-200, -60, -61, -1} {
		b := fmt.Appendf(nil, "!<arch>\n%-16s%-12d%-6d%-6d%-8s%-10d`\n", "a.o/", 0, 0, 0, "644", size)
		for seed := range uint64(50) {
			assert.NotEmpty(t, fuzz.New(seed).File(b, 3))
		}
	}
}

// TestLogTellsTheTruth: a change that was none, or whose result was dropped,
// is not in the log.
func TestLogTellsTheTruth(t *testing.T) {
	b := section(t, generator.Default())
	for seed := range uint64(3000) {
		m := fuzz.New(seed)
		m.Section(b, 1)
		for _, line := range m.Log() {
			var word, row, i, j int
			if _, err := fmt.Sscanf(line, "change word %d of row %d from %d to %d", &word, &row, &i, &j); err == nil {
				assert.NotEqual(t, i, j, line)
			}
			if _, err := fmt.Sscanf(line, "swap FDEs %d and %d", &i, &j); err == nil {
				assert.NotEqual(t, i, j, line)
			}
		}
	}
}
