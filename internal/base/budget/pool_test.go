package budget_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
)

// A file waits for memory until another gives it back or it is the first. Its time
// stands meanwhile.
func TestPool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := budget.NewPool(100)
		file := func() (*budget.Budget, *budget.Share) {
			ctx, cancel := budget.WithTimeout(t.Context(), budget.Limits{budget.Time: int64(time.Minute)}, 0)
			t.Cleanup(cancel)
			s := pool.Join()
			return budget.New(ctx, budget.Limits{budget.Memory: 1000}).Within(s), s
		}
		a, _ := file()
		b, sb := file()
		require.NoError(t, a.Spend(budget.Memory, 80))
		require.NoError(t, b.Spend(budget.Memory, 20))
		got := 0
		go func() {
			for range 2 {
				if assert.NoError(t, b.Spend(budget.Memory, 60)) {
					got++
				}
			}
		}()
		time.Sleep(time.Hour)
		assert.Zero(t, got)
		a.Release(budget.Memory, 60)
		synctest.Wait()
		assert.Equal(t, 1, got)
		time.Sleep(time.Hour)
		sb.First()
		synctest.Wait()
		assert.Equal(t, 2, got)
		require.NoError(t, a.Spend(budget.Memory, 80), "the first file takes nothing from the pool")
		assert.Zero(t, b.Elapsed())
		require.NoError(t, b.Err())
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, &budget.Exceeded{Kind: budget.Time, Limit: int64(time.Minute)}, b.Err())
	})
}

// The end of a context ends the waiting.
func TestPoolEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := budget.WithTimeout(t.Context(), budget.Limits{}, 0)
		b := budget.New(ctx, budget.Limits{}).Within(budget.NewPool(100).Join())
		time.AfterFunc(time.Hour, cancel)
		require.Error(t, b.Spend(budget.Memory, 101))
	})
}
