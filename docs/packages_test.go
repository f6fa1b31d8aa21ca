package docs_test

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

// mostPublic is the maximum number of public packages.
const mostPublic = 12

// notAPI matches what programs cannot import or have no reason to.
var notAPI = regexp.MustCompile(`(^|/)internal/|^(conformance|corpus|docs|integrations|scripts)(/|$)`)

var listed = regexp.MustCompile("(?m)^- `([a-z/-]+)`")

// Each package that programs can import is in the list of docs/README.md and has an example.
func TestPublicPackages(t *testing.T) {
	page := must.Get(os.ReadFile("README.md"))(t)
	list := func(name string) (all []string) {
		_, rest, ok := strings.Cut(string(page), "<!-- list: "+name+" -->\n\n")
		require.True(t, ok, name)
		rest, _, _ = strings.Cut(rest, "\n\n")
		for _, m := range listed.FindAllStringSubmatch(rest, -1) {
			all = append(all, m[1])
		}
		return all
	}
	public := list("public")

	c := exec.Command("go", "list", "-f", `{{if ne .Name "main"}}{{.ImportPath}}{{end}}`, "./...")
	c.Dir = ".."
	out := must.Get(c.Output())(t)
	var there []string
	for _, path := range strings.Fields(string(out)) {
		path = strings.TrimPrefix(path, "github.com/sframe-lint/sframe-lint/")
		if !notAPI.MatchString(path) {
			there = append(there, path)
		}
	}
	assert.ElementsMatch(t, there, public)
	assert.LessOrEqual(t, len(public), mostPublic)
	for _, path := range public {
		assert.True(t, hasExample(t, filepath.Join("..", path)), "%s has no example", path)
	}
}

// hasExample reports whether the tests of a directory contain an example.
func hasExample(t *testing.T, dir string) bool {
	files := must.Get(filepath.Glob(filepath.Join(dir, "*_test.go")))(t)
	return slices.ContainsFunc(files, func(file string) bool {
		text := must.Get(os.ReadFile(file))(t)
		return strings.Contains(string(text), "\nfunc Example")
	})
}

// TestSnippets: each program of the pages compiles in a module of its own.
func TestSnippets(t *testing.T) {
	root := must.Get(filepath.Abs(".."))(t)
	module := must.Get(os.ReadFile("../go.mod"))(t)
	sums := must.Get(os.ReadFile("../go.sum"))(t)
	const own = "github.com/sframe-lint/sframe-lint"
	text := strings.Replace(string(module), "module "+own, "module example.com/snippets", 1)
	text += "\nrequire " + own + " v0.0.0\n\nreplace " + own + " => " + root + "\n"
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))
	pages := must.Get(filepath.Glob("*.md"))(t)
	n := 0
	for _, page := range append(pages, "../README.md") {
		text := must.Get(os.ReadFile(page))(t)
		for _, part := range strings.Split(string(text), "```go\n")[1:] {
			code, _, ok := strings.Cut(part, "```\n")
			require.True(t, ok, page)
			if !strings.HasPrefix(code, "package main\n") {
				continue
			}
			n++
			sub := filepath.Join(dir, strconv.Itoa(n))
			require.NoError(t, os.Mkdir(sub, 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(sub, "main.go"), []byte(code), 0o644))
		}
	}
	require.Equal(t, 2, n, "programs of the pages")
	vet := exec.Command("go", "vet", "-mod=mod", "./...")
	vet.Dir, vet.Env = dir, append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
	out, err := vet.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestLibrary: the table of the README names functions that exist.
func TestLibrary(t *testing.T) {
	page := must.Get(os.ReadFile("../README.md"))(t)
	_, rest, ok := strings.Cut(string(page), "## As a library\n")
	require.True(t, ok)
	table, _, ok := strings.Cut(rest, "\n## ")
	require.True(t, ok)
	names := regexp.MustCompile("`([a-z]+\\.[A-Z][A-Za-z.]*)`").FindAllStringSubmatch(table, -1)
	require.Greater(t, len(names), 10)
	for _, m := range names {
		assert.True(t, exists(t, m[1]), m[1])
	}
}

// exists reports whether a public package exports a name, as "lint.Linter.Run" or "Linter.Run" of package lint.
func exists(t *testing.T, name string) bool {
	pkg, symbol, _ := strings.Cut(name, ".")
	dir := map[string]string{"sarif": "reports/sarif", "breaks": "generator/breaks", "gen": "generator/gen"}[pkg]
	if dir == "" {
		dir = pkg
	}
	c := exec.Command("go", "doc", "./"+dir, symbol)
	c.Dir = ".."
	return c.Run() == nil
}

// ofRelease matches what works only if there is a release.
var ofRelease = regexp.MustCompile(`@latest|sframe-lint@v1|rev: v|VERSION: latest`)

// Until the first release, pages say so beside what requires one.
func TestFirstRelease(t *testing.T) {
	changes := must.Get(os.ReadFile("../CHANGELOG.md"))(t)
	if !strings.Contains(string(changes), "## 1.0.0 (unreleased)") {
		t.Skip("there is a release")
	}
	for _, page := range []string{"../README.md", "start-ci.md", "../integrations/gitlab.yml"} {
		text := must.Get(os.ReadFile(page))(t)
		lines, found := strings.Split(string(text), "\n"), 0
		for i, line := range lines {
			if !ofRelease.MatchString(line) {
				continue
			}
			found++
			near := strings.Join(lines[max(0, i-4):min(len(lines), i+8)], "\n")
			assert.Contains(t, near, "first release", "%s:%d: %s", page, i+1, line)
		}
		assert.NotZero(t, found, page)
	}
}

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
