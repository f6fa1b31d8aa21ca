package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWrongBacktraces: each of the twelve faults is found with at most three commands, all of this project and without
// a pipe to another tool, and they print the bytes and what to write or to use instead. TestSessions runs them.
func TestWrongBacktraces(t *testing.T) {
	page, err := os.ReadFile("wrong-backtraces.md")
	require.NoError(t, err)
	ours := regexp.MustCompile(`^sframe-lint [^|;&<>` + "`" + `$()]+$`)
	all := regexp.MustCompile(`(?m)^    \$ (.*)$`)
	for _, c := range all.FindAllStringSubmatch(string(page), -1) {
		assert.Regexp(t, ours, c[1])
	}
	_, faults, ok := strings.Cut(string(page), "\n## Twelve faults\n")
	require.True(t, ok)
	faults, _, _ = strings.Cut(faults, "\n## ")
	sessions := strings.Split(faults, "\n### ")[1:]
	require.Len(t, sessions, 12)
	abis, producers := map[string]bool{}, map[string]bool{}
	for _, s := range sessions {
		title, _, _ := strings.Cut(s, ":")
		producer, abi, _ := strings.Cut(title, ", ")
		abis[abi], producers[strings.TrimRight(producer, " .0123456789")] = true, true
		n := len(all.FindAllString(s, -1))
		assert.True(t, n >= 1 && n <= 3, "%s: %d commands", title, n)
		assert.Regexp(t, `\(bytes 0x[0-9a-f]+\+\d+ of \.sframe\)`, s, title)
		assert.Regexp(t, `help: (write \.cfi_|assemble|compile)`, s, title)
	}
	assert.Equal(t, map[string]bool{"AMD64": true, "AArch64": true, "s390x": true}, abis)
	assert.GreaterOrEqual(t, len(producers), 4)
}
