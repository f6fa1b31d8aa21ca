package fuzzcmd

import (
	"io"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
)

// TestManualPages makes the manual pages; each flag is described in the documentation.
func TestManualPages(t *testing.T) {
	outputtest.Man(t, (&app{stdout: io.Discard, stderr: io.Discard}).command(), "../../../docs", map[string][]string{
		"sframe-fuzz":             {"fuzzing.md", "knobs.md", "limits.md"},
		"sframe-fuzz-conformance": {"conformance.md"},
	})
}

// TestFewFlags: what several commands share are settings of one flag.
func TestFewFlags(t *testing.T) {
	n := 0
	var count func(c *cobra.Command)
	count = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(*pflag.Flag) { n++ })
		for _, sub := range c.Commands() {
			count(sub)
		}
	}
	count((&app{stdout: io.Discard, stderr: io.Discard}).command())
	require.LessOrEqual(t, n, 110)
}
