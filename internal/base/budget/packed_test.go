package budget_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
)

// TestHoldPacked bounds what reading through a package may hold: windows and files in each other add up.
func TestHoldPacked(t *testing.T) {
	const window = 64 << 20
	for _, c := range []struct {
		size, limit int64
		most        int // windows
	}{{0, 28 << 20, 3}, {8 << 20, 28 << 20, 8}, {0, 156 << 20, 5}, {0, -1, 100}} {
		b := budget.New(t.Context(), budget.Limits{budget.Memory: c.limit})
		b.Packed(c.size)
		n := 0
		for n < 100 && b.HoldPacked(window) == nil {
			n++
		}
		require.Equal(t, c.most, n)
		require.Equal(t, n < 100, b.Over(budget.Memory))
		require.NoError(t, b.HoldPacked(-window))
		require.NoError(t, b.HoldPacked(window))
	}
}
