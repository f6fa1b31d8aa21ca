package docs_test

import (
	"os"
	"path"
	"regexp"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/stretchr/testify/assert"
)

var scriptRow = regexp.MustCompile(`(?m)^\| \[([^]]+)\]\(([^)]+)\) \| .+ \|$`)

// Every program for developers has one line in scripts/README.md, and every line a program.
func TestScriptsHaveALine(t *testing.T) {
	entries := must.Get(os.ReadDir("../scripts"))(t)
	var there, listed []string
	for _, e := range entries {
		if e.IsDir() || path.Ext(e.Name()) == "" {
			there = append(there, e.Name())
		}
	}
	page := must.Get(os.ReadFile("../scripts/README.md"))(t)
	for _, m := range scriptRow.FindAllStringSubmatch(string(page), -1) {
		assert.Equal(t, m[1], m[2])
		listed = append(listed, m[1])
	}
	assert.Equal(t, there, listed)
}
