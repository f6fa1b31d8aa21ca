package proof

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// part is a range of a unit.
type part struct {
	index int // of the range
	Range
	code []byte
	at   []int32 // instructions by offset; -1: none was decoded

	relocs []reloc // of the section
	sites  []site  // with landing pads
	pushed []cfi.Pushed
}

// ins is a decoded instruction.
type ins struct {
	part         int32
	off          uint32
	op           uint32 // first effect
	ops          uint8
	len          uint8
	flow         insn.Flow
	via          insn.Reg
	equal, above insn.Way
	cond         bool
	leader       bool
	stops        bool // a call that does not return
	out          bool // the target is not in the unit
	tail         bool // an indirect jump that leaves the function, with SP as on entry
	landing      bool // an indirect jump may lead here: BTI, endbr64
	pushes       bool // a call that pushes its own return address, and goes on with the next instruction
	dropped      bool // the state does not have what SP is after a call that may not return
	cased        bool // a table of jumps leads there
	torn         bool // two ways lead there of which one is never taken
	catches      bool // exceptions lead there
	lands        bool // a call that only landing pads make
	resolved     bool // the target is an address in the object
	place        int32
	target       uint64
	to           int32 // the target, if it is in the unit; below 0: none
	state        int32 // of a leader; below 0: none
	owner        int32 // leader of the block that it was executed in
	visits       uint16
}

// unit is a function with its parts: ranges that jumps join. Its buffers are used again.
type unit struct {
	arch  *arch
	img   *view
	t     *Tracker
	parts []part
	ins   []ins
	ops   []op
	todo  [][2]int32 // part and offset to decode

	states []*state
	used   int
	queue  []int32
	queued []bool
	ways   [][2]int32 // parts and offsets that a jump table leads to

	targets []targetValue
	origins map[int32]origin

	main     int // the part with the entry
	entries  []int32
	rounds   int   // how often it was solved again for a check
	room     int   // entries of tables that may still be read
	startSP  int64 // SP - CFA at the start of a part of a function; 0 at the entry of one
	named    bool  // a local symbol names the entry
	proof    Evidence
	anchored bool
	// relative says that the state at the start is not known, and taken to be that of the ABI: what a row
	// states may be wrong there, but not become wrong while the row is in force.
	relative bool
	// relocates says that the caller's FP or the return address is stored outside of the stack: the frame
	// may be elsewhere afterwards, as libffi's is.
	relocates bool
	// abroad says that SP has been set to an address of another stack.
	abroad bool
	// partial says that states have no more than rows state: what is not known may be an address in the stack.
	partial bool
	reason  Reason            // why nothing is known, where that is so
	held    int64             // bytes of memory that have been counted
	work    int64             // instructions that were executed, and words of states that they took
	spent   int64             // of it, what was before the unit was solved
	paid    int64             // of it, what the budget has counted
	led     map[int32][]int32 // what indirect jumps lead to
	pads    map[int32]int32   // the landing pads of calls
	doubts  map[int32][]int32 // the blocks that lead to a block after a call that may not return
	first   int32             // the block that is executed; below 0: none
	paths   *paths            // see newPaths
	exits   []int32           // of each instruction, a return that it leads to, or below 0: see findReturns

	dec                    insn.Insn
	cur, temp, taken, less state
}

// origin is what an aligned SP was made from: SP was CFA + off, and is at most align-1 bytes
// below now.
type origin struct {
	off, align int64
	many       bool
}

func (u *unit) origin(at int32, off, mask int64) {
	o, ok := u.origins[at]
	switch {
	case !ok:
		u.origins[at] = origin{off: off, align: -mask}
	case o.off != off:
		o.many = true
		u.origins[at] = o
	}
}

// start makes the unit one of these ranges, and reads their code. It reports whether
// that is complete.
func (u *unit) start(ranges []int32) bool {
	u.ins, u.ops, u.todo = u.ins[:0], u.ops[:0], u.todo[:0]
	u.targets, u.used, u.rounds, u.relocates = u.targets[:0], 0, 0, false
	u.abroad = false
	if u.origins == nil || len(u.origins) > 0 {
		u.origins = map[int32]origin{}
	}
	if u.doubts == nil {
		u.doubts = map[int32][]int32{}
	}
	for len(u.parts) < len(ranges) {
		u.parts = append(u.parts, part{})
	}
	u.parts = u.parts[:len(ranges)]
	whole := true
	u.room = minRoom
	for k, index := range ranges {
		p := &u.parts[k]
		p.index, p.Range = int(index), u.t.ranges[index]
		code, ok := u.img.code(p.Place, p.Start, p.End, p.code)
		if !ok {
			code, whole = p.code[:0], false
		}
		p.code = code
		p.at = fill(p.at, len(p.code))
		u.room += 8 * len(p.code)
		p.relocs = nil
		if u.img.rel {
			p.relocs = u.img.relocsOf(int32(p.Place))
		}
		p.sites, p.pushed = p.sites[:0], nil
		if u.t.lsda != nil {
			var l LSDA
			p.sites, l = u.img.sites(u.t.lsda, &p.Range, p.sites)
			p.pushed = l.Pushed
		}
	}
	return whole
}

