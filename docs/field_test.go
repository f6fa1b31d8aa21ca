package docs_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/corpus"
)

// TestField holds the rules and files of field.md against the corpus: the findings of a row's files
// include one of its rules, and none of a rule that the row says has no finding.
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
		found := false
		for _, f := range files {
			i := slices.IndexFunc(entries, func(e corpus.Entry) bool { return e.File == f[1] })
			require.GreaterOrEqual(t, i, 0, line)
			for _, id := range ids {
				found = found || slices.ContainsFunc(entries[i].Findings, func(x string) bool { return strings.Contains(x, id[1]) })
			}
		}
		tried++
		none := strings.Contains(line, "| no finding") && !strings.Contains(line, "SF3010") // of one of its two files
		require.Equal(t, !none, found, line)
	}
	require.Greater(t, tried, 15)
}
