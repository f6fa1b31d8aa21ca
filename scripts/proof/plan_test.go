package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPlan: the plan can be read, its runs have names of their own, and its causes match.
func TestPlan(t *testing.T) {
	p, err := readPlan([]program{{name: "amd64-lua-O2-lua", path: "/lua"}})
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, r := range p.Runs {
		assert.False(t, seen[r.name()], r.name())
		seen[r.name()] = true
		assert.NotEmpty(t, r.Exe, r.name())
		assert.Positive(t, r.Steps, r.name())
		if r.Stdin != "" {
			_, err := os.Stat(r.Stdin)
			assert.NoError(t, err, r.name())
		}
	}
	assert.Contains(t, seen, "lua-api")
	assert.Contains(t, seen, "amd64-lua-O2-lua-calls")
	for _, c := range p.Causes {
		assert.NotEmpty(t, c.Why)
		for _, x := range []string{c.Rule, c.Function} {
			_, err := regexp.Compile(x)
			assert.NoError(t, err)
		}
	}
}
