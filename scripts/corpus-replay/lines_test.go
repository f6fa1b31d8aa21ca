package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
)

// TestLines runs a sample of the printed commands.
func TestLines(t *testing.T) {
	bin := toolchain.Bin(t)
	failed, n, err := replayLines("../..", filepath.Dir(bin), 12, 29)
	require.NoError(t, err)
	assert.Equal(t, 12, n)
	assert.Empty(t, failed)
}

// TestRows reads the rows of the page, and sees output of another kind or place.
func TestRows(t *testing.T) {
	page, err := os.ReadFile("../../docs/found-consumers.md")
	require.NoError(t, err)
	all := rows(page)
	assert.Greater(t, len(all), 100)
	assert.Equal(t, []row{{"crash", "k|m", "sframe-fuzz run x", true}, {"silent", "SF1012", "sframe-fuzz run y", false}},
		rows([]byte("| 1 | crash | `k\\|m`, at times elsewhere | b | `sframe-fuzz run x` |\n| 2 | silent | `SF1012` | b | `sframe-fuzz run y` |\n")))
	x := row{kind: "crash", key: "SIGSEGV at a.so f+0x1"}
	assert.True(t, shows([]byte("x.elf: p: crash: SIGSEGV at a.so f+0x1\n"), x))
	assert.False(t, shows([]byte("x.elf: p: crash: SIGSEGV at b.so f+0x1\n"), x))
	assert.False(t, shows([]byte("x.elf: p: accepts\n"), x))
}
