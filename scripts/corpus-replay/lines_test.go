package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
)

// TestLines runs a sample of the commands.
func TestLines(t *testing.T) {
	bin := toolchain.Bin(t)
	failed, n, err := replayLines("../..", filepath.Dir(bin), 12, 29)
	require.NoError(t, err)
	assert.Equal(t, 12, n)
	assert.Empty(t, failed)
}

// TestRows makes the commands of finds, and sees output of another kind or place.
func TestRows(t *testing.T) {
	all := rows(&corpus.Consumers{
		Targets: []corpus.ConsumerTarget{{Name: "a-1", Command: "a @@"}, {Name: "b-2", Command: "b @@"}, {Name: "c", Command: "c=tree"}},
		Finds: []corpus.ConsumerFind{
			{Kind: "crash", Key: "k|m", Target: "a-1", File: "x.elf"}, {Kind: "disagree", Key: "l", Target: "a-1", With: "b-2", File: "y.elf"},
			{Kind: "silent", Key: "SF1012", Target: "c", File: "z.sframe"}, {Kind: "quadratic", Target: "a-1", File: "q.json"},
		},
	}, corpus.Replays{"x.elf": {Varies: []string{"a-1"}}})
	assert.Equal(t, []find{
		{"crash", "k|m", "sframe-fuzz run --target 'a @@' consumers/x.elf", true},
		{"disagree", "l", "sframe-fuzz run --target 'a-1=a @@' --target 'b-2=b @@' consumers/y.elf", false},
		{"silent", "SF1012", "sframe-fuzz run --library c=tree consumers/z.sframe", false},
	}, all)
	x := find{kind: "crash", key: "SIGSEGV at a.so f+0x1"}
	assert.True(t, shows([]byte("x.elf: p: crash: SIGSEGV at a.so f+0x1\n"), x))
	assert.False(t, shows([]byte("x.elf: p: crash: SIGSEGV at b.so f+0x1\n"), x))
	assert.False(t, shows([]byte("x.elf: p: accepts\n"), x))
}
