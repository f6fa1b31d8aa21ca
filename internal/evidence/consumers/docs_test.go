package consumers_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
)

//go:generate go test . -run TestDocs -update

var update = flag.Bool("update", false, "write docs/consumers.md anew")

// The page is made from the profiles: it must be as they are.
func TestDocs(t *testing.T) {
	path := filepath.Join("../../..", "docs", "consumers.md")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(consumers.Markdown()), 0o644))
	}
	page, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, consumers.Markdown() == string(page), "docs/consumers.md is stale: run go generate ./...")
}
