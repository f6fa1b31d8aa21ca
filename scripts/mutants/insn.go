package main

import (
	"bytes"
	"debug/elf"
	"slices"

	"golang.org/x/arch/x86/x86asm"

	"github.com/sframe-lint/sframe-lint/internal/machine"
)

// instructions returns the offsets of the instructions in a function's code. Where the
// code can't be decoded, every byte counts as one. It returns nil for code that the
// file does not have.
func (in *input) instructions(start, size uint64) []int64 {
	if known, ok := in.starts[start]; ok && (len(known) == 0 || uint64(known[len(known)-1]) < size) {
		return known
	}
	var out []int64
	b := in.bytesAt(start, size)
	for off := 0; off < len(b); off += in.length(b[off:]) {
		out = append(out, int64(off))
	}
	in.starts[start] = out
	return out
}

// length returns the bytes of the first instruction.
func (in *input) length(b []byte) int {
	switch in.abi.Machine {
	case elf.EM_X86_64:
		i, err := x86asm.Decode(b, 64)
		switch {
		case bytes.HasPrefix(b, []byte{0xf3, 0x0f, 0x1e, 0xfa}): // endbr64
			return 4
		case err != nil || i.Len == 0:
			return 1
		}
		return i.Len
	case elf.EM_S390:
		return min(len(b), [...]int{2, 4, 4, 6}[b[0]>>6])
	}
	return min(len(b), int(in.abi.MinInsn))
}

// calls returns the offsets of a function's calls.
func (in *input) calls(start, size uint64, insns []int64) (out []int64) {
	b := in.bytesAt(start, size)
	if in.abi.Machine != elf.EM_X86_64 {
		machine.Calls(b, &in.abi, func(off uint32) bool {
			out = append(out, int64(off))
			return true
		})
		return out
	}
	for _, off := range insns {
		if i, err := x86asm.Decode(b[off:], 64); err == nil && i.Op == x86asm.CALL {
			out = append(out, off)
		}
	}
	return out
}

// padding reports whether code that belongs to no function never runs.
func (in *input) padding(b []byte) bool {
	switch in.abi.Machine {
	case elf.EM_X86_64:
		i, err := x86asm.Decode(b, 64)
		return err == nil && (i.Op == x86asm.NOP || i.Op == x86asm.INT || i.Op == x86asm.XCHG) || b[0] == 0
	case elf.EM_AARCH64:
		return bytes.HasPrefix(b, []byte(in.abi.Nop)) || bytes.HasPrefix(b, make([]byte, 4))
	}
	return b[0] == 0x07 || b[0] == 0
}

// points returns the addresses at which two sections must agree: the
// instructions of the ranges, and the last bytes of calls, which consumers look
// up for the callers of a frame.
func (in *input) points(touched ranges) (out []uint64) {
	add := func(pc uint64) {
		if touched.contains(pc) {
			out = append(out, pc)
		}
	}
	var covered ranges
	for i := range in.plan.Funcs {
		f := &in.plan.Funcs[i]
		if f.Size == 0 {
			continue
		}
		r := span(f.Start, f.Size)
		if !touched.overlaps(r) {
			continue
		}
		covered = append(covered, r)
		insns := in.instructions(f.Start, uint64(f.Size))
		for _, off := range insns {
			add(f.Start + uint64(off))
		}
		for _, off := range in.calls(f.Start, uint64(f.Size), insns) {
			if k, _ := slices.BinarySearch(insns, off+1); k < len(insns) {
				add(f.Start + uint64(insns[k]) - 1)
			}
		}
	}
	for _, r := range touched {
		for pc := r.First; pc <= r.Last; {
			if covered.contains(pc) {
				pc++
				continue
			}
			b := in.bytesAt(pc, 16)
			if len(b) == 0 {
				pc++ // no code
				continue
			}
			if !in.padding(b) {
				out = append(out, pc)
			}
			pc += uint64(in.length(b))
		}
	}
	return out
}
