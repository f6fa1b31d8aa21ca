package fuzzcmd

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

func TestInOrder(t *testing.T) {
	for _, j := range []jobs{0, 1, 3, 50, math.MaxInt} {
		var got []int
		err := inOrder(t.Context(), j, 200, func(i int) int { return i * i }, func(i, v int) error {
			assert.Equal(t, i*i, v)
			got = append(got, i)
			return nil
		})
		require.NoError(t, err)
		require.Len(t, got, 200)
		assert.IsIncreasing(t, got)
	}
	assert.NoError(t, inOrder(t.Context(), 2, 0, func(int) int { panic("nothing to do") }, func(int, int) error { return nil }))
}

// TestInOrderEnds: after an error hardly anything more is done.
func TestInOrderEnds(t *testing.T) {
	var worked atomic.Int32
	enough := errors.New("enough")
	taken := 0
	err := inOrder(t.Context(), 2, 1_000_000, func(i int) int { worked.Add(1); return i }, func(i, _ int) error {
		taken++
		if i == 10 {
			return enough
		}
		return nil
	})
	assert.ErrorIs(t, err, enough)
	assert.Equal(t, 11, taken)
	assert.Less(t, worked.Load(), int32(200))
}

// TestInOrderPanics: a panic of the work is an error, after the results before it.
func TestInOrderPanics(t *testing.T) {
	taken := 0
	err := inOrder(t.Context(), 3, 100, func(i int) int {
		if i >= 7 {
			panic("no more")
		}
		return i
	}, func(int, int) error { taken++; return nil })
	var ours *program.InternalError
	require.ErrorAs(t, err, &ours)
	assert.Equal(t, "internal error: number 7: no more", err.Error())
	assert.Contains(t, string(ours.Stack), "parallel_test.go")
	assert.Equal(t, 7, taken)
}

func TestInOrderIsInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	taken := 0
	err := inOrder(ctx, 2, 1_000_000, func(i int) int { return i }, func(i, _ int) error {
		if taken++; i == 10 {
			stop()
		}
		return nil
	})
	assert.ErrorIs(t, err, program.ErrInterrupted)
	assert.Equal(t, 11, taken)
}
