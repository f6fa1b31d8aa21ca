package docs_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
)

// TestField holds the rules and files of field.md against the corpus: the findings of a row's files
// include all of its rules, one if it says "and the like", and none of a rule that the row says has no finding.
func TestField(t *testing.T) {
	page, err := os.ReadFile("field.md")
	require.NoError(t, err)
	entries, err := corpus.Load("../corpus")
	require.NoError(t, err)
	rule, file := regexp.MustCompile(`\[(SF\d{4})\]`), regexp.MustCompile(`\(\.\./corpus/(files/[^)]*)\)`)
	tried := 0
	for line := range strings.Lines(string(page)) {
		ids, files := rule.FindAllStringSubmatch(line, -1), file.FindAllStringSubmatch(line, -1)
		if len(ids) == 0 || len(files) == 0 || strings.Contains(line, "`--") {
			continue // nothing to hold, or a flag of the run decides
		}
		found := map[string]bool{}
		for _, f := range files {
			i := slices.IndexFunc(entries, func(e corpus.Entry) bool { return e.File == f[1] })
			require.GreaterOrEqual(t, i, 0, line)
			for _, id := range ids {
				if slices.ContainsFunc(entries[i].Findings, func(x string) bool { return strings.Contains(x, id[1]) }) {
					found[id[1]] = true
				}
			}
		}
		tried++
		none := strings.Contains(line, "| no finding") && !strings.Contains(line, "SF3010") // of one of its two files
		switch {
		case none:
			require.Empty(t, found, line)
		case strings.Contains(line, "and the like"):
			require.NotEmpty(t, found, line)
		default:
			require.Len(t, found, len(ids), line)
		}
	}
	require.Greater(t, tried, 15)
}

// TestRewriters: a program that keeps section, segment and addresses draws no word: the output has no
// finding that its input does not have.
func TestRewriters(t *testing.T) {
	entries, err := corpus.Load("../corpus")
	require.NoError(t, err)
	ids := func(file string) (all []string) {
		i := slices.IndexFunc(entries, func(e corpus.Entry) bool { return e.File == "files/"+file })
		require.GreaterOrEqual(t, i, 0, file)
		for _, x := range entries[i].Findings {
			all = append(all, x[:len("SF0000")])
		}
		return all
	}
	page, err := os.ReadFile("field.md")
	require.NoError(t, err)
	tried := 0
	for line := range strings.Lines(string(page)) {
		for _, m := range regexp.MustCompile(`\.\./corpus/files/(rewritten/[^)]*)\)`).FindAllStringSubmatch(line, -1) {
			if !strings.Contains(line, "| no finding") {
				continue
			}
			tried++
			input := "binutils-2.47/amd64/pie.elf"
			if strings.Contains(m[1], "dwz") {
				input = "lines/linked.elf"
			}
			require.Subset(t, ids(input), ids(m[1]), m[1])
		}
	}
	require.Greater(t, tried, 14)
}
