package insn

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzDecoders decodes any bytes as instructions of each ABI.
func FuzzDecoders(f *testing.F) {
	f.Add([]byte{0x00, 0xfc, 0x00, 0x92}) // and x0, x0 with a mask that is reserved
	f.Add([]byte{0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x90})
	rnd := rand.New(rand.NewSource(1))
	for range 20 {
		b := make([]byte, 400)
		rnd.Read(b)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, decode := range []Decoder{AMD64, AArch64, S390x} {
			var i Insn
			for off := 0; off < len(b); off += int(i.Len) {
				decode(b[off:], uint64(off), &i)
				require.Positive(t, i.Len)
				require.LessOrEqual(t, int(i.Len), len(b)-off)
				require.LessOrEqual(t, int(i.N), MaxOps)
				require.LessOrEqual(t, int(i.TargetOff)+int(i.TargetLen), int(i.Len))
				for _, o := range i.Ops[:i.N] {
					require.True(t, o.Dst < MaxRegs || o.Dst == NoReg && o.Do == Compare, "%v", o)
					require.True(t, o.Src < MaxRegs || o.Src == NoReg || o.Do == Insert, "%v", o)
				}
			}
		}
	})
}
