package proof

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// redirects are returns that lead elsewhere on purpose: the code stores another address in the slot
// of RA, and the epilogue loads it as RA. Functions with __builtin_eh_return do so. A row that
// names the slot is right all the same: it is where the function returns to.
type redirects struct {
	slots map[int64]bool // offsets from the CFA of such slots
	loads map[int32]bool // the instructions that load them
}

// findRedirects looks for slots that RA and another register are stored in, from which RA is loaded afterwards.
func (u *unit) findRedirects() *redirects {
	ra := u.arch.ra
	saved, stored, loads := map[int64]bool{}, map[int64][]int32{}, map[int32]Value{}
	for p := range u.parts {
		u.walk(p, func(k int32, s *state) {
			for _, o := range u.effects(&u.ins[k]) {
				switch {
				case o.do == insn.Store && o.src != insn.NoReg:
					if to, v := addOffset(s.regs[o.dst], o.off), s.regs[o.src]; to.Base == CFA && (v.from(ra) || o.src == ra && v.Base == Unknown) {
						saved[to.Off] = true
					} else if to.Base == CFA {
						stored[to.Off] = append(stored[to.Off], k)
					}
				case o.do == insn.Load && o.dst == ra:
					loads[k] = addOffset(s.regs[o.src], o.off)
				}
			}
		})
	}
	r := &redirects{map[int64]bool{}, map[int32]bool{}}
	for off := range saved {
		after := u.reachedFrom(stored[off])
		for k, from := range loads {
			if after[k] && (from.Base != CFA || from.Off == off) { // it may be loaded from there
				r.slots[off], r.loads[k] = true, true
			}
		}
	}
	return r
}

// reachedFrom returns the instructions that others lead to.
func (u *unit) reachedFrom(from []int32) map[int32]bool {
	reached := map[int32]bool{}
	for queue := slices.Clone(from); len(queue) > 0; {
		k := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		u.work++
		u.leadsOn(k, func(to int32) {
			if !reached[to] {
				reached[to] = true
				queue = append(queue, to)
			}
		})
	}
	return reached
}

// redirected reports whether what a row of RA names may have another address on purpose.
func (c *checker) redirected(r model.Recovery, s *state, f *finding) bool {
	switch off, ok := slotOf(r, s); {
	case c.redirects == nil || f.got.from(c.u.arch.ra):
		return false
	case r.Kind == model.Unchanged:
		return c.redirects.loads[s.by[c.u.arch.ra]]
	default:
		return ok && c.redirects.slots[off]
	}
}
