package conformance_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNoHoles draws sections until every class of every field was seen.
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
}

// TestHoles sees those of a table without values.
func TestHoles(t *testing.T) {
	table := newCorners()
	assert.Contains(t, table.Holes(), "FRE start, 4 bytes = 2^32-1")
	assert.Contains(t, table.Holes(), "start, 8 bytes = -2^63")
	assert.NotContains(t, table.Holes(), "start, 8 bytes = 0", "there is no code")
}
