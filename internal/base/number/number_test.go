package number

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNumber(t *testing.T) {
	for n := 1; n <= 8; n++ {
		want := uint64(0x1122334455667788) >> (64 - 8*n)
		little, big := make([]byte, n), make([]byte, n)
		Put(binary.LittleEndian, little, want)
		Put(binary.BigEndian, big, want)
		assert.Equal(t, byte(want), little[0])
		assert.Equal(t, byte(want), big[n-1])
		assert.Equal(t, byte(0x11), little[n-1])
		assert.Equal(t, byte(0x11), big[0])
		assert.Equal(t, want, Get(binary.LittleEndian, little))
		assert.Equal(t, want, Get(binary.BigEndian, big))
	}
}

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
