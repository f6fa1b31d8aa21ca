package insn

import (
	"debug/elf"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// agree compares what Plain says of an instruction with the decoder, which may use the register temp for
// what it computes. It reports whether the instruction is plain.
func agree(t *testing.T, plain Plain, decode Decoder, temp Reg, code []byte) bool {
	_, n, kind, regs, base, disp := plain(code, 0, len(code), &Watch{})
	if kind == NotPlain {
		return false
	}
	const pc = 1 << 40
	i := decode.One(code, pc)
	ok := int(i.Len) == n && !i.Landing && !i.System && i.Pad == (kind == PlainPad) && (i.Copied == 0)
	switch kind {
	case PlainJump:
		ok = ok && i.Flow == Jump && i.Target == uint64(pc+int64(disp))
	case PlainBranch:
		ok = ok && i.Flow == Branch && i.Target == uint64(pc+int64(disp))
	default:
		ok = ok && i.Flow == Next
	}
	if kind != PlainNext {
		ok = ok && regs == 0 && base == NoReg
	}
	for k := range i.Ops[:i.N] {
		ok = ok && plainOp(&i.Ops[k], temp, regs, base, disp)
	}
	if !ok {
		require.Fail(t, "the decoder disagrees", "% x: kind %d, %d bytes, registers %x, %d+%d; decoded %d bytes, %+v", code[:max(n, int(i.Len))], kind, n, regs, base, disp, i.Len, i.Ops[:i.N])
	}
	return true
}

// plainOp reports whether an effect is among those that Plain states.
func plainOp(o *Op, temp Reg, regs uint32, base Reg, disp int32) bool {
	has := func(r Reg) bool {
		return r == NoReg || r == temp || temp == scratch && r == Vectors || regs>>(r&31)&1 != 0
	}
	inside := func(off int64, size int) bool {
		return off >= int64(disp) && off+int64(size) <= int64(disp)+PlainSize
	}
	switch o.Do {
	case Compare:
		return true
	case Store, Forget:
		size := int(o.Size)
		if size == 0 {
			size = 8
		}
		return (has(o.Dst) || o.Dst == base && inside(o.Off, size)) && (o.Do == Forget || has(o.Src))
	case Load:
		size := int(o.Size)
		if size == 0 {
			size = 8
		}
		return has(o.Dst) && (has(o.Src) || o.Src == base && inside(o.Off, size))
	case Element:
		return has(o.Dst) && o.Src != NoReg
	case Const:
		low := int64(int32(o.Off))
		return has(o.Dst) && low >= -PlainNumber && low < PlainNumber && (o.Off == low || o.Off == int64(uint32(low)))
	case Either:
		return has(o.Dst) && (has(o.Src) || o.Dst == temp || o.Size != 0 && o.Src == base && inside(o.Off, 8))
	case Move, Add, Sub, Mix:
		return has(o.Dst) && (has(o.Src) || o.Dst == temp)
	}
	return has(o.Dst)
}

func TestPlainAMD64(t *testing.T) {
	plain := 0
	for _, prefix := range [][]byte{{}, {0x66}, {0xf2}, {0xf3}, {0x66, 0x2e}, {0x66, 0x66, 0x2e, 0x66}, {0x2e}} {
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
						if agree(t, plainAMD64, AMD64, scratch, code) {
							plain++
						}
					}
				}
				for _, imm := range []byte{0, 0xff} { // constants
					for modrm := 0xc0; modrm < 0xc8; modrm++ {
						code := append(append([]byte{}, head...), byte(modrm), 0x12, imm, imm, imm, imm, imm, imm, imm, imm, imm, imm, imm, imm, imm, imm)
						agree(t, plainAMD64, AMD64, scratch, code)
					}
				}
			}
		}
	}
	require.Greater(t, plain, 1_000_000)
	_, _, kind, _, _, _ := plainAMD64([]byte{0x48, 0x89, 0xd8}, 0, 3, &Watch{})
	require.Equal(t, NotPlain, kind, "the end of the code")
}

