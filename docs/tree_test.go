package docs_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// litter matches the names of what fuzzers, profilers, merges and crashes leave behind.
var litter = regexp.MustCompile(`^((crash|leak|timeout|oom|slow-unit)-[0-9a-f]{8,}|core\.\d+|vgcore\.\d+|callgrind\.out\..*|.*\.(prof|orig|rej|swp|log)|.*~)$`)

// atRoot are the entries of the root directory besides those of .gitignore.
var atRoot = []string{
	".ci", ".clusterfuzzlite", ".git", ".gitignore", ".goreleaser.yaml", ".pre-commit-hooks.yaml", "CHANGELOG.md", "CONTRIBUTING.md",
	"Containerfile", "LICENSE", "README.md", "SECURITY.md", "action.yml", "asm", "budget", "cmd", "compare", "conformance", "consumers", "corpus",
	"coverage", "docs", "dump", "ehframe", "fuzz", "generator", "go.mod", "go.sum", "insn", "integrations", "internal", "lint", "model", "oss-fuzz",
	"reader", "reports", "rewrite", "rules", "scripts", "track", "unwind",
	"sframe-lint", "sframe-fuzz", ".release", "dist", "site",
}

// TestNoLitter refuses files that nobody meant to keep: a new entry of the root directory is listed
// on purpose.
func TestNoLitter(t *testing.T) {
	const root = ".."
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		assert.False(t, litter.MatchString(d.Name()), "%s is litter", rel)
		if rel != "." && filepath.Dir(rel) == "." {
			assert.True(t, slices.Contains(atRoot, rel), "%s: the root directory has no such entry", rel)
		}
		if d.IsDir() && slices.Contains([]string{".git", ".release", "dist", "site"}, rel) {
			return fs.SkipDir
		}
		return nil
	}))
}