// minRoom is the number of entries of tables that a unit may read, besides some for each byte of its code.
const minRoom = 4 * maxEntries

// fill returns a slice of n times -1.
func fill(s []int32, n int) []int32 {
	if cap(s) < n {
		s = make([]int32, n)
	}
	s = s[:n]
	for i := range s {
		s[i] = -1
	}
	return s
}

// locate returns the part and the offset of an address.
func (u *unit) locate(place int32, addr uint64) (p, off int, ok bool) {
	// Parts are in the order of their places and addresses.
	i, exact := slices.BinarySearchFunc(u.parts, address{place, addr}, func(r part, a address) int {
		return address{int32(r.Place), r.Start}.compare(a)
	})
	if !exact {
		i--
	}
	if i < 0 {
		return 0, 0, false
	}
	r := &u.parts[i]
	return i, int(addr - r.Start), int32(r.Place) == place && addr-r.Start < uint64(len(r.code))
}

// reach decodes the code from a place on, as far as jumps lead, and returns the instruction
// there.
func (u *unit) reach(p, off int) int32 {
	u.todo = append(u.todo[:0], [2]int32{int32(p), int32(off)})
	for len(u.todo) > 0 {
		at := u.todo[len(u.todo)-1]
		u.todo = u.todo[:len(u.todo)-1]
		u.run(at[0], int(at[1]))
	}
	return u.parts[p].at[off]
}

// run decodes instructions that follow each other.
func (u *unit) run(p int32, off int) {
	part := &u.parts[p]
	last := insn.Next
	for off < len(part.code) && part.at[off] < 0 {
		if len(u.ins) >= maxInsns {
			u.reason = TooLarge
			return
		}
		part.at[off] = int32(len(u.ins))
		u.decode(p, part, off)
		i := &u.ins[len(u.ins)-1]
		if i.to == pending {
			if tp, to, ok := u.locate(i.place, i.target); ok {
				u.todo = append(u.todo, [2]int32{int32(tp), int32(to)})
			}
		}
		off += int(i.len)
		if last = i.flow; !i.goesOn() {
			return
		}
	}
	if off < len(part.code) {
		u.lead(part.at[off]) // two ways may lead there without a jump: instructions can overlap
	} else if next, ok := u.after(part); ok && last != insn.Call && last != insn.IndirectCall {
		u.todo = append(u.todo, [2]int32{int32(next), 0})
	}
}

// after returns the part that begins where another ends. Stubs do not continue after their end.
func (u *unit) after(p *part) (int, bool) {
	if p.Block > 0 {
		return 0, false
	}
	k, off, ok := u.locate(int32(p.Place), p.End)
	return k, ok && off == 0
}

// maxInsns and maxStates bound the instructions and the blocks of a unit, and with them the
// memory that it takes.
const (
	maxInsns  = budget.TrackInsns
	maxStates = budget.TrackBlocks
	maxStubs  = maxStates * 15 / 16
)

// Values of ins.to.
const (
	none    int32 = -1
	pending int32 = -2 // in the unit, and perhaps not decoded
)

// decode appends the instruction at an offset.
func (u *unit) decode(p int32, part *part, off int) {
	d := &u.dec
	pc := part.Start + uint64(off)
	u.arch.Decode(part.code[off:], pc, d)
	i := ins{part: p, off: uint32(off), op: uint32(len(u.ops)), ops: d.N, len: d.Len, flow: d.Flow, via: d.Via,
		equal: d.Equal, above: d.Above, cond: d.Cond, landing: d.Landing, to: none, state: -1, owner: -1, place: int32(part.Place)}
	if part.Block > 0 && d.Flow == insn.IndirectJump && d.Via == insn.NoReg {
		i.cond = true // a stub that the dynamic linker has not resolved goes on
	}
	r, relocated := u.relocation(part, pc, d)
	for k := range d.Ops[:d.N] {
		o := &d.Ops[k]
		n := effect(o)
		if o.Do == insn.Const || o.Do == insn.Element && o.Src == insn.NoReg {
			u.resolve(&n, r, relocated, d, int32(part.Place))
		}
		u.ops = append(u.ops, n)
	}
	i.lands = u.onlyPads(d, r, relocated)
	switch d.Flow {
	case insn.Jump, insn.Branch, insn.Call:
		u.leads(&i, d, r, relocated)
	case insn.IndirectCall:
		i.stops = d.TargetLen > 0 && (relocated && u.img.stops(r) || !u.img.rel && u.img.never(d.Target))
	}
	u.ins = append(u.ins, i)
}

