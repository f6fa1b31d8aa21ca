package number

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
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
