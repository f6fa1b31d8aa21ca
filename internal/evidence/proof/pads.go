package proof

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// LSDA is the place of a function's exception table, a language-specific data area.
type LSDA struct {
	Place uint32 // index of the section in which Addr is an offset (relocatable files), or 0
	Addr  uint64
	Func  uint64 // start of the function; offsets in the table are relative to it
	// Pushed has the sizes of pushed arguments, by address. Landing pads run without these arguments.
	Pushed []cfi.Pushed
}

// FindLSDA returns the exception table of the function at an address, and reports whether the function has one. It
// must be safe for concurrent use.
type FindLSDA func(place uint32, pc uint64) (LSDA, bool)

// LSDAs returns a FindLSDA that uses the LSDA pointers in CFI, or nil if the CFI has none.
func LSDAs(frames *cfi.Frames) FindLSDA {
	if !frames.HasLSDAs() {
		return nil
	}
	return func(place uint32, pc uint64) (LSDA, bool) {
		f, ok := frames.At(place, pc)
		if !ok || !f.LSDA.OK || f.LSDA.Null || f.LSDA.Indirect {
			return LSDA{}, false
		}
		return LSDA{f.LSDA.Place, f.LSDA.Addr, f.Start.Addr, f.Pushed(nil)}, true
	}
}

// site is code of a range, and the landing pad of exceptions that leave it.
type site struct {
	start, end uint64
	pad        address
}

// Bounds of the tables of exceptions: the bytes of one, and its call sites.
const (
	maxTableBytes = budget.TrackSiteBytes
	maxSites      = budget.TrackSites
)

// sites appends the call sites of a range that have landing pads. A table that is not in order
// has none.
func (v *view) sites(find FindLSDA, r *Range, out []site) ([]site, LSDA) {
	l, ok := find(r.Place, r.Start)
	if !ok {
		return out, l
	}
	head := v.data(int32(l.Place), l.Addr, cfi.MaxLSDAHead)
	var relocated func(off int64) cfi.Pointer
	if v.rel {
		relocated = func(off int64) cfi.Pointer { return v.padBase(l, off) }
	}
	d, ok := cfi.NewLSDA(head, l.Addr, v.arch.abi, relocated)
	if !ok {
		return out, l
	}
	table := v.bytes(int32(l.Place), l.Addr+uint64(d.Table.Off), min(int(d.Table.Len), maxTableBytes))
	if err := v.o.Step(int64(len(table))); err != nil {
		v.fail(err)
		return out, l
	}
	base := address{int32(r.Place), l.Func}
	if !d.PadBase.Null {
		base = address{int32(d.PadBase.Place), d.PadBase.Addr}
	}
	n, last := len(out), uint64(0)
	for s := range d.CallSites(table) {
		if s.Start < last || s.End < s.Start || len(out)-n >= maxSites {
			return out[:n], l
		}
		last = s.End
		if s.Pad != 0 && s.Start < s.End {
			out = append(out, site{l.Func + s.Start, l.Func + s.End, address{base.place, base.addr + s.Pad}})
		}
	}
	return out, l
}

// padBase returns what the landing pads of a table in a relocatable file count from.
func (v *view) padBase(l LSDA, off int64) cfi.Pointer {
	r, ok := v.relocAt(int32(l.Place), l.Addr+uint64(off))
	if !ok {
		return cfi.Pointer{}
	}
	place, addr, ok := v.symbol(r)
	return cfi.Pointer{Place: uint32(place), Addr: addr, OK: ok}
}

// siteAt returns the call site that has the instruction before an address.
func siteAt(sites []site, next uint64) (*site, bool) {
	i, ok := slices.BinarySearchFunc(sites, next-1, func(s site, pc uint64) int { return cmp.Compare(s.start, pc) })
	if !ok {
		i--
	}
	if i < 0 || next > sites[i].end {
		return nil, false
	}
	return &sites[i], true
}

// pushedAt returns how many bytes of arguments the stack has at the instruction before an
// address.
func (p *part) pushedAt(next uint64) uint64 {
	n := uint64(0)
	for _, q := range p.pushed {
		if q.From >= next {
			break
		}
		n = q.Bytes
	}
	return n
}

// enterPad enters the landing pad of a call, to which the execution goes where the callee throws an
// exception. The unwinder restores the registers that a callee keeps, and SP without arguments.
func (u *unit) enterPad(k int32, s *state) {
	i := &u.ins[k]
	p := &u.parts[i.part]
	if len(p.sites) == 0 {
		return
	}
	next := u.pc(k) + uint64(i.len)
	at, ok := siteAt(p.sites, next)
	if !ok {
		return
	}
	q, off, ok := u.locate(at.pad.place, at.pad.addr)
	if !ok || !u.boundary(q, off) {
		return
	}
	t := u.throw(k, s)
	t.set(u.arch.sp, addOffset(s.regs[u.arch.sp], int64(p.pushedAt(next))), s.by[u.arch.sp])
	if to := u.reach(q, off); to >= 0 {
		if u.pads == nil {
			u.pads = map[int32]int32{}
		}
		u.pads[k], u.ins[to].catches = to, true
		u.enter(to, t)
	}
}

