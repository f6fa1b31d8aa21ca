package lintcmd

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// TestManualPages makes the manual pages; each flag is described in the documentation.
func TestManualPages(t *testing.T) {
	outputtest.Man(t, (&app{stdout: io.Discard, stderr: io.Discard}).command(program.All), "../../../docs", map[string][]string{
		"sframe-lint":       {"usage.md", "configuration.md", "limits.md", "distribution.md"},
		"sframe-lint-trace": {"trace.md", "limits.md"},
	})
}

// TestFewFlags: a command repeats no flags of the main command that another one passes on, and limits are one flag.
func TestFewFlags(t *testing.T) {
	n := 1 // --limit of the main command
	var count func(c *cobra.Command)
	count = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			sub.LocalFlags().VisitAll(func(*pflag.Flag) { n++ })
			count(sub)
		}
	}
	count((&app{stdout: io.Discard, stderr: io.Discard}).command(program.All))
	assert.LessOrEqual(t, n, 113)
}

// Each flag of the main command is in a group, and no help has a stray quote or a default
// that is not one.
func TestHelp(t *testing.T) {
	root := (&app{stdout: io.Discard, stderr: io.Discard}).command(program.All)
	root.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "color" {
			assert.Contains(t, f.Annotations, "group", f.Name)
		}
	})
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		_, out, _ := runMain(nil, "help", c.Name())
		if c == root {
			_, out, _ = runMain(nil, "--help")
			assert.LessOrEqual(t, strings.Count(out, "\n"), 45)
			assert.NotContains(t, out, "--fail-on")
			_, out, _ = runMain(nil, "help", "flags")
			assert.NotContains(t, out, "max-work")
			assert.Contains(t, out, "\nGate:\n      --fail-on LEVEL")
		}
		assert.NotContains(t, out, "`", c.Name())
		assert.NotContains(t, out, "default 0x0", c.Name())
	}
}

// A command line gets the commands that it names, under the names that they have.
func TestCommandTree(t *testing.T) {
	for _, x := range sections() {
		for _, c := range x.commands {
			made := new(app).command(func(name string) bool { return name == c.name })
			found, rest, err := made.Find([]string{c.name})
			assert.NoError(t, err)
			assert.Empty(t, rest, c.name)
			assert.Equal(t, c.name, found.Name())
			assert.Empty(t, found.Aliases)
		}
	}
	for _, test := range []struct {
		args   []string
		stderr string
	}{
		{[]string{"--functions"}, "unknown flag --functions; 'sframe-lint stat' has it"},
		{[]string{"dmup"}, `no file or command "dmup"; did you mean the command "dump"?`},
		{[]string{"--color", "never", "stat", "--nothing"}, "Try 'sframe-lint stat --help'"},
	} {
		_, _, stderr := runMain(nil, test.args...)
		assert.Contains(t, stderr, test.stderr)
	}
	for _, args := range [][]string{{"help"}, {"--help"}, {"-qh"}, {"__complete", ""}} {
		_, out, stderr := runMain(nil, args...)
		assert.Contains(t, out, "dump", "%s: %s", args, stderr)
	}
}
