package budget_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

func TestSize(t *testing.T) {
	size := budget.Memory.Bound()
	for text, want := range map[string]int64{
		"0": 0, "17": 17, "4K": 4096, "4k": 4096, "4KB": 4096, "4KiB": 4096, "64M": 64 << 20, "1G": 1 << 30, "8191M": 8191 << 20,
	} {
		n, err := size.Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, n, text)
		back := must.Get(size.Parse(size.Format(n)))(t)
		assert.Equal(t, n, back)
	}
	for _, text := range []string{"", "M", "-1", "1.5M", "1T", "9999999999G", "0x10", " 1", "1 M"} {
		_, err := size.Parse(text)
		assert.Error(t, err, text)
	}
}

func TestSpend(t *testing.T) {
	b := budget.New(t.Context(), budget.Limits{budget.Read: 10, budget.Work: -1})
	require.NoError(t, b.Spend(budget.Read, 10))
	err := b.Spend(budget.Read, 1)
	assert.Equal(t, &budget.Exceeded{Kind: budget.Read, Limit: 10}, err)
	assert.EqualError(t, err, "the reading budget of 10 is exceeded (--limit max-read)")
	assert.EqualValues(t, 10, b.Used(budget.Read), "what does not fit is not taken")
	b.Release(budget.Read, 5)
	require.NoError(t, b.Spend(budget.Read, 5))
	require.NoError(t, b.Step(1<<62))
	assert.Equal(t, []*budget.Exceeded{{Kind: budget.Read, Limit: 10}}, b.Exceeded())
	var none *budget.Budget
	require.NoError(t, none.Step(1<<62))
	assert.Empty(t, none.Exceeded())
}

// Twice the bytes of the largest section are free, whatever the order.
func TestSection(t *testing.T) {
	b := budget.New(t.Context(), budget.Limits{budget.Memory: 10})
	require.NoError(t, b.Section(100))
	require.NoError(t, b.Spend(budget.Memory, 110))
	assert.Error(t, b.Spend(budget.Memory, 1))
	assert.Error(t, b.Section(50))
	require.NoError(t, b.Section(250)) // 2*250+10 of 460
	assert.Error(t, b.Spend(budget.Memory, 51))
}

func TestNames(t *testing.T) {
	b := budget.New(t.Context(), budget.Limits{budget.Names: 1000})
	for range 1000 {
		s := must.Get(b.Name(make([]byte, 900)))(t)
		assert.Len(t, s, 900)
	}
	s, err := b.Name([]byte("other name of some 60 bytes, which is more than what is left"))
	assert.Error(t, err)
	assert.Empty(t, s)
}

func TestContext(t *testing.T) {
	ctx, cancel := budget.WithTimeout(t.Context(), budget.Limits{budget.Time: int64(time.Minute)}, time.Hour)
	defer cancel()
	b := budget.New(ctx, budget.Limits{})
	assert.EqualError(t, b.Step(1), "the time budget of 1m is exceeded (--limit timeout)")
	assert.Equal(t, []*budget.Exceeded{{Kind: budget.Time, Limit: int64(time.Minute)}}, b.Exceeded())
	why := errors.New("interrupted")
	run, stop := context.WithCancelCause(t.Context())
	stop(why)
	b = budget.New(run, budget.Limits{})
	assert.Equal(t, why, b.Step(1))
	assert.Empty(t, b.Exceeded())
}

// What a flag shows can be given to it again.
func TestTable(t *testing.T) {
	flags := map[string]bool{}
	for k, b := range budget.Table() {
		assert.EqualValues(t, k, b.Kind)
		v, err := b.Parse(b.Format(b.Default))
		require.NoError(t, err, b.Flag)
		assert.Equal(t, b.Default, v, b.Flag)
		assert.False(t, flags[b.Flag])
		flags[b.Flag] = true
		_, err = b.Parse("-1")
		assert.Error(t, err, b.Flag)
	}
	var l budget.Limits
	assert.EqualValues(t, int64(budget.DefaultRead), l.Of(budget.Read))
	l.Set(budget.Read, 0)
	assert.EqualValues(t, -1, l.Of(budget.Read))
}

// A finding beyond the limit is kept as long as the reserve lasts, and holds nothing that is to be
// released.
func TestKeep(t *testing.T) {
	for _, x := range []struct{ limit, reserve int64 }{{10, 10}, {2 << 20, 1 << 20}} {
		b := budget.New(t.Context(), budget.Limits{budget.Memory: x.limit})
		spent, err := b.Keep(x.limit)
		require.NoError(t, err)
		assert.Equal(t, x.limit, spent)
		assert.Empty(t, b.Exceeded())
		spent, err = b.Keep(x.reserve)
		require.NoError(t, err)
		assert.Zero(t, spent)
		assert.Equal(t, x.limit, b.Used(budget.Memory))
		over := &budget.Exceeded{Kind: budget.Memory, Limit: x.limit}
		assert.Equal(t, []*budget.Exceeded{over}, b.Exceeded())
		assert.True(t, b.Keeps(1), "nothing was refused yet")
		spent, err = b.Keep(1)
		assert.Equal(t, over, err)
		assert.False(t, b.Keeps(1))
		assert.Zero(t, spent)
		b.Release(budget.Memory, 4)
		assert.True(t, b.Keeps(4))
		assert.False(t, b.Keeps(5))
	}
}
