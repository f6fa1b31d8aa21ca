package insn

import (
	"debug/elf"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// requirePassed requires of code from its start on that the decoder finds the instructions that Plain passes over, each
// with the same length, and that none of them reads or writes what is watched. It returns how many they are.
func requirePassed(t *testing.T, rnd *rand.Rand, code []byte) (passed int) {
	const most = 64
	code = code[:min(len(code), most+MaxLen)]
	w := Watch{Regs: rnd.Uint32()&rnd.Uint32()&0xffff | 1<<rsp, Marks: make([]int32, most), Mark: 1}
	low := int64(rnd.IntN(256)) - 128
	high := low + 8*int64(rnd.IntN(4))
	for k, r := range [2]Reg{rsp, rbp} {
		w.Slots[k] = Slots{Base: r, From: int32(low) - PlainSize + 1, To: int32(high)}
	}
	at, n, kind, _, _, _ := plainAMD64(code, 0, min(most, len(code)), &w)
	off, i := 0, Insn{}
	for ; off < at; passed++ {
		AMD64(code[off:], 1<<40, &i)
		ok := w.Marks[off] == 1 && i.Flow == Next && !i.Landing && !i.System && i.Copied == 0 && i.Len > 0
		for k := range i.Ops[:i.N] {
			o := &i.Ops[k]
			free := func(r Reg) bool { return r == NoReg || r >= 16 || w.Regs>>r&1 == 0 }
			slot := func(r Reg, size int64) bool { // only memory outside the slots
				return free(r) || (r == rsp || r == rbp) && (o.Off+size <= low || o.Off >= high)
			}
			switch o.Do {
			case Compare:
			case Store, Forget:
				size := int64(o.Size)
				if size == 0 {
					size = 8
				}
				ok = ok && (free(o.Src) || o.Do == Forget) && slot(o.Dst, size)
			case Load:
				ok = ok && free(o.Dst) && slot(o.Src, 8)
			case Derive: // what it is of does not matter
				ok = ok && free(o.Dst)
			case Const:
				v := int64(int32(o.Off))
				ok = ok && free(o.Dst) && v >= -PlainNumber && v < PlainNumber
			default: // an address may be computed from any registers
				ok = ok && (o.Dst == scratch || free(o.Dst) && free(o.Src))
			}
		}
		if !ok {
			require.Fail(t, "the decoder disagrees", "% x: offset %d, watched %x, slots %d to %d: %+v", code, off, w.Regs, low, high, i)
		}
		w.Marks[off] = 0
		off += int(i.Len)
	}
	AMD64(code[at:], 1<<40, &i)
	if off != at || slices.ContainsFunc(w.Marks, func(m int32) bool { return m != 0 }) || kind != NotPlain && int(i.Len) != n {
		require.Fail(t, "the decoder has other instructions", "% x: up to %d, or %d, then %d bytes: %+v", code, at, off, n, i)
	}
	return passed
}

// TestPlainLoopRandom holds the loop over plain instructions against the decoder for random bytes, of which
// half are opcodes that compilers use.
func TestPlainLoopRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	common := []byte("\x0f\x48\x89\x8b\x8d\x01\x29\x31\x39\x66\xf2\xf3\x41\x44\x45\x4c\x83\x81\xc1\xc6\xc7\x88\x84\x85\x98\x99\x69\x6b\xa8\xa9\xb6\xbe\xaf\x1f\x6f\x7f\x24\x04\x44\xc0\xe5\x80\xf6\xf7\xff")
	passed := 0
	for range 300_000 {
		code := make([]byte, 48)
		for k := range code {
			if code[k] = byte(rnd.Uint32()); rnd.Uint32()&1 == 0 {
				code[k] = common[rnd.IntN(len(common))]
			}
		}
		passed += requirePassed(t, rnd, code)
	}
	require.Greater(t, passed, 100_000)
}

// TestPlainLoopCorpus does the same for the code of the corpus, from bytes at random on.
func TestPlainLoopCorpus(t *testing.T) {
	files, err := filepath.Glob("../../../corpus/files/*/amd64/*")
	require.NoError(t, err)
	more, err := filepath.Glob("../proof/testdata/*amd64*.o")
	require.NoError(t, err)
	rnd := rand.New(rand.NewPCG(9, 10))
	passed := 0
	for _, file := range append(files, more...) {
		f, err := elf.Open(file)
		if err != nil {
			continue // archives and sources
		}
		for _, s := range f.Sections {
			if s.Flags&elf.SHF_EXECINSTR == 0 || s.Type != elf.SHT_PROGBITS || f.Machine != elf.EM_X86_64 {
				continue
			}
			code, err := s.Data()
			require.NoError(t, err)
			for at := rnd.IntN(4); at < len(code); at += 1 + rnd.IntN(7) {
				passed += requirePassed(t, rnd, code[at:])
			}
		}
		require.NoError(t, f.Close())
	}
	require.Greater(t, passed, 20_000)
}
