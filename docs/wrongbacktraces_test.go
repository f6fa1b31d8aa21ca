package docs_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestThreeCommands counts what docs/wrong-backtraces.md promises: twelve faults of at least four producers on
// three ABIs, each with at most three commands of sframe-lint and nothing else from the backtrace to the wrong bytes
// and to what mends them. [TestSessions] runs the commands.
func TestThreeCommands(t *testing.T) {
	page, err := os.ReadFile("wrong-backtraces.md")
	require.NoError(t, err)
	intro, faults, ok := strings.Cut(string(page), "\n## Twelve faults\n")
	require.True(t, ok)
	faults, rule, ok := strings.Cut(faults, "\n## ")
	require.True(t, ok)
	around := commands(t, intro) + commands(t, rule)
	producers, abis, n := map[string]bool{}, map[string]bool{}, 0
	for _, fault := range strings.Split(faults, "\n### ")[1:] {
		title, _, _ := strings.Cut(fault, "\n")
		who, what, ok := strings.Cut(title, ": ")
		require.True(t, ok && what != "", title)
		at := strings.LastIndex(who, ", ")
		require.Positive(t, at, title)
		name, abi := who[:at], who[at+2:]
		producers[strings.TrimRight(name, " .0123456789")], abis[abi] = true, true
		n++
		own := commands(t, fault)
		assert.Positive(t, own, title)
		assert.LessOrEqual(t, own+around, 3, title)
		for _, part := range []string{"\n    >", "^ error [SF", "(bytes 0x", "\n              help: ", abi} {
			assert.Contains(t, fault, part, title)
		}
	}
	assert.Equal(t, 12, n)
	assert.GreaterOrEqual(t, len(producers), 4, producers)
	assert.Len(t, abis, 3)
}

// commands counts the commands of a text, all of which are sframe-lint alone.
func commands(t *testing.T, text string) (n int) {
	for line := range strings.Lines(text) {
		if command, ok := strings.CutPrefix(line, "    $ "); ok {
			n++
			assert.Regexp(t, `^sframe-lint [^|;&<>]*$`, strings.TrimSpace(command))
		}
	}
	return n
}
