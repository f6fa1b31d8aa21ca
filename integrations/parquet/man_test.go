package main

import (
	"flag"
	"io"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/scripttest"
)

//go:generate go test . -run TestManualPages -update

var update = flag.Bool("update", false, "write the manual page anew")

// TestManualPages keeps the page in docs/man up to date with the command.
func TestManualPages(t *testing.T) {
	scripttest.Man(t, command(io.Discard, nil), "../../docs/man", *update)
}
