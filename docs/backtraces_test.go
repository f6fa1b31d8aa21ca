package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWrongBacktraces checks what docs/wrong-backtraces.md promises: twelve faults of at least four producers on three
// ABIs. For each fault, at most two commands show the wrong bytes and the fix. All commands are this project's, without
// a pipe to another tool. TestSessions runs them.
func TestWrongBacktraces(t *testing.T) {
	page, err := os.ReadFile("wrong-backtraces.md")
	require.NoError(t, err)
	ours := regexp.MustCompile(`^sframe-lint [^|;&<>` + "`" + `$()]+$`)
	all := regexp.MustCompile(`(?m)^    \$ (.*)$`)
	for _, c := range all.FindAllStringSubmatch(string(page), -1) {
		assert.Regexp(t, ours, c[1])
	}
	intro, faults, ok := strings.Cut(string(page), "\n## Twelve faults\n")
	require.True(t, ok)
	faults, rule, ok := strings.Cut(faults, "\n## ")
	require.True(t, ok)
	around := len(all.FindAllString(intro+rule, -1)) // commands for any of the faults
	sessions := strings.Split(faults, "\n### ")[1:]
	require.Len(t, sessions, 12)
	abis, producers := map[string]bool{}, map[string]bool{}
	finding := regexp.MustCompile(`\^ (\w+) \[(SF\d+)\]`)
	for i, s := range sessions {
		line, _, _ := strings.Cut(s, "\n")
		title, what, _ := strings.Cut(line, ": ")
		assert.NotEmpty(t, what, title)
		producer, abi, _ := strings.Cut(title, ", ")
		abis[abi], producers[strings.TrimRight(producer, " .0123456789")] = true, true
		own := len(all.FindAllString(s, -1))
		assert.True(t, own >= 1 && own+around <= 2, "%s: %d commands, %d for all", title, own, around)
		assert.Regexp(t, `\(bytes 0x[0-9a-f]+\+\d+ of \.sframe\)`, s, title)
		assert.Regexp(t, `help: (write \.cfi_|assemble|compile)`, s, title)
		var found []string
		for _, m := range finding.FindAllStringSubmatch(s, -1) {
			found = append(found, m[2]+" "+m[1])
		}
		assert.Equal(t, backtraceFindings[i], found, title)
		for _, part := range []string{"\n    >", "\n              help: ", abi} {
			assert.Contains(t, s, part, title)
		}
	}
	assert.Equal(t, map[string]bool{"AMD64": true, "AArch64": true, "s390x": true}, abis)
	assert.GreaterOrEqual(t, len(producers), 4)
}

// backtraceFindings are the findings of each session. A known quirk of a linker is a note.
var backtraceFindings = [][]string{
	{"SF5003 note", "SF3114 error", "SF6007 error"},
	{"SF6007 error", "SF3105 warning"},
	{"SF6007 error", "SF3105 warning"},
	{"SF5010 note", "SF6018 note"},
	{"SF6007 error"},
	{"SF6009 error", "SF3103 warning"},
	{"SF3114 error"},
	{"SF3114 error"},
	{"SF3114 error"},
	{"SF3114 error"},
	{"SF3114 error", "SF3105 warning"},
	{"SF3114 error"},
}
