package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
)

// files reads the files below a directory, by their paths in it.
func files(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		rel, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		all[rel] = string(b)
		return nil
	}))
	return all
}

// TestFuzz writes the files for OSS-Fuzz with the licence that its presubmit looks for, and with the sections of
// project.yaml that it requires but the address of a person.
func TestFuzz(t *testing.T) {
	dir := t.TempDir()
	t.Chdir("../..")
	require.NoError(t, ossFuzz(dir))
	all := files(t, dir)
	require.Len(t, all, 7)
	for path, text := range all {
		assert.Contains(t, text, "http://www.apache.org/licenses/LICENSE-2.0", path)
		if filepath.Base(path) == "project.yaml" {
			assert.Regexp(t, `(?m)^# primary_contact:`, text)
		}
	}
}

var found = regexp.MustCompile(`(?m)^    the CFA is \w+\+(\d+) from .*, but (\w+\+\d+) by the CFI`)

// TestReports writes all reports. The tools show each fault, and print both CFAs that a report has.
func TestReports(t *testing.T) {
	tools, dir := filepath.Dir(toolchain.Bin(t)), t.TempDir()
	t.Chdir("../..")
	n, err := writeReports(dir, tools)
	require.NoError(t, err)
	require.Equal(t, 76, n)
	all, texts, said := files(t, dir), map[string]int{}, 0
	for path, text := range all {
		assert.NotContains(t, text, tools, path)
		assert.NotContains(t, text, dir, path)
		switch folder := filepath.Dir(path); filepath.Base(path) {
		case "bug.txt", "issue.md", "mail.eml":
			texts[filepath.Dir(folder)]++
			assert.Contains(t, text, ": yes\n", path)
			assert.Contains(t, all, filepath.Join(folder, "reproduce.sh"))
			if m := found.FindStringSubmatch(text); m != nil {
				said++
				assert.Regexp(t, `[sf]p\+`+m[1]+`|CFA Offset: `+m[1], text, path) // of .sframe
				assert.Contains(t, text, " "+m[2]+" ", path)                      // of .eh_frame
			}
		}
	}
	assert.Greater(t, said, 5)
	assert.Equal(t, map[string]int{
		"manual": 1, "binutils": 30, "GCC": 5, "glibc": 3, "LLVM": 16, "mold": 4, "OpenSSL": 4, "musl": 5, "libgcrypt": 2,
		"OCaml": 3, "OxCaml": 2, "java-profiler": 1,
	}, texts)
}
