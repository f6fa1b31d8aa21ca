package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

// extensions are the lists of docs/extending.md: the files that match a pattern.
var extensions = map[string]struct {
	pattern *regexp.Regexp
	most    int // files; 0: any number
}{
	"version":  {regexp.MustCompile(`\bSFRAME_VERSION_3\b`), 20},
	"abi":      {regexp.MustCompile(`\b(SFRAME_ABI_S390X_[A-Z_]+|EM_S390|elf\.R_390_\w+|S390x|s390xFrame)\b|"amd64", "s390x"|S390X_ENDIAN_BIG`), 13},
	"format":   {regexp.MustCompile(`"github"|\bNewGitHub\b`), 0},
	"consumer": {regexp.MustCompile(`"llvm-23"`), 0},
}

// TestExtendingNamesTheFiles holds the lists of docs/extending.md against the
// code. With -update it writes them.
func TestExtendingNamesTheFiles(t *testing.T) {
	t.Chdir("../..")
	const path = "docs/extending.md"
	page, err := os.ReadFile(path)
	require.NoError(t, err)
	want := string(page)
	for name, x := range extensions {
		var list strings.Builder
		files := filesWith(t, x.pattern)
		for _, f := range files {
			list.WriteString("- `" + f + "`\n")
		}
		if x.most > 0 {
			assert.LessOrEqual(t, len(files), x.most, "the fact %q stands in too many files:\n%s", name, list.String())
		}
		mark := "<!-- list: " + name + " -->\n"
		at := strings.Index(want, mark)
		require.GreaterOrEqual(t, at, 0, name)
		at += len(mark)
		end := len(want)
		if next := strings.Index(want[at:], "\n## "); next >= 0 {
			end = at + next
		}
		want = want[:at] + "\n" + list.String() + want[end:]
	}
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o666))
		return
	}
	assert.Equal(t, want, string(page), "%s is stale: %s", path, howTo)
}

// TestKaitaiDriverKnowsTheABIs: the driver of the conformance suite in JavaScript has each ABI of the table.
func TestKaitaiDriverKnowsTheABIs(t *testing.T) {
	text, err := os.ReadFile("../../conformance/drivers/kaitai.js")
	require.NoError(t, err)
	for _, a := range model.ABIs() {
		assert.Contains(t, string(text), "name: '"+a.Short()+"'")
	}
}

// filesWith returns the Go files of the project and the files that are part of its programs,
// tests, scripts and pages left out, whose text matches.
func filesWith(t *testing.T, pattern *regexp.Regexp) []string {
	out, err := exec.Command("go", "list", "-f", `{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{range .EmbedFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`, "./...").Output()
	require.NoError(t, err)
	root, err := os.Getwd()
	require.NoError(t, err)
	var files []string
	for _, f := range strings.Fields(string(out)) {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		if rel, err := filepath.Rel(root, f); assert.NoError(t, err) && !strings.HasPrefix(rel, "scripts") && !strings.HasPrefix(rel, "docs") && !strings.HasPrefix(rel, "internal/testkit") && pattern.Match(text) {
			files = append(files, filepath.ToSlash(rel))
		}
	}
	slices.Sort(files)
	return files
}
