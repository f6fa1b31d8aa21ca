package proof

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestSweepAtOnce: what several goroutines find is what one finds, where functions refer to each other.
func TestSweepAtOnce(t *testing.T) {
	const n, size = 5 * sweptAtOnce, 16
	rnd := rand.New(rand.NewPCG(1, 2))
	var code []byte
	var ranges []Range
	for i := range n {
		target := func(at int, off int) uint32 { return uint32(rnd.IntN(n)*size + off - (i*size + at + 4)) }
		f := make([]byte, size)
		f[0], f[5], f[10] = 0xe8, 0xb8, 0xe9 // call, mov $address, %eax, jmp
		binary.LittleEndian.PutUint32(f[1:], target(1, rnd.IntN(2)*5))
		binary.LittleEndian.PutUint32(f[6:], codeAt+uint32(rnd.IntN(n)*size))
		binary.LittleEndian.PutUint32(f[11:], target(11, rnd.IntN(2)*10))
		code = append(code, f...)
		ranges = append(ranges, Range{Start: codeAt + uint64(i*size), End: codeAt + uint64((i+1)*size)})
	}
	scanProgram(t, model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE), code, nil, func(o *reader.Object) {
		one, err := prepare(o, ranges, nil, nil)
		require.NoError(t, err)
		one.sweep(1)
		require.NotEmpty(t, one.middle)
		require.Less(t, len(one.starts), n-100, "ranges are joined")
		for range 8 {
			many, err := prepare(o, ranges, nil, nil)
			require.NoError(t, err)
			many.sweep(3)
			require.Equal(t, one.facts, many.facts)
			require.Equal(t, one.middle, many.middle)
			require.Equal(t, one.tables, many.tables)
			require.Equal(t, one.members, many.members)
			require.Equal(t, one.starts, many.starts)
		}
	})
}
