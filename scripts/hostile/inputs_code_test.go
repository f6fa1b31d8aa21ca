//go:build linux

package hostile

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"math/rand/v2"
)

// codeInputs have machine code that is expensive to follow.
func codeInputs() []input {
	return []input{
		object("8 MB of push and jnz at random", 0, func() *image { return codeOf(128<<10, 64, pushAndBranch(push)) }),
		object("8 MB of push and jnz at random in large functions", 0, func() *image { return codeOf(24<<10, 341, pushAndBranch(push)) }),
		object("8 MB of stores and jnz at random", 0, func() *image { return codeOf(24<<10, 341, storeAndBranch) }),
		object("8 MB of jnz at random", 0, func() *image { return codeOf(16<<10, 512, pushAndBranch(nop)) }),
		object("8 MB of jnz at random in functions of 200 bytes", 0, func() *image { return codeOf(200, 41_000, pushAndBranch(push)) }),
		object("8 MB of calls and jumps between functions of 16 bytes", 12<<20, func() *image { return codeOf(16, 524_288, between) }),
		object(".text of 900 MB, a hole, with functions of 64 KB", 0, func() *image { return hollowCode(14_000) }),
	}
}

// Instructions.
const (
	push = 0x50
	nop  = 0x90
	ret  = 0xc3
)

// codeOf returns a file of n functions of size bytes each, which fill writes.
func codeOf(size, n int, fill func(r *rand.Rand, all []byte, from, to int)) *image {
	m := &image{typ: elf.ET_EXEC}
	code := bytes.Repeat([]byte{nop}, size*n)
	r := rand.New(rand.NewPCG(1, uint64(size)))
	fdes := make([]fde, n)
	for i := range fdes {
		fill(r, code, size*i, size*(i+1))
		code[size*(i+1)-1] = ret
		fdes[i] = leaf(i)
		fdes[i].start, fdes[i].size = textAddr+int64(size*i), uint32(size)
	}
	m.add(section{name: ".text", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, addr: textAddr, data: code})
	m.sframe(encode(sorted|pcrel, fdes, nil))
	var syms []elf.Sym64
	for i := range n {
		syms = append(syms, elf.Sym64{Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC), Shndx: 1, Value: textAddr + uint64(size*i), Size: uint64(size)})
	}
	m.symbols(syms, []byte{0})
	return m
}

// pushAndBranch fills a function with an instruction of one byte, a push or nop, and branches in
// turn, each to another of these instructions.
func pushAndBranch(op byte) func(r *rand.Rand, all []byte, from, to int) {
	return func(r *rand.Rand, all []byte, from, to int) {
		const pair = 7
		n := (to - from - 1) / pair
		for i := range n {
			b := all[from+pair*i:]
			b[0], b[1], b[2] = op, 0x0f, 0x85 // jnz
			binary.LittleEndian.PutUint32(b[3:], uint32(pair*(r.IntN(n)-i-1)))
		}
	}
}

// storeAndBranch does the same with stores to words of the frame.
func storeAndBranch(r *rand.Rand, all []byte, from, to int) {
	const pair = 5 + 6
	n := (to - from - 1) / pair
	for i := range n {
		b := all[from+pair*i:]
		copy(b, []byte{0x48, 0x89, byte(r.IntN(8))<<3 | 0x44, 0x24, byte(-8 * (1 + r.IntN(16)))}) // mov REG, -N(%rsp)
		b[5], b[6] = 0x0f, 0x85
		binary.LittleEndian.PutUint32(b[7:], uint32(pair*(r.IntN(n)-i-1)))
	}
}

// between fills a function with a call of another one and a jump into a third one.
func between(r *rand.Rand, all []byte, from, to int) {
	size := to - from
	far := func(at int) uint32 { return uint32(r.IntN(len(all)/size)*size - at - 5) }
	all[from] = 0xe8
	binary.LittleEndian.PutUint32(all[from+1:], far(from))
	all[from+5] = 0xe9
	binary.LittleEndian.PutUint32(all[from+6:], far(from+5)+5)
}

// hollowCode returns a file whose functions are in a hole.
func hollowCode(n int) *image {
	const size = 64 << 10
	m := &image{typ: elf.ET_EXEC}
	fdes := make([]fde, n)
	for i := range fdes {
		fdes[i] = leaf(i)
		fdes[i].start, fdes[i].size = textAddr+int64(size*i), size
	}
	m.hollow(section{name: ".text", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, addr: textAddr}, 900<<20)
	m.sframe(encode(sorted|pcrel, fdes, nil))
	return m
}
