package harness

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Instructions returns the offsets of the instructions in a function's code, and of those that are
// calls. Where the code can't be decoded, the shortest instructions of the ABI are counted. It returns
// nil for code that the file does not have.
func (f *File) Instructions(start, size uint64) (all, calls []int64) {
	if c, ok := f.decoded[start]; ok && (len(c.all) == 0 || uint64(c.all[len(c.all)-1]) < size) {
		return c.all, c.calls
	}
	for off, i := range insn.For(f.ABI.Machine).All(f.BytesAt(start, size), start) {
		all = append(all, int64(off))
		if i.Calls() {
			calls = append(calls, int64(off))
		}
	}
	f.decoded[start] = instructions{all, calls}
	return all, calls
}

// instructions are those of a function.
type instructions struct{ all, calls []int64 }

// First returns the first instruction at an address, one of no bytes where there is no code.
func (f *File) First(pc uint64) insn.Insn {
	return insn.For(f.ABI.Machine).One(f.BytesAt(pc, insn.MaxLen), pc)
}

// Points returns the addresses at which two sections must agree: the
// instructions of the ranges, and the last bytes of calls, which consumers look
// up for the callers of a frame.
func (f *File) Points(touched Ranges) (out []uint64) {
	add := func(pc uint64) {
		if touched.Contains(pc) {
			out = append(out, pc)
		}
	}
	var covered Ranges
	for _, x := range f.functions() {
		if x.Start == x.End {
			continue
		}
		r := reader.AddrRange{First: x.Start, Last: x.End - 1}
		if !touched.Overlaps(r) {
			continue
		}
		covered = append(covered, r)
		insns, calls := f.Instructions(x.Start, x.End-x.Start)
		for _, off := range insns {
			add(x.Start + uint64(off))
		}
		for _, off := range calls {
			if k, _ := slices.BinarySearch(insns, off+1); k < len(insns) {
				add(x.Start + uint64(insns[k]) - 1)
			}
		}
	}
	for _, r := range touched {
		for pc := r.First; pc <= r.Last; {
			if covered.Contains(pc) {
				pc++
				continue
			}
			i := f.First(pc)
			if i.Len > 0 && !i.Pad { // code that is no padding
				out = append(out, pc)
			}
			pc += uint64(max(i.Len, 1))
		}
	}
	return out
}
