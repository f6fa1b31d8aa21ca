package conformance_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

//go:generate go test . -run TestNoHoles -update

// TestNoHoles draws sections until every class of every field was seen, and holds the page
// of the documentation against the counts.
func TestNoHoles(t *testing.T) {
	if testing.Short() {
		t.Skip("draws sections until each class was seen: run without -short")
	}
	table, err := countCorners(1, cornerSections)
	require.NoError(t, err)
	assert.Empty(t, table.Holes())
	for _, f := range table.Fields() {
		for _, c := range f.Classes {
			assert.False(t, c.Never != "" && c.Count > 0, "%s has %s", f.Name, c.Name())
		}
	}
	const page = "../../../docs/studies/corners.md"
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(table.Page()), 0o644))
	}
	b, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Equal(t, table.Page(), string(b), "stale: run go generate ./internal/tool/conformance")
}

// TestHoles sees those of a table without values.
func TestHoles(t *testing.T) {
	table := newCorners()
	assert.Contains(t, table.Holes(), "FRE start, 4 bytes = 2^32-1")
	assert.Contains(t, table.Holes(), "start, 8 bytes = -2^63")
	assert.NotContains(t, table.Holes(), "start, 8 bytes = 0", "there is no code")
}
