package proof

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// maxConstants is the maximum size of a function in which constants are looked for, in bytes.
const maxConstants = 1 << 16

// EndsInConstants reports whether constants follow the code of f within size bytes of its start. The last instruction
// of f must not continue, and the code must use the address of the first byte after the padding.
func (c *Code) EndsInConstants(f model.FDE, size uint64) bool {
	if !f.Resolved() || size > maxConstants {
		return false
	}
	end, last, taken := f.Start()+size, insn.Next, map[uint64]bool{}
	for pc, x := range c.Instructions(f.Place(), f.Start(), end) {
		switch {
		case pc >= f.End() && !x.Pad:
			return pc > f.End() && taken[pc] && (last == insn.Return || last == insn.Jump || last == insn.IndirectJump)
		case pc >= f.End():
		case x.Flow == insn.Next:
			last = x.Flow
			for _, o := range x.Ops[:x.N] {
				if o.Do == insn.Const {
					taken[uint64(o.Off)] = true
				}
			}
		case x.Flow != insn.Call && x.Target >= f.End() && x.Target < end:
			return false
		default:
			last = x.Flow
		}
	}
	return false
}
