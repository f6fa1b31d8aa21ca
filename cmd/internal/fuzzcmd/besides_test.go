package fuzzcmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
)

// TestBesidesWithoutCode draws clean sections, in whose code no rule finds anything: it need not be followed.
func TestBesidesWithoutCode(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	require.Zero(t, Main([]string{"break", "--count", "150", "--seed", "77", "--out", dir}, nil, os.Stdout, os.Stderr))
	b, err := os.ReadFile(filepath.Join(dir, manifestName))
	require.NoError(t, err)
	var rows []row
	require.NoError(t, json.Unmarshal(b, &rows))
	require.Len(t, rows, 150)
	for _, r := range rows {
		healthy, err := breaks.Recipe{Config: r.Recipe.Config, Container: r.Recipe.Container}.Subject()
		require.NoError(t, err)
		assert.Equal(t, r.Besides, checker().Rules(healthy, true)[:len(r.Besides):len(r.Besides)], r.File)
		assert.Len(t, checker().Rules(healthy, true), len(r.Besides), r.File)
	}
}