func TestPlainAArch64(t *testing.T) {
	// Each value of the bits that most opcodes differ in, with registers at random.
	rnd, plain, signed := rand.New(rand.NewPCG(1, 2)), 0, 0
	code := make([]byte, 4)
	for high := range uint32(1 << 16) {
		for range 64 {
			w := high<<16 | rnd.Uint32()>>16
			if rnd.Uint32()&7 == 0 {
				w |= 31 << (5 * (rnd.Uint32() % 3)) // SP or XZR
			}
			code[0], code[1], code[2], code[3] = byte(w), byte(w>>8), byte(w>>16), byte(w>>24)
			if agree(t, plainAArch64, AArch64, NoReg, code) {
				plain++
			}
			i := Decoder(AArch64).One(code, 0)
			signs := i.Flow == Return
			for _, o := range i.Ops[:i.N] {
				signs = signs || o.Do == Sign || o.Do == Auth || o.Do == Strip
			}
			if signs {
				signed++
				require.Zero(t, NextSigning(elf.EM_AARCH64, code, 0), "% x", code)
			}
		}
	}
	require.Greater(t, plain, 1_500_000)
	require.Greater(t, signed, 100)
}

func TestPlainS390x(t *testing.T) {
	// Each value of the bytes that have opcodes, with the others at random.
	rnd, plain := rand.New(rand.NewPCG(3, 4)), 0
	code := make([]byte, 6)
	for first := range 256 {
		for op := range 256 {
			for range 150 {
				for k := range code {
					code[k] = byte(rnd.Uint32())
				}
				if rnd.Uint32()&3 == 0 {
					code[rnd.Uint32()%5+1] &= 0xf0 << (rnd.Uint32() & 1 * 4) // no register
				}
				if rnd.Uint32()&3 == 0 {
					code[2], code[3] = byte(int8(code[2])>>7), byte(int8(code[2])>>7) // a small number
				}
				code[0] = byte(first)
				if code[1+4*(rnd.Uint32()&1)] = byte(op); first < 0xe3 {
					code[1] = byte(op)
				}
				if agree(t, plainS390x, S390x, NoReg, code) {
					plain++
				}
			}
		}
	}
	require.Greater(t, plain, 1_500_000)
}

// TestPlainWatch holds what a Plain passes over against the instructions one by one.
func TestPlainWatch(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	passed := 0
	for _, m := range []struct {
		plain Plain
		bases [2]Reg
	}{{plainAMD64, [2]Reg{rsp, rbp}}, {plainAArch64, [2]Reg{31, 29}}, {plainS390x, [2]Reg{15, 11}}} {
		for range 100_000 {
			code := make([]byte, 64)
			for k := range code {
				code[k] = byte(rnd.Uint32())
			}
			for k := 0; k < len(code); k += 4 { // moves, loads and stores of AMD64 and AArch64
				switch rnd.Uint32() & 7 {
				case 0, 1, 2:
					copy(code[k:], []byte{0x48, 0x89 | code[k]&2, code[k+1] & 0x7f, 0x24})
				case 3, 4:
					copy(code[k+2:], []byte{0x00, 0xf9})
				}
			}
			w := Watch{Regs: rnd.Uint32() & rnd.Uint32() & rnd.Uint32(), Marks: make([]int32, len(code)-int(rnd.Uint32()&15)), Mark: 7}
			for k, r := range m.bases {
				w.Regs |= 1 << r
				w.Slots[k] = Slots{r, -int32(rnd.Uint32() & 0xff), int32(rnd.Uint32() & 0xff)}
			}
			marked := rnd.IntN(len(w.Marks))
			w.Marks[marked] = 5
			end := rnd.IntN(len(code))
			at, n, kind, regs, base, disp := m.plain(code, 0, end, &w)
			off := 0
			for {
				_, n1, kind1, regs1, base1, disp1 := m.plain(code, off, 0, &Watch{})
				passes := kind1 == PlainNext || kind1 == PlainPad
				passes = passes && off+n1 <= end && off < len(w.Marks) && off != marked && regs1&w.Regs == 0
				if passes && base1 != NoReg && w.Regs>>base1&1 != 0 {
					k := slices.Index(m.bases[:], base1)
					passes = k >= 0 && (disp1 < w.Slots[k].From || disp1 >= w.Slots[k].To)
				}
				if !passes {
					require.Equal(t, []any{at, n, kind, regs, base, disp}, []any{off, n1, kind1, regs1, base1, disp1}, "% x", code)
					break
				}
				require.Equal(t, int32(7), w.Marks[off])
				w.Marks[off] = 0
				off += n1
				passed++
			}
			w.Marks[marked] = 0
			require.Equal(t, make([]int32, len(w.Marks)), w.Marks)
		}
	}
	require.Greater(t, passed, 100_000)
}
