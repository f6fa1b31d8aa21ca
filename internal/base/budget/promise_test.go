package budget_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
)

// TestPromise: SECURITY.md promises the memory that scripts/hostile checks.
func TestPromise(t *testing.T) {
	b, err := os.ReadFile("../../../SECURITY.md")
	require.NoError(t, err)
	text := strings.Join(strings.Fields(string(b)), " ")
	require.Contains(t, text, fmt.Sprintf("Memory is less than %d MiB, %d times the bytes of the largest `.sframe` section, and %d times",
		budget.PromiseMemory>>20, budget.PromiseSection, budget.PromiseContent))
	require.Contains(t, text, fmt.Sprintf("Reading through a package takes up to %d MiB more, and up to %d times its bytes",
		budget.PromisePacked>>20, budget.PromisePackedEach))
}
