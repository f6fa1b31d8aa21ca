package lintcmd

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Every report has the cause before its consequence, and what to do.
func TestCausesFirst(t *testing.T) {
	const path = "../../../corpus/files/lld-23/concatenated-v3.elf"
	// what begins the place in a report where the findings are, "" for its start
	begin := map[string]string{"sarif": `"results":`, "html": "<article"}
	for _, f := range formats {
		if f.name == "patch" {
			continue // it has no findings
		}
		status, out, _ := runMain(nil, "--no-config", "--format", f.name, path)
		assert.Equal(t, 1, status, f.name)
		_, found, ok := strings.Cut(out, begin[f.name])
		assert.True(t, ok, f.name)
		cause, effect := strings.Index(found, "SF1019"), regexp.MustCompile(`SF5009`).FindStringIndex(found)
		assert.GreaterOrEqual(t, cause, 0, f.name)
		if assert.NotNil(t, effect, f.name) {
			assert.Less(t, cause, effect[0], f.name)
		}
		text := strings.Join(strings.Fields(strings.ReplaceAll(found, "\n    ", " ")), " ")
		assert.Contains(t, text, "the file has no room for what sframe-lint rewrite would add", f.name)
		assert.Contains(t, text, "which write the segment", f.name)
	}
}
