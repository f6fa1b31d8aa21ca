package proof_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestEndsInReturn compares the ends of overlapping functions, asked for in any order, with those of each function by itself.
func TestEndsInReturn(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	abi := model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	for range 50 {
		code := make([]byte, elftest.TextSize)
		for i := range code {
			if code[i] = []byte{0x90, 0x90, 0x53, 0x50}[r.IntN(4)]; r.IntN(50) == 0 {
				code[i] = []byte{0x41, 0x48, 0xc3}[r.IntN(3)]
			}
		}
		const n = 60
		le := binary.LittleEndian
		b := le.AppendUint64([]byte{0xe2, 0xde, 2, 4, 3, 0, 0xf8, 0, n, 0, 0, 0, n, 0, 0, 0, 3 * n, 0, 0, 0}, 20*n<<32)
		for i := range n {
			start := r.IntN(len(code)/2) / 64 * 16
			b = le.AppendUint32(b, uint32(elftest.Text+start-elftest.SFrame-len(b)))
			b = append(le.AppendUint32(b, uint32(1+r.IntN(len(code)-start))), byte(3*i), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)
		}
		b = append(b, bytes.Repeat([]byte{0, 3, 8}, n)...)
		elftest.Read(t, elftest.WithCode(t, elf.EM_X86_64, false, b, nil, map[int][]byte{0: code}), func(o *reader.Object) {
			ends := proof.CodeOf(o)
			require.Equal(t, n, o.SFrames[0].Section.NumFREs())
			for f := range o.SFrames[0].Section.FDEs() {
				require.Equal(t, proof.CodeOf(o).EndsInReturn(f, &abi), ends.EndsInReturn(f, &abi))
			}
		})
	}
}
