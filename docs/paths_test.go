package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// quoted is a path in Markdown, as in `rules/catalogue` or `internal/tool/config/parse.go`.
var quoted = regexp.MustCompile("`([a-z]+/[A-Za-z0-9_./-]*)`")

// link is a link of Markdown to a file, without its part.
var link = regexp.MustCompile(`\]\(([^)#:\s]+)(#[^)\s]*)?\)`)

// Links of pages and of texts of rules lead to files that are there.
func TestLinksLeadToFiles(t *testing.T) {
	found := 0
	for _, pattern := range []string{"*.md", "*/*.md", "../*.md", "../corpus/*.md", "../scripts/*.md", "../internal/*/*/*.md", "../rules/internal/*/*.md"} {
		pages, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, page := range pages {
			text, err := os.ReadFile(page)
			require.NoError(t, err)
			for _, m := range link.FindAllStringSubmatch(string(text), -1) {
				if m[1] == "man" {
					continue // a release has it
				}
				found++
				_, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1])))
				assert.NoError(t, err, "%s links to %s", page, m[1])
			}
		}
	}
	assert.Greater(t, found, 1000)
}

// Paths below the folders of this repository that pages name are there.
func TestPathsExist(t *testing.T) {
	pages, err := filepath.Glob("*.md")
	require.NoError(t, err)
	found := 0
	for _, page := range append(pages, "../README.md", "../CONTRIBUTING.md", "../SECURITY.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			top, _, _ := strings.Cut(m[1], "/")
			if _, err := os.Stat(filepath.Join("..", top, "")); err != nil || strings.Contains(m[1], "...") {
				continue // a path of another project
			}
			found++
			_, err := os.Stat(filepath.Join("..", filepath.FromSlash(m[1])))
			assert.NoError(t, err, "%s names %s", page, m[1])
		}
	}
	assert.Greater(t, found, 50)
}
