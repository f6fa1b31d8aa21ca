package main

import (
	"fmt"
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

	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
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

// TestReports writes all reports, which the tools show, and holds their form: one screen that says in the title which version
// of which program is wrong, what was seen and expected as values, by which section of the manual, and in which versions.
func TestReports(t *testing.T) {
	tools, dir := filepath.Dir(toolchain.Bin(t)), t.TempDir()
	t.Chdir("../..")
	n, err := writeReports(dir, tools)
	require.NoError(t, err)
	require.Equal(t, 77, n)
	all, texts := files(t, dir), map[string]int{}
	for path, text := range all {
		assert.NotContains(t, text, tools, path)
		assert.NotContains(t, text, dir, path)
		assert.NotRegexp(t, `C-(ALL|V\d)-[A-Z]+-\d+`, text, path)
		assert.NotContains(t, path, "repair.patch")
		folder := filepath.Dir(path)
		switch filepath.Base(path) {
		case "bug.txt", "issue.md", "mail.eml":
			texts[filepath.Dir(folder)]++
			report, _, _ := strings.Cut(text, "\nInput:\n")
			assert.LessOrEqual(t, strings.Count(report, "\n"), 80, path)
			assert.Regexp(t, `(?m)^(Summary: |Subject: |# )\S.* (of )?[\da-f][\da-f.]+: `, report, path)
			assert.Len(t, values.FindAllString(report, -1), 2, path)
			assert.Contains(t, report, "\nVersions: ", path)
			if m := regexp.MustCompile(`By the section "(.*)" of`).FindStringSubmatch(report); m != nil {
				assert.True(t, slices.ContainsFunc(clauses.List(), func(c clauses.Clause) bool { return c.Chapter == clauses.Chapter(m[1]) }), "%s: %s", path, m[1])
			}
			assert.Contains(t, all, filepath.Join(folder, "reproduce.sh"))
		case "reproduce.sh":
			assert.Contains(t, text, "\nset -e\n", path)
			assert.Contains(t, text, "--version", path)
			args := slices.Repeat([]string{"/bin/true"}, strings.Count(text, "--version"))
			c := exec.Command("sh", append([]string{"reproduce.sh"}, args...)...)
			c.Dir = filepath.Join(dir, folder)
			assert.Error(t, c.Run(), "%s shows the fault of tools that do nothing", path)
		}
	}
	assert.Equal(t, map[string]int{
		"manual": 1, "binutils": 31, "GCC": 5, "glibc": 3, "LLVM": 16, "mold": 4, "OpenSSL": 4, "musl": 5, "libgcrypt": 2,
		"OCaml": 3, "OxCaml": 2, "java-profiler": 1,
	}, texts)
	for rank := 1; rank <= 10; rank++ {
		assert.Contains(t, all["index.md"], fmt.Sprintf("\n| %d | ", rank))
	}
	known, err := corpus.Load("corpus")
	require.NoError(t, err)
	reported, err := os.ReadFile("corpus/reports.yaml")
	require.NoError(t, err)
	for _, e := range known {
		if wrong.MatchString(e.File + " " + strings.Join(e.Findings, ",")) {
			assert.Contains(t, string(reported), strings.TrimSuffix(filepath.Base(e.File), ".o"), "no report on %s", e.File)
		}
	}
}

// values matches the two lines with values.
var values = regexp.MustCompile(`(?m)^(Seen|Expected):.*(\b(CFA|RA|FP|SP|FREs?|FDEs?|status|slot|augmentation|[rx]\d+|rbp)\b|\d)`)

// wrong matches files of the newest assemblers with FREs that contradict the CFI that they were made from.
var wrong = regexp.MustCompile(`^files/cfi/(gas-2.47|llvm-23)/.* .*SF60(07|08|09|11)`)
