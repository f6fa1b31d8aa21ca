package budget_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
)

// TestPromise: SECURITY.md promises the memory that scripts/hostile checks.
func TestPromise(t *testing.T) {
	b, err := os.ReadFile("../../../SECURITY.md")
	require.NoError(t, err)
	require.Contains(t, string(b), fmt.Sprintf("Memory is less than %d MiB,\n  %d times the bytes of the largest `.sframe` section, and %d times",
		budget.PromiseMemory>>20, budget.PromiseSection, budget.PromiseContent))
	require.Contains(t, string(b), fmt.Sprintf("Reading through a package takes up to %d MiB more, and up to\n  %d times its bytes",
		budget.PromisePacked>>20, budget.PromisePackedEach))
}
