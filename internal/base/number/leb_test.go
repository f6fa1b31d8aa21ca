package number

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLEB(t *testing.T) {
	for _, c := range []struct {
		b      []byte
		u      uint64
		s      int64
		length int
	}{
		{[]byte{0x02, 0xff}, 2, 2, 1},
		{[]byte{0x7f}, 127, -1, 1},
		{[]byte{0xe5, 0x8e, 0x26}, 624485, 624485, 3},
		{[]byte{0x80, 0x7f}, 127 << 7, -128, 2},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, 1<<64 - 1, -1, 11},
		{[]byte{0x80, 0x80}, 0, 0, 0},
		{nil, 0, 0, 0},
	} {
		u, n := ULEB(c.b)
		require.Equal(t, c.u, u, "% x", c.b)
		require.Equal(t, c.length, n, "% x", c.b)
		s, n := SLEB(c.b)
		require.Equal(t, c.s, s, "% x", c.b)
		require.Equal(t, c.length, n, "% x", c.b)
	}
}
