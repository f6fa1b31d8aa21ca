package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWords: what a user has to read stays short.
func TestWords(t *testing.T) {
	const most = 60_000
	words := 0
	for _, pattern := range []string{"start-*.md", "usage.md", "configuration.md", "../rules/internal/*/SF*.md", "limits.md", "security.md"} {
		pages := must.Get(filepath.Glob(pattern))(t)
		require.NotEmpty(t, pages, pattern)
		for _, page := range pages {
			text := must.Get(os.ReadFile(page))(t)
			words += len(strings.Fields(string(text)))
		}
	}
	assert.LessOrEqual(t, words, most)
}
