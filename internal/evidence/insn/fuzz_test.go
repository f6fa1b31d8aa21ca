package insn

import (
	"debug/elf"
	"math/rand"
	"strings"
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

// FuzzText writes any bytes as instructions of each machine: a Printer writes what Text does.
func FuzzText(f *testing.F) {
	rnd := rand.New(rand.NewSource(2))
	for range 20 {
		b := make([]byte, 400)
		rnd.Read(b)
		f.Add(b, uint64(0x1000))
	}
	machines := []elf.Machine{elf.EM_X86_64, elf.EM_AARCH64, elf.EM_S390}
	printers := map[elf.Machine]*Printer{}
	for _, m := range machines {
		printers[m] = NewPrinter(m)
	}
	f.Fuzz(func(t *testing.T, b []byte, at uint64) {
		for _, m := range machines {
			for off, i := range For(m).All(b, at) {
				pc := at + uint64(off)
				want := Text(m, b[off:][:i.Len], pc)
				got, to := printers[m].Text(b[off:], pc, i)
				if !to {
					require.Equal(t, want, got)
					continue
				}
				require.True(t, strings.HasPrefix(want, got) && len(got) < len(want), "%q %q", want, got)
				require.NotContains(t, want[len(got):], ",")
			}
		}
	})
}
