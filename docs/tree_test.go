package docs_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

// litter matches the names of what fuzzers, profilers, merges and crashes leave behind.
var litter = regexp.MustCompile(`^((crash|leak|timeout|oom|slow-unit)-[0-9a-f]{8,}|core\.\d+|vgcore\.\d+|callgrind\.out\..*|.*\.(prof|orig|rej|swp|log)|.*~)$`)

// atRoot are the entries of the root directory besides those of .gitignore.
var atRoot = []string{
	".ci", ".clusterfuzzlite", ".git", ".gitignore", ".goreleaser.yaml", ".pre-commit-hooks.yaml", "CHANGELOG.md", "CONTRIBUTING.md",
	"Containerfile", "LICENSE", "README.md", "SECURITY.md", "action.yml", "cmd", "conformance", "corpus", "docs", "fuzz", "generator",
	"go.mod", "go.sum", "integrations", "internal", "lint", "model", "reader", "reports", "rules", "scripts", "unwind",
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

// TestSize bounds what a reader of the tree has to find a way through: folders at the top, files, modules and lines of Go.
func TestSize(t *testing.T) {
	lines := func(name string, args ...string) []string {
		c := exec.Command(name, args...)
		c.Dir = ".."
		out, err := c.Output()
		if err != nil {
			t.Skip("not a checkout of git, or without the list of modules: ", err)
		}
		return strings.Fields(string(out))
	}
	folders, root, scripts, others := map[string]bool{}, 0, 0, 0
	files := lines("git", "ls-files")
	for _, file := range files {
		top, _, ok := strings.Cut(file, "/")
		if ok && !strings.HasPrefix(top, ".") {
			folders[top] = true
		}
		if top == "scripts" && !strings.HasSuffix(file, ".go") {
			text := must.Get(os.ReadFile(filepath.Join("..", file)))(t)
			others += bytes.Count(text, []byte("\n"))
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "internal/testkit/") {
			continue
		}
		text := must.Get(os.ReadFile(filepath.Join("..", file)))(t)
		switch n := bytes.Count(text, []byte("\n")); top {
		case "scripts":
			scripts += n
		case "integrations":
		default:
			root += n
		}
	}
	assert.LessOrEqual(t, len(folders), 16, "folders at the top")
	assert.LessOrEqual(t, len(files), 2_650, "tracked files: pack small ones of a kind, as corpus/consumers/files.txt")
	assert.LessOrEqual(t, root, 109_800, "lines of Go without tests, scripts and integrations")
	assert.LessOrEqual(t, scripts, 7_500, "lines of Go in scripts without tests")
	assert.LessOrEqual(t, others, 3_500, "other lines in scripts")
	assert.LessOrEqual(t, len(lines("go", "list", "-m", "-f", "{{.Path}}", "all")), 45, "modules in the graph")
}

// TestTypeWords bounds how many types of one word there are: more of them give it another meaning.
func TestTypeWords(t *testing.T) {
	most := map[string]int{"kind": 8, "options": 8, "file": 8, "row": 16, "verdict": 2, "place": 0}
	types := regexp.MustCompile(`(?m)^type \w*?((?:\b[kofrvp]|[KOFRVP])(?:ind|ptions|ile|ow|erdict|lace))\b`)
	found := map[string][]string{}
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testkit") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range types.FindAllSubmatch(text, -1) {
			word := strings.ToLower(string(m[1]))
			found[word] = append(found[word], path+": "+string(m[0]))
		}
		return err
	}))
	for word, n := range most {
		assert.LessOrEqual(t, len(found[word]), n, "types of %q: CONTRIBUTING.md has its meaning\n%s", word, strings.Join(found[word], "\n"))
	}
}

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