// relocation returns the relocation of the target of an instruction, or of its Const.
func (u *unit) relocation(part *part, pc uint64, d *insn.Insn) (r reloc, ok bool) {
	if u.img.rel && d.TargetLen > 0 {
		from := pc + uint64(d.TargetOff)
		r, ok = u.img.findReloc(part.relocs, from, from+uint64(d.TargetLen))
	}
	return r, ok
}

// effect returns an effect of an instruction.
func effect(o *insn.Op) op {
	return op{do: o.Do, dst: o.Dst, src: o.Src, unsigned: o.Unsigned, size: o.Size, off: o.Off}
}

// resolve sets the address that an effect has.
func (u *unit) resolve(o *op, r reloc, relocated bool, d *insn.Insn, here int32) {
	if !relocated {
		switch {
		case !u.img.rel:
		case o.do == insn.Element:
			o.place = -1
		case d.Target != 0 && d.Target == uint64(o.off):
			o.place = here // the assembler has computed an address in the section
		}
		return
	}
	place, addr, ok := u.img.symbol(r)
	if ok && u.img.pcRelative(r.typ) {
		place, addr, ok = u.img.reach(r, d.TargetOff, d.Len)
	}
	o.place, o.off = place, int64(addr)
	if !ok {
		o.place = -1
	}
}

// leads sets where a jump, branch or call leads.
func (u *unit) leads(i *ins, d *insn.Insn, r reloc, relocated bool) {
	i.target, i.resolved = d.Target, true
	if relocated {
		i.place, i.target, i.resolved = u.img.reach(r, d.TargetOff, d.Len)
		i.stops = i.flow == insn.Call && !i.resolved && u.img.stops(r)
	}
	if !i.resolved {
		i.out = true
		return
	}
	if p, off, ok := u.locate(i.place, i.target); ok && (i.flow != insn.Call || u.arch.onSP && p == int(i.part) && off > 0) {
		i.to = pending
		drops := i.flow == insn.Call && u.dropsReturn(&u.parts[p], off)
		i.pushes = drops && off == int(i.off)+int(i.len) && p == int(i.part)
		i.stops = drops && !i.pushes
		return
	}
	i.out = true
	i.stops = i.flow == insn.Call && !u.img.rel && u.img.stopsAt(i.target)
}

// dropsReturn reports whether the first instruction at an offset removes or overwrites the return address at SP, as in a
// return thunk: a call of it does not return. Code that does not is a subroutine, even if it follows the call.
func (u *unit) dropsReturn(p *part, off int) bool {
	var d insn.Insn
	u.arch.Decode(p.code[off:], p.Start+uint64(off), &d)
	return slices.ContainsFunc(d.Ops[:d.N], func(o insn.Op) bool {
		return o.Dst == u.arch.sp && (o.Do == insn.Move && o.Src == o.Dst && o.Off > 0 || o.Do == insn.Store && o.Off == 0)
	})
}

// effects returns the effects of an instruction.
func (u *unit) effects(i *ins) []op { return u.ops[i.op : i.op+uint32(i.ops)] }

// goesOn reports whether the next instruction may follow one, as far as the instruction itself says.
func (i *ins) goesOn() bool {
	switch i.flow {
	case insn.Next, insn.Branch:
		return true
	case insn.Call, insn.IndirectCall:
		return !i.stops
	}
	return i.cond // of a Return or an IndirectJump
}

// next returns the instruction after another, below 0 if there is none in the unit.
func (u *unit) next(k int32) int32 {
	i := &u.ins[k]
	p := &u.parts[i.part]
	off := int(i.off) + int(i.len)
	if off < len(p.at) {
		return p.at[off]
	}
	if i.isCall() { // the last instruction of a range
		return none
	}
	if q, ok := u.after(p); ok {
		return u.parts[q].at[0]
	}
	return none
}

// pc returns the address of an instruction.
func (u *unit) pc(k int32) uint64 {
	i := &u.ins[k]
	return u.parts[i.part].Start + uint64(i.off)
}
