package proof

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// Strays yields unreached code in the range that follows a jump or return, and starts at a multiple of align bytes
// after filler. It yields nothing for a function with unknown jump targets. missed gets all unreached code except
// filler.
func (f *Function) Strays(align uint64, yield, missed func(start, end uint64)) {
	u := f.u
	p := &u.parts[f.part]
	if !u.anchored {
		return
	}
	opaque := u.opaque()
	ended := false // the execution does not go on here
	for off := 0; off < len(p.code); {
		if k := p.at[off]; k >= 0 && u.ins[k].owner >= 0 {
			i := &u.ins[k]
			ended = !i.cond && (i.flow == insn.Return || i.flow == insn.Jump || i.flow == insn.Stop)
			off += int(i.len)
			continue
		}
		u.arch.Decode(p.code[off:], 0, &u.dec)
		d := &u.dec
		pads := d.N == 0 && (d.Flow == insn.Next || d.Flow == insn.Stop || d.Flow == insn.Bad)
		if ended && !pads && !opaque && (p.Start+uint64(off))%align == 0 {
			end := off
			for end < len(p.code) && (p.at[end] < 0 || u.ins[p.at[end]].owner < 0) {
				end++
			}
			yield(p.Start+uint64(off), p.Start+uint64(end))
			missed(p.Start+uint64(off), p.Start+uint64(end))
			off, ended = end, false
			continue
		}
		if !pads {
			missed(p.Start+uint64(off), p.Start+uint64(off+max(int(d.Len), 1)))
		}
		ended = ended && pads
		off += max(int(d.Len), 1)
	}
}

// Continues returns an instruction in a range of blocks that continues from one block to the next, or spans two
// blocks. Blocks are separate entries, such as stubs, so no instruction should do this.
func (f *Function) Continues() (pc uint64, ok bool) {
	u := f.u
	p := &u.parts[f.part]
	if p.Block == 0 {
		return 0, false
	}
	off := 0
	for off < len(p.code) {
		u.arch.Decode(p.code[off:], p.Start+uint64(off), &u.dec)
		d := &u.dec
		next := off + max(int(d.Len), 1)
		if border := (off/int(p.Block) + 1) * int(p.Block); next >= border && next < len(p.code) {
			goes := d.Flow == insn.Next || d.Flow == insn.Branch
			return p.Start + uint64(off), next > border || goes && d.N > 0
		}
		off = next
	}
	return 0, false
}

// excursions returns the instructions with SP in another stack from which the function comes back to its own one: one
// sets SP to an address there. It is nil if SP never is in another stack.
func (u *unit) excursions() (back []bool) {
	if !u.abroad {
		return nil
	}
	away, back := make([]bool, len(u.ins)), make([]bool, len(u.ins))
	for p := range u.parts {
		u.walk(p, func(k int32, s *state) {
			if away[k] = u.isAbroad(s.regs[u.arch.sp]); away[k] {
				back[k] = u.stepped(k, s).regs[u.arch.sp].Base == CFA
			}
		})
	}
	for changed := true; changed && u.pay(); {
		changed = false
		for k := len(u.ins) - 1; k >= 0; k-- {
			if u.work++; away[k] && !back[k] {
				u.leadsOn(int32(k), func(to int32) { back[k] = back[k] || back[to] })
				changed = changed || back[k]
			}
		}
	}
	return back
}
