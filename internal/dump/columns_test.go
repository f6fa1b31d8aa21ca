package dump

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestColumns: numbers of any size have the columns that are written one after the other.
func TestColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() uint64 { return r.Uint64() >> r.IntN(64) }
	for range 100000 {
		off, start, from, to, width := number(), number(), number(), number(), r.IntN(64)
		if r.IntN(2) > 0 {
			off, start, from, to = off&(1<<32-1), start&(1<<32-1), from&(1<<32-1), to&(1<<32-1)
		}
		before := []byte("before")
		want := appendWide(before[:6:6], off, start, from, to, width)
		got := appendColumns(before[:6:6], off, start, from, to, width)
		assert.Equal(t, string(want), string(got))
	}
}
