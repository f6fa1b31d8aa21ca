package lintcmd

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// kinds are the kinds of values that a flag of the contract has, in each command that has the flag.
var kinds = map[string]string{
	"format": "FORMAT[=FILE]", "output": "FILE", "section": "NAME", "section-out": "FILE", "to": "VERSION", "func": "GLOB",
	"exclude": "GLOB", "jobs": "N", "thin-root": "DIR", "in-place": "",
}

// TestContract holds the table of commands against the contract in docs/usage.md.
func TestContract(t *testing.T) {
	page, err := os.ReadFile("../../../docs/usage.md")
	require.NoError(t, err)
	for flag := range kinds {
		assert.Contains(t, string(page), "`--"+flag, "the contract does not have it")
	}
	root := (&app{stdout: io.Discard, stderr: io.Discard}).command(program.All)
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, x := range c.Commands() {
			visit(x)
		}
		for flag, want := range kinds {
			if f := c.Flags().Lookup(flag); f != nil {
				assert.Contains(t, f.Usage, quoted(want), "%s --%s", c.CommandPath(), flag)
			}
		}
		if strings.Contains(c.Use, "PATH") {
			for _, flag := range []string{"exclude", "jobs", "thin-root", "format"} {
				assert.NotNil(t, c.Flags().Lookup(flag), "%s --%s", c.CommandPath(), flag)
			}
		}
		if f := c.Flags().Lookup("format"); f != nil {
			for _, format := range []string{"text", "json", "markdown"} {
				assert.Contains(t, f.Usage, format, c.CommandPath())
			}
		}
		if f := c.Flags().ShorthandLookup("o"); f != nil {
			assert.Equal(t, "output", f.Name, c.CommandPath())
		}
		for _, gone := range []string{"inputs", "manifest", "judge", "out"} {
			assert.Nil(t, c.Flags().Lookup(gone), "%s --%s", c.CommandPath(), gone)
		}
	}
	visit(root)
}

// quoted is how the text of a flag marks the kind of its value.
func quoted(kind string) string {
	if kind == "" {
		return ""
	}
	return "`" + kind + "`"
}

// A file that is no input is status 3 in each command that takes paths.
func TestNoInput(t *testing.T) {
	text, empty := t.TempDir()+"/notes", t.TempDir()
	require.NoError(t, os.WriteFile(text, []byte("notes\n"), 0o666))
	for _, command := range [][]string{{"stat"}, {"coverage"}, {"consumers"}, {"expect"}, {"rewrite", "--dry-run"}} {
		for _, path := range []string{text, empty, text + ".none"} {
			status, _, errs := runMain(nil, append(command, path)...)
			assert.Equal(t, program.ExitFailed, status, "%s %s: %s", command, path, errs)
			assert.NotEmpty(t, errs, "%s %s", command, path)
		}
	}
}
