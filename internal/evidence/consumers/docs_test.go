package consumers_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/rules"
)

//go:generate go test . -run TestDocs -update

var update = flag.Bool("update", false, "write docs/consumers.md anew")

// markdown returns the page with links to the texts of rules.
func markdown() string {
	return regexp.MustCompile(`\[SF\d{4}\]`).ReplaceAllStringFunc(consumers.Markdown(), func(id string) string {
		return id + "(../" + rules.TextPath(strings.Trim(id, "[]")) + ")"
	})
}

// The page is made from the profiles: it must be as they are.
func TestDocs(t *testing.T) {
	path := filepath.Join("../../..", "docs", "consumers.md")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(markdown()), 0o644))
	}
	page, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, markdown() == string(page), "docs/consumers.md is stale: run go generate ./...")
}
