package proof

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// code decodes the code of a part.
func (w *sweeper) code(part int) {
	t, d, r := w.t, &w.d, &w.parts[part]
	code, ok := w.read(r.Range)
	if !ok {
		w.cert.failed = true
		return
	}
	w.relocs = nil
	if t.img.rel {
		all := t.img.relocsOf(int32(r.Place))
		first, _ := slices.BinarySearchFunc(all, r.Start, func(r reloc, off uint64) int { return cmp.Compare(r.off, off) })
		w.relocs = all[first:]
	}
	w.paged = 0
	base := uint32(0)
	if !w.cert.failed {
		w.cert.start(part, r.entry)
		base = w.cert.base
	}
	for off := 0; off < len(code); off += int(d.Len) {
		off = w.plain(code, off, base, r.Start)
		pc := r.Start + uint64(off)
		t.img.arch.Decode(code[off:], pc, d)
		rel := w.relocation(pc+uint64(d.TargetOff), d.TargetLen)
		var to dest
		switch d.Flow {
		case insn.Bad:
			w.cert.failed, t.facts[r.index].leads = true, ^uint64(0) // what follows is not known
			return
		case insn.Jump, insn.Branch, insn.Call:
			to = w.target(r, pc, rel)
		case insn.IndirectCall:
			to.stops = d.TargetLen > 0 && (rel != nil && t.img.stops(*rel) || !t.img.rel && t.img.never(d.Target))
		}
		if !w.again {
			w.constants(rel)
			if d.System {
				t.facts[r.index].system = true
			}
		}
		if !w.cert.failed {
			w.cert.code = code[off:]
			w.cert.insn(base+uint32(off), d, to)
		} else if w.again {
			return
		}
	}
	if goesOn := d.Flow == insn.Next || d.Flow == insn.Branch; !goesOn || w.again || r.Block > 0 || d.Pad || d.System {
		return
	}
	if x, ok := t.find(int32(r.Place), r.End); ok && t.ranges[x].Start == r.End {
		w.refs.falls = append(w.refs.falls, edge{from: r.index, to: x, start: true})
	}
}

// read returns the code of a range. In bytes more follows it, so that the last instructions are recognised.
func (w *sweeper) read(r *Range) ([]byte, bool) {
	n, least := int(r.End-r.Start), textPiece
	if w.again {
		least = 0 // the ranges have no order
	}
	const after = insn.MaxLen + 1 // goesOn looks at it, too
	if w.bytes = w.text.fetch(int32(r.Place), r.Start, n+after, least); len(w.bytes) < n+after {
		code, ok := w.v.code(r.Place, r.Start, r.End, w.buf)
		if !ok {
			return nil, false
		}
		w.buf = append(code, make([]byte, after)...)
		w.bytes = w.buf
	}
	return w.bytes[:n], true
}

// textPiece is the number of bytes of code that are read at once.
const textPiece = 64 << 10

// relocation returns the first relocation of a field of n bytes; nil if there is none. It is called for ascending addresses.
func (w *sweeper) relocation(from uint64, n uint8) *reloc {
	for len(w.relocs) > 0 && w.relocs[0].off < from {
		w.relocs = w.relocs[1:]
	}
	if len(w.relocs) > 0 && w.relocs[0].off < from+uint64(n) {
		return &w.relocs[0]
	}
	return nil
}

// plain looks at the instructions from an offset on, as long as they are plain, lead nowhere else, and
// have no address. It returns the offset of the first one that must be decoded.
func (w *sweeper) plain(code []byte, off int, base uint32, start uint64) int {
	c, plain := &w.cert, w.v.arch.Plain
	if plain == nil || c.failed && w.again {
		return off
	}
	w.relocation(start+uint64(off), 0)
	end := len(code) - 1 // the last instruction may go on elsewhere
	if len(w.relocs) > 0 {
		end = int(min(uint64(end), w.relocs[0].off-start))
	}
	for {
		steady := c.steady(end)
		c.watch.Regs |= w.paged
		at, n, kind, regs, reg, disp := plain(w.bytes, off, steady, &c.watch)
		off = at
		next := off + n
		if kind == insn.NotPlain || next > end || regs&w.paged != 0 { // it may add to the address of a page
			return off
		}
		if kind >= insn.PlainJump {
			to := off + int(disp)
			if to <= 0 || to >= len(code) || to > off && to < next {
				return off
			}
			if kind == insn.PlainJump {
				w.paged = 0
			}
			if !c.failed {
				c.plainJump(base+uint32(off), uint32(n), base+uint32(to), kind)
			}
		} else if !c.failed && !c.plain(base+uint32(off), uint32(n), kind, regs, reg, disp) {
			return off
		}
		if off = next; c.failed && w.again {
			return off
		}
	}
}
