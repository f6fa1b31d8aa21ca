package proof

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// maxGap is the number of bytes between two ranges that are looked at.
const maxGap = 1 << 14

// holes finds functions between two ranges, after what fills space there. With CFI, other rules know what no range
// has.
func (c *collector) holes() error {
	if !c.fs.Exits || c.fs.Frames.Any() {
		return nil
	}
	var all []Range
	var before []int
	for k := 1; k < len(c.fs.Ranges) && len(all) < maxAsides; k++ {
		r, next := &c.fs.Ranges[k-1], &c.fs.Ranges[k]
		if r.Place != next.Place || next.Start < r.End+nearest || next.Start-r.End > maxGap || r.Block > 0 || sectionEnd(c.o, r.Place, r.Start) < next.Start {
			continue
		}
		code, err := bytesAt(c.o, r.Place, r.End, nearest)
		if err != nil {
			return err
		}
		for off, i := range insn.For(c.abi.Machine).All(code, r.End) {
			if !i.Pad {
				all, before = append(all, Range{Place: r.Place, Start: r.End + uint64(off), End: next.Start}), append(before, k-1)
				break
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	t, err := New(c.o, all, nil, nil)
	if err != nil {
		return err
	}
	return t.Run(1, func(f *Function) {
		if k := before[f.Index()]; c.isFunction(f) {
			c.found.Holes = append(c.found.Holes, Hole{k, k + 1, f.Range().Start})
		}
	})
}

// isFunction reports whether the code between two ranges is a function, which sets up a frame and leaves with SP as on
// entry, and nothing else but landing pads, which are not aligned. Several functions may be those of an object that has no
// SFrame data.
func (c *collector) isFunction(f *Function) bool {
	r := f.Range()
	e, _ := f.Evidence()
	leaves := e&(Returns|Tail) != 0
	f.Leaves(func(l *Leaf) bool {
		leaves = leaves || l.Kind == LeafJump && l.State.SP.Base == CFA && l.State.SP.Off == -c.abi.EntryCFA
		return !leaves
	})
	// Where all instructions have a length, nothing else begins in the middle of one.
	if !leaves || c.abi.MinInsn < 4 && r.Start%uint64(c.abi.FuncAlign) != 0 {
		return false
	}
	low, reached := int64(0), map[uint64]int{}
	f.Insns(func(pc uint64, n int, s *State) bool {
		reached[pc] = n
		if s.SP.Base == CFA {
			low = min(low, s.SP.Off+c.abi.EntryCFA)
		}
		return true
	})
	code, err := bytesAt(c.o, r.Place, r.Start, int(r.End-r.Start))
	if low == 0 || err != nil {
		return false
	}
	beyond := false
	for off := 0; off < len(code); {
		n := reached[r.Start+uint64(off)]
		if n > 0 {
			beyond = false
		} else {
			i := c.first(code[off:])
			n = max(int(i.Len), 1)
			if pad := i.Pad || i.Flow == insn.Stop; !pad && !beyond && (c.abi.MinInsn >= 4 || (r.Start+uint64(off))%uint64(c.abi.FuncAlign) == 0) {
				return false
			}
			beyond = !i.Pad
		}
		off += n
	}
	return true
}

// landings finds ranges that start after an instruction at an aligned address to which indirect calls lead: it is the
// first one of the function.
func (c *collector) landings() error {
	if !c.fs.Exits {
		return nil
	}
	late := map[int]bool{}
	for i := range c.found.Late {
		late[c.found.Late[i].Func] = true
	}
	for k := range c.fs.Ranges {
		r := &c.fs.Ranges[k]
		if r.Start%uint64(c.abi.FuncAlign) != landing || r.Block > 0 || late[k] || len(late) >= maxAsides || k > 0 && c.fs.Ranges[k-1].Place == r.Place && c.fs.Ranges[k-1].End > r.Start-landing {
			continue
		}
		code, err := bytesAt(c.o, r.Place, r.Start-landing, landing)
		if err != nil {
			return err
		}
		if len(code) < landing {
			continue
		}
		if i := c.first(code); i.Landing && i.Len == landing && i.Flow == insn.Next {
			late[k] = true
			c.found.Late = append(c.found.Late, LateStart{Func: k, Target: r.Start - landing, Landing: true})
		}
	}
	return nil
}

// landing is the length of an instruction to which indirect calls lead, in bytes.
const landing = 4
