package budget_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
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
	assert.EqualError(t, err, "the reading budget is exceeded (--limit max-read=10)")
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
	assert.EqualError(t, b.Step(1), "the time budget is exceeded (--limit timeout=1m)")
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

// TestPromise: SECURITY.md promises the memory that scripts/hostile checks.
func TestPromise(t *testing.T) {
	b := must.Get(os.ReadFile("../../../SECURITY.md"))(t)
	text := strings.Join(strings.Fields(string(b)), " ")
	require.Contains(t, text, fmt.Sprintf("Memory is less than %d MiB, %d times the bytes of the largest `.sframe` section, and %d times",
		budget.PromiseMemory>>20, budget.PromiseSection, budget.PromiseContent))
	require.Contains(t, text, fmt.Sprintf("Reading through a package takes up to %d MiB more, and up to %d times its bytes",
		budget.PromisePacked>>20, budget.PromisePackedEach))
}
