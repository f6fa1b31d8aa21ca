package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/cmd/lintcmd"
)

//go:generate go test . -run ^(TestUsage|TestScripts)$ -update

// TestUsage runs the commands in docs/usage.md, in the directory with the
// files of the corpus, and compares what they write with what stands there.
// Files below /tmp are those of a directory of the test.
func TestUsage(t *testing.T) {
	const path = "../../docs/usage.md"
	doc, err := os.ReadFile(path)
	require.NoError(t, err)
	abs, err := filepath.Abs(path)
	require.NoError(t, err)
	tmp := t.TempDir()
	t.Chdir("../../corpus/files")

	var out strings.Builder
	ran := 0
	lines := strings.SplitAfter(string(doc), "\n")
	for i := 0; i < len(lines); i++ {
		out.WriteString(lines[i])
		command, ok := strings.CutPrefix(lines[i], "    $ sframe-lint ")
		if !ok {
			continue
		}
		ran++
		var b bytes.Buffer
		args := strings.Fields(command)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "/tmp", tmp)
		}
		lintcmd.Main(args, nil, &b, &b)
		for line := range strings.Lines(strings.ReplaceAll(b.String(), tmp, "/tmp")) {
			out.WriteString("    " + line)
		}
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "    ") && !strings.HasPrefix(lines[i+1], "    $ ") {
			i++ // what stood there
		}
	}
	assert.Greater(t, ran, 5)
	if *update {
		require.NoError(t, os.WriteFile(abs, []byte(out.String()), 0o666))
		return
	}
	assert.Equal(t, string(doc), out.String(), "docs/usage.md is stale: run go generate ./...")
}
