package insn

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// agree compares what Plain says of an instruction with the decoder, and reports whether it is plain.
func agree(t *testing.T, plain Plain, decode Decoder, code []byte) bool {
	n, regs, base, disp := plain(code)
	if n == 0 {
		return false
	}
	i := decode.One(code, 1<<20)
	ok := int(i.Len) == n && i.Flow == Next && !i.Landing && !i.System
	has := func(r Reg) bool { return r == NoReg || r == scratch || regs>>r&1 != 0 }
	at := func(r Reg, off int64, size int) bool {
		return has(r) || r == base && off == int64(disp) && size <= PlainSize
	}
	for k := range i.Ops[:i.N] {
		o := &i.Ops[k]
		src, dst := has(o.Src) || o.Dst == scratch, has(o.Dst)
		switch o.Do {
		case Const:
			src = o.Off == 0 && i.TargetLen == 0
		case Insert:
			src = true
		case Load, Element:
			src = o.Src == scratch || o.Src != NoReg && at(o.Src, o.Off, 8)
		case Store, Forget:
			dst = at(o.Dst, o.Off, int(o.Size))
		}
		ok = ok && src && dst
	}
	if !ok {
		require.Fail(t, "the decoder disagrees", "% x: %d bytes, registers %x, %d+%d; decoded %d bytes, %+v", code[:max(n, int(i.Len))], n, regs, base, disp, i.Len, i.Ops[:i.N])
	}
	return true
}

func TestPlainAMD64(t *testing.T) {
	plain := 0
	for _, prefix := range [][]byte{{}, {0x66}, {0xf2}, {0xf3}} {
		for _, rex := range [][]byte{{}, {0x40}, {0x48}, {0x4f}} {
			for op := range 512 {
				head := append(append([]byte{}, prefix...), rex...)
				if op >= 256 {
					head = append(head, 0x0f)
				}
				head = append(head, byte(op))
				for modrm := range 256 {
					for _, sib := range []byte{0x24, 0x65, 0x85} {
						code := append(append([]byte{}, head...), byte(modrm), sib, 0x11, 0x92, 0x33, 0x84, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd)
						if agree(t, plainAMD64, AMD64, code) {
							plain++
						}
					}
				}
			}
		}
	}
	require.Greater(t, plain, 1_000_000)
	n, _, _, _ := plainAMD64([]byte{0x48, 0x89, 0xd8})
	require.Zero(t, n, "the last instruction")
}
