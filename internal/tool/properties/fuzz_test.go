package properties

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
)

// maxSeed bounds the files of the corpus that the fuzzer begins with, in
// bytes: of larger ones it changes what matters too rarely.
const maxSeed = 16 << 10

// FuzzHostile hands whatever comes to reader, rules and dumps together. Memory has a
// bound.
func FuzzHostile(f *testing.F) {
	const dir = "../../../corpus"
	entries, err := corpus.Load(dir)
	require.NoError(f, err)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.File))
		require.NoError(f, err)
		if len(b) > maxSeed || thin(b) {
			continue
		}
		addr, _ := strconv.ParseUint(e.RawAddress, 0, 64) // 0 for those without
		f.Add(b, addr)
	}
	c := New()
	f.Fuzz(func(t *testing.T, input []byte, addr uint64) {
		if thin(input) {
			return // a name that the fuzzer makes up could lead to any file
		}
		used := testkit.Allocated(func() {
			for _, x := range c.Hostile(input, addr) {
				t.Errorf("%s", x.Detail)
			}
		})
		require.LessOrEqual(t, used, uint64(16<<20+8<<10*len(input)))
	})
}

func thin(b []byte) bool { return bytes.HasPrefix(b, []byte("!<thin>\n")) }
