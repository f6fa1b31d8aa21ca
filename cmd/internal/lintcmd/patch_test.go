package lintcmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPatch: the patch of an object has the lines of its source, and what it cannot have is named.
func TestPatch(t *testing.T) {
	flags := []string{"--quiet", "--path-map", "/build=.", "--format", "patch", corpus + "lines/assembly.o"}
	status, out, errs := runMain(nil, append([]string{"--source-root", filepath.Join(corpus, "..")}, flags...)...)
	assert.Equal(t, 1, status, errs)
	assert.True(t, strings.HasPrefix(out, "--- a/src/lines/frame.s\n+++ b/src/lines/frame.s\n@@ -6,8 +6,8 @@\n"), out)
	assert.Contains(t, out, "\n-\t.cfi_def_cfa_offset 24\n")
	assert.NotContains(t, out, "-\t.cfi_def_cfa_register") // follows from the repaired offset
	assert.Contains(t, out, "\n \tpush\t%rbx\n+\t.cfi_def_cfa_offset 16\n \tcall\tframe\n")

	_, out, _ = runMain(nil, append([]string{"--source-root", t.TempDir()}, flags...)...)
	assert.Equal(t, "# src/lines/frame.s: the source is not below --source-root: left out\n", out)
	_, out, _ = runMain(nil, "--quiet", "--format", "patch", corpus+"wrong-cfi/adjust-sign.o")
	assert.Equal(t, "# left out: 1 finding without a line in an assembly source (-g adds lines)\n", out)
	status, _, errs = runMain(nil, "--verify-patch", "cc", corpus+"lines/assembly.o")
	assert.Equal(t, 2, status)
	assert.Contains(t, errs, "--verify-patch needs --format patch")
}

// TestVerifyPatch: what the assembler or the linter refuses is left out.
func TestVerifyPatch(t *testing.T) {
	dir := t.TempDir()
	// The script writes an object in which nothing has changed, whatever it is to assemble.
	object, err := filepath.Abs(corpus + "lines/assembly.o")
	require.NoError(t, err)
	for name, x := range map[string]struct{ script, want string }{
		"stays":  {"cp '" + object + "' \"$5\"", "function frame: SF3114 stays: left out"},
		"refuse": {"echo 'a.s:1: no such instruction'; exit 1", "the source cannot be assembled: a.s:1: no such instruction: left out"},
	} {
		cc := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(cc, []byte("#!/bin/sh\n"+x.script+"\n"), 0o777))
		_, out, _ := runMain(nil, "--quiet", "--path-map", "/build=.", "--source-root", filepath.Join(corpus, ".."),
			"--format", "patch", "--verify-patch", cc, corpus+"lines/assembly.o")
		assert.Contains(t, out, x.want)
		assert.NotContains(t, out, "+++")
	}
}
