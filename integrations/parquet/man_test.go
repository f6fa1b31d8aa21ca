package main

import (
	"io"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
)

// TestManualPages makes the manual page; each flag is described in the documentation.
func TestManualPages(t *testing.T) {
	outputtest.Man(t, command(io.Discard, nil), "../../docs", map[string][]string{"sframe-parquet": {"distribution.md"}})
}
