package execute

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

// words8 has some bytes at an address.
type words8 struct {
	at uint64
	b  []byte
}

func (m words8) ReadMemory(addr uint64, b []byte) error {
	if addr < m.at || addr+uint64(len(b)) > m.at+uint64(len(m.b)) {
		return errors.New("not there")
	}
	copy(b, m.b[addr-m.at:])
	return nil
}

// TestInterrupted: the registers are where the kernel of each machine saves them.
func TestInterrupted(t *testing.T) {
	for _, test := range []struct {
		id             model.ABI
		start, pc, off int // of the registers from SP, of the PC and of register 6 from them
	}{
		{model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, 40, 128, 80},
		{model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, 312, 256, 48},
		{model.SFRAME_ABI_AARCH64_ENDIAN_BIG, 312, 256, 48},
		{model.SFRAME_ABI_S390X_ENDIAN_BIG, 344, 0, 56},
	} {
		abi := model.LookupABI(test.id)
		var order binary.ByteOrder = binary.LittleEndian
		if abi.Big {
			order = binary.BigEndian
		}
		b := make([]byte, 1024)
		order.PutUint64(b[test.start+test.pc:], 0x401000)
		order.PutUint64(b[test.start+test.off:], 42)
		r, ok := interrupted(abi, words8{0x7000, b}, 0x7000)
		require.True(t, ok, abi.Name)
		v, known := r.Register(6)
		assert.Equal(t, []any{uint64(0x401000), uint64(42), true}, []any{r.PC(), v, known}, abi.Name)
		_, ok = interrupted(abi, words8{0x7000, b[:test.start+8]}, 0x7000)
		assert.False(t, ok, abi.Name)
	}
}
