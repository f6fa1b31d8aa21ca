package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestIndexNamesAllPages holds the documentation's index against the files.
func TestIndexNamesAllPages(t *testing.T) {
	t.Chdir("../..")
	index, err := os.ReadFile("docs/README.md")
	require.NoError(t, err)
	pages, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	for _, p := range pages {
		if name := filepath.Base(p); name != "README.md" {
			assert.Contains(t, string(index), "("+name+")")
		}
	}
	others, err := filepath.Glob("*.md")
	require.NoError(t, err)
	for _, p := range others {
		assert.Contains(t, string(index), "(../"+p+")")
	}
}
