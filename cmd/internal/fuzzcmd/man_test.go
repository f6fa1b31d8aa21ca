package fuzzcmd

import (
	"flag"
	"io"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/scripttest"
)

//go:generate go test . -run TestManualPages -update

var update = flag.Bool("update", false, "write the manual pages anew")

// TestManualPages keeps the pages in docs/man up to date with the commands.
func TestManualPages(t *testing.T) {
	scripttest.Man(t, (&app{stdout: io.Discard, stderr: io.Discard}).command(), "../../../docs/man", *update)
}
