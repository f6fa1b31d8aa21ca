package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGenerateRunsAll checks that go generate runs whatever writes files of the
// repository: each package with tests that have an -update flag has a directive
// that sets it.
func TestGenerateRunsAll(t *testing.T) {
	const flag, directive = `flag.Bool("update"`, "\n//go:generate go test . -run "
	updates, generates := map[string]bool{}, map[string]bool{}
	require.NoError(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") || filepath.Base(path) == "generate_test.go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(string(text), flag) {
			updates[filepath.Dir(path)] = true
		}
		if strings.Contains(string(text), directive) {
			generates[filepath.Dir(path)] = true
		}
		return nil
	}))
	assert.NotEmpty(t, updates)
	assert.Equal(t, updates, generates)
}
