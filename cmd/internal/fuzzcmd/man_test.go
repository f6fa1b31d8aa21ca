package fuzzcmd

import (
	"io"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
)

// TestManualPages makes the manual pages; each flag is described in the documentation.
func TestManualPages(t *testing.T) {
	outputtest.Man(t, (&app{stdout: io.Discard, stderr: io.Discard}).command(), "../../../docs", map[string][]string{
		"sframe-fuzz":             {"fuzzing.md", "knobs.md", "limits.md"},
		"sframe-fuzz-conformance": {"conformance.md"},
	})
}
