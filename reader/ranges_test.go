package reader

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestEndOfTheAddressSpace: code may reach it, and 2^64 fits no field.
func TestEndOfTheAddressSpace(t *testing.T) {
	const last = math.MaxUint64 - 0xfff
	text := AddrRanges{}.With(last, 0x1000).With(0x1000, 0x100).With(0x2000, 0).With(math.MaxUint64, 2).Normal()
	assert.Equal(t, AddrRanges{{0x1000, 0x10ff}, {last, math.MaxUint64}}, text)
	for _, c := range []struct {
		start uint64
		size  uint32
		holds bool
	}{
		{last, 0x1000, true},
		{math.MaxUint64, 1, true},
		{math.MaxUint64, 2, false},
		{last - 1, 1, false},
		{0x10ff, 1, true},
		{0x10ff, 2, false},
		{0x1100, 0, true},
		{0x1101, 0, false},
	} {
		assert.Equal(t, c.holds, text.Holds(c.start, c.size), "%+v", c)
	}
}
