package spool_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/spool"
)

func TestLinesComeBack(t *testing.T) {
	for _, n := range []int{0, 1, 100, 20_000} {
		var s spool.Spool
		for i := range n {
			require.True(t, s.Add(fmt.Appendf(nil, "line %d %s", i, bytes.Repeat([]byte("x"), i%9000))))
		}
		assert.Equal(t, n, s.Len())
		i := 0
		require.NoError(t, s.Each(func(line []byte) {
			require.Equal(t, fmt.Sprintf("line %d %s", i, bytes.Repeat([]byte("x"), i%9000)), string(line))
			i++
		}))
		assert.Equal(t, n, i)
	}
}

// What does not compress ends at a bound.
func TestBound(t *testing.T) {
	var s spool.Spool
	r := rand.NewChaCha8([32]byte{})
	added := 0
	for range 100 {
		b := make([]byte, 1<<20)
		_, _ = r.Read(b)
		if s.Add(bytes.ReplaceAll(b, []byte("\n"), nil)) {
			added++
		}
	}
	assert.InDelta(t, 7, added, 2)
	n := 0
	require.NoError(t, s.Each(func([]byte) { n++ }))
	assert.Equal(t, added, n)
}