// throw returns the state at the landing pad of a call, except for SP where that has arguments.
func (u *unit) throw(k int32, s *state) *state {
	t := &u.taken
	t.copyFrom(s, u.arch.Regs)
	u.call(t, k, &u.ins[k])
	for r := range t.regs[:u.arch.Regs] {
		if u.arch.Thrown&bit(insn.Reg(r)) != 0 {
			t.set(insn.Reg(r), Value{Base: Scratch}, k)
		}
	}
	t.weak, t.guess = s.weak, s.guess
	return t
}

// enterUnlisted enters the landing pads of an object without tables of exceptions: code that no way leads to, all of which
// calls what only landing pads call. Each has what all calls of the function have in common.
func (u *unit) enterUnlisted() {
	if u.t.lsda != nil || !u.img.throws || !u.lands() || u.opaque() {
		return
	}
	var all []int32
	for p := range u.parts {
		part := &u.parts[p]
		for off := 0; off < len(part.code); off += int(u.ins[part.at[off]].len) {
			if part.at[off] < 0 {
				u.reach(p, off)
			}
			if k := part.at[off]; k < 0 || u.ins[k].flow == insn.Bad {
				return
			} else if i := &u.ins[k]; i.owner < 0 {
				all = append(all, k)
			}
		}
	}
	led, lands := make([]bool, len(u.ins)), make([]bool, len(u.ins))
	for changed := true; changed && u.pay(); {
		changed = false
		for _, k := range slices.Backward(all) {
			u.work++
			ends := u.ins[k].lands
			for _, to := range [...]int32{u.to(k), u.successors(k)[0]} {
				if to >= 0 {
					led[to], ends = true, ends || lands[to]
				}
			}
			lands[k], changed = ends, changed || ends != lands[k]
		}
	}
	var roots []int32
	for _, k := range all {
		if led[k] {
			continue
		}
		for k >= 0 && u.ins[k].owner < 0 && u.ins[k].pads() {
			k = u.next(k) // it may fill space
		}
		switch {
		case k < 0 || u.ins[k].owner >= 0:
		case !lands[k]:
			return
		default:
			roots = append(roots, k)
		}
	}
	call, thrown, pushes, top := none, &u.less, false, int64(nowhere)
	for p := range u.parts {
		u.walk(p, func(k int32, s *state) {
			if o := u.effects(&u.ins[k]); u.isPush(k) {
				pushes = pushes || o[0].src == insn.NoReg || u.ifPreserved(s.regs[o[0].src]).Base != Entry
			}
			if u.ins[k].isCall() && !s.guess {
				top = max(top, u.lowestSaved(s))
			}
			switch {
			case !u.ins[k].isCall() || s.guess:
			case call < 0:
				call = k
				thrown.copyFrom(u.throw(k, s), u.arch.Regs)
			default:
				thrown.merge(u.throw(k, s), u.arch.Regs, u.arch.joiner())
			}
		})
	}
	if call < 0 {
		return
	}
	if sp := thrown.regs[u.arch.sp]; sp.Base != CFA || pushes || thrown.regs[u.arch.fp].Base == CFA { // of the calls, with arguments
		thrown.set(u.arch.sp, Value{Base: Stack, KeyB: true, Off: top}, call)
	}
	thrown.weak = true
	for _, k := range roots {
		u.ins[k].catches = true
		u.jumpsTo(call, k)
		u.enter(k, thrown)
	}
	u.solve()
}

// lowestSaved returns an offset from the CFA below which SP is without arguments: that of a register which the function has
// saved, or of SP on entry.
func (u *unit) lowestSaved(s *state) int64 {
	low := -u.arch.abi.EntryCFA
	for i := range s.slots {
		switch p := &s.slots[i]; {
		case u.ifPreserved(p.v).Base != Entry || p.v.from(u.arch.ra):
		case p.base == CFA:
			low = min(low, p.off)
		case p.base == Aligned && u.knows(Value{At: p.at}):
			low = min(low, u.origins[int32(p.at)].off+p.off)
		}
	}
	return low
}

// lands reports whether code that no way leads to calls what only landing pads call.
func (u *unit) lands() bool {
	d := &u.dec
	for p := range u.parts {
		part := &u.parts[p]
		if u.img.rel && !u.img.namesPads(part.relocs, part.Start, part.Start+uint64(len(part.code))) {
			continue
		}
		for off := 0; off < len(part.code); off += max(int(d.Len), 1) {
			if k := part.at[off]; k >= 0 && u.ins[k].owner >= 0 {
				d.Len = u.ins[k].len
				continue
			}
			u.work++
			pc := part.Start + uint64(off)
			u.arch.Decode(part.code[off:], pc, d)
			if r, relocated := u.relocation(part, pc, d); u.onlyPads(d, r, relocated) {
				return true
			}
		}
	}
	return false
}

// onlyPads reports whether an instruction calls what only landing pads call.
func (u *unit) onlyPads(d *insn.Insn, r reloc, relocated bool) bool {
	kind := int32(0)
	switch {
	case d.Flow != insn.Call && d.Flow != insn.IndirectCall || d.TargetLen == 0:
	case relocated:
		kind = u.img.kind(r)
	case u.img.rel:
	case d.Flow == insn.Call:
		kind = u.img.plt[d.Target]
	default:
		kind = u.img.slots[d.Target]
	}
	return kind <= resumes
}
