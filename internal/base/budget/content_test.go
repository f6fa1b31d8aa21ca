package budget_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
)

// TestContent: budgets grow with what a file has beyond the free bytes, memory with the largest
// object, and all else with the files together.
func TestContent(t *testing.T) {
	const free = budget.FreeContent
	b := budget.New(t.Context(), budget.Limits{budget.Memory: 10, budget.Names: 10, budget.Code: 10})
	b.Content(free)
	b.File(free)
	assert.Error(t, b.Spend(budget.Memory, 11))
	assert.Error(t, b.Spend(budget.Names, 11))
	b.Content(free + 50)
	b.Content(free + 100)
	b.File(5)
	b.File(20)
	require.NoError(t, b.Spend(budget.Memory, 10+100*budget.MemoryPerByte))
	assert.Error(t, b.Spend(budget.Memory, 1))
	require.NoError(t, b.Spend(budget.Names, 10+25*budget.NamesPerByte))
	assert.Error(t, b.Spend(budget.Names, 1))
	assert.Error(t, b.Spend(budget.Code, 11))
	var none *budget.Budget
	none.Content(1)
	none.File(1)
}
