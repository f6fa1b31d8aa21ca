package main

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/insn"
)

// instructions returns the offsets of the instructions in a function's code, and of those that are
// calls. Where the code can't be decoded, the shortest instructions of the ABI are counted. It returns
// nil for code that the file does not have.
func (in *input) instructions(start, size uint64) (all, calls []int64) {
	if c, ok := in.decoded[start]; ok && (len(c.all) == 0 || uint64(c.all[len(c.all)-1]) < size) {
		return c.all, c.calls
	}
	for off, i := range insn.For(in.abi.Machine).All(in.bytesAt(start, size), start) {
		all = append(all, int64(off))
		if i.Calls() {
			calls = append(calls, int64(off))
		}
	}
	in.decoded[start] = instructions{all, calls}
	return all, calls
}

// instructions are those of a function.
type instructions struct{ all, calls []int64 }

// first returns the first instruction at an address, one of no bytes where there is no code.
func (in *input) first(pc uint64) insn.Insn {
	return insn.For(in.abi.Machine).One(in.bytesAt(pc, insn.MaxLen), pc)
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
		insns, calls := in.instructions(f.Start, uint64(f.Size))
		for _, off := range insns {
			add(f.Start + uint64(off))
		}
		for _, off := range calls {
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
			i := in.first(pc)
			if i.Len > 0 && !i.Pad { // code that is no padding
				out = append(out, pc)
			}
			pc += uint64(max(i.Len, 1))
		}
	}
	return out
}
