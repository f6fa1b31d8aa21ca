package lintcmd

import (
	"flag"
	"io"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/cmd/internal/scripttest"
)

//go:generate go test . -run TestManualPages -update

var update = flag.Bool("update", false, "write the manual pages anew")

// TestManualPages keeps the pages in docs/man up to date with the commands.
func TestManualPages(t *testing.T) {
	scripttest.Man(t, (&app{stdout: io.Discard, stderr: io.Discard}).command(), "../../docs/man", *update)
}

// Each flag of the main command is in a group, and no help has a stray quote or a default
// that is not one.
func TestHelp(t *testing.T) {
	root := (&app{stdout: io.Discard, stderr: io.Discard}).command()
	root.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "color" {
			assert.Contains(t, f.Annotations, "group", f.Name)
		}
	})
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		_, out, _ := runMain(nil, "help", c.Name())
		if c == root {
			_, out, _ = runMain(nil, "--help")
			assert.NotContains(t, out, "--max-work")
			assert.Contains(t, out, "\nGate:\n      --fail-on LEVEL")
		}
		assert.NotContains(t, out, "`", c.Name())
		assert.NotContains(t, out, "default 0x0", c.Name())
	}
}
