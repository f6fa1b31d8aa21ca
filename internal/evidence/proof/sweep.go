package proof

import (
	"slices"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// sweep decodes the code of the n-th piece of the ranges, by their order. It finds the calls and jumps that
// lead from one range to another, and certifies the ranges that are functions of their own.
func (w *sweeper) sweep(n int) error {
	t := w.t
	bytes := int64(0)
	for n, x := range t.order[n*sweptAtOnce : min((n+1)*sweptAtOnce, len(t.order))] {
		r := &t.ranges[x]
		if bytes += int64(r.End - r.Start); n == 0 || bytes >= payStep {
			if err := t.img.o.Step(bytes * decodeSteps); err != nil {
				return err
			}
			bytes = 0
		}
		w.begin()
		w.add(x, true)
		w.pads(x)
		w.code(0)
		w.certifyAgain()
		t.facts[x].certified = w.cert.passed() && !w.goesOn(x)
	}
	return nil
}

// sweeper decodes the code of ranges: it finds what the code refers to, and certifies it.
type sweeper struct {
	t     *Tracker
	v     *view
	text  *view // of the code that is looked at
	parts []swept
	sites []site // of all parts
	cert  certifier
	d     insn.Insn
	buf   []byte
	bytes []byte // of the current part, and beyond

	again  bool // nothing is recorded: the code has been looked at before
	refs   refs
	relocs []reloc // from the current instruction on
	paged  uint32  // registers that are set to pages, a bit each
	pages  [insn.MaxRegs]uint64
}

// swept is a range that is looked at.
type swept struct {
	*Range
	index int32
	entry bool
}

// sweepers are those of small objects, to be used again: their buffers are most of what such an object takes.
var sweepers = sync.Pool{New: func() any { return &sweeper{v: new(view), text: new(view)} }}

func newSweeper(t *Tracker) *sweeper {
	w := sweepers.Get().(*sweeper)
	w.t, w.again = t, false
	w.cert.a, w.cert.engine = t.img.arch, unit{arch: t.img.arch, partial: true, origins: map[int32]origin{}}
	w.v.use(t.img)
	w.text.use(t.img)
	w.refs.reset()
	w.cert.forgetFrames()
	return w
}

// release gives the sweeper back.
func (w *sweeper) release() {
	if small := len(w.t.order) <= sweptAtOnce && cap(w.buf)+cap(w.bytes)+cap(w.v.large) <= 2*textPiece; !small {
		return
	}
	w.t, w.cert.a, w.cert.piece, w.relocs = nil, nil, nil, nil
	w.v.use(nil)
	w.text.use(nil)
	clear(w.parts[:cap(w.parts)])
	clear(w.sites[:cap(w.sites)])
	sweepers.Put(w)
}

// begin starts with another function.
func (w *sweeper) begin() {
	w.parts, w.sites = w.parts[:0], w.sites[:0]
	w.cert.begin()
	w.cert.failed = w.t.rows == nil
}

// add adds a range to the function.
func (w *sweeper) add(x int32, entry bool) {
	r := &w.t.ranges[x]
	w.parts = append(w.parts, swept{r, x, entry})
	first := len(w.sites)
	if w.t.lsda != nil {
		var l LSDA
		if w.sites, l = w.v.sites(w.t.lsda, r, w.sites); len(w.sites) > first && len(l.Pushed) > 0 {
			w.cert.failed = true // the state at a landing pad depends on arguments on the stack
		}
	}
	w.cert.failed = w.cert.failed || r.End-r.Start > uint64(w.t.img.o.Size) // CFI may claim more than there is
	if !w.cert.failed {
		w.cert.add(r, x, w.t.rows, w.sites[first:len(w.sites):len(w.sites)])
	}
}

// certify certifies the ranges of a unit together. One of them must be an entry.
func (w *sweeper) certify(ranges []int32) bool {
	if w.t.rows == nil {
		return false
	}
	w.again = true
	w.begin()
	for _, entry := range [...]bool{true, false} {
		for _, x := range ranges {
			if w.t.entered(x) == entry && !w.cert.failed {
				w.cert.failed = len(w.t.middle[x]) > 0 || w.goesOn(x)
				w.add(x, entry)
			}
		}
	}
	w.all()
	w.certifyAgain()
	return w.cert.passed() && w.parts[0].entry
}

// all decodes the code of all parts, until they are not certified.
func (w *sweeper) all() {
	for k := 0; k < len(w.parts) && !w.cert.failed; k++ {
		w.code(k)
	}
}

// certifyAgain starts over with what loops keep of the state, as often as one loses more.
func (w *sweeper) certifyAgain() {
	before := w.again
	w.again = true
	for range maxAgain {
		if !w.cert.mustRepeat() {
			break
		}
		w.all()
	}
	w.again = before
}

// maxAgain is how often code is certified again.
const maxAgain = 4

// target returns where an instruction leads, and records it.
func (w *sweeper) target(r *swept, pc uint64, rel *reloc) dest {
	to := dest{place: int32(r.Place), addr: w.d.Target, ok: true}
	if rel != nil {
		to.place, to.addr, to.ok = w.t.img.reach(*rel, w.d.TargetOff, w.d.Len)
	}
	if !to.ok {
		to.stops = w.d.Flow == insn.Call && w.t.img.stops(*rel)
		return to
	}
	to.stops = w.d.Flow == insn.Call && !w.t.img.rel && w.v.stopsAt(to.addr)
	if x, ok := w.t.img.plt[to.addr]; ok && x >= 0 && w.d.Flow == insn.Call && !w.again { // a function of the file
		w.refs.calls = append(w.refs.calls, call{to: x, at: pc})
	}
	if to.place == int32(r.Place) && to.addr > r.Start && to.addr < r.End {
		to.in = true
		if to.addr > pc && to.addr < pc+uint64(w.d.Len) {
			w.removeTrap(to)
		}
		return to
	}
	x, ok := w.t.find(to.place, to.addr)
	if !ok {
		to.open = w.opens(r.Range, to)
		return to
	}
	to.in = slices.ContainsFunc(w.parts, func(p swept) bool { return p.index == x })
	if !w.again {
		w.leads(r.index, pc, x, to.addr)
	}
	return to
}

// removeTrap removes the target of a jump into its own middle if there is no valid instruction. Compilers for
// s390x write such traps.
func (w *sweeper) removeTrap(to dest) {
	code := w.v.data(to.place, to.addr, insn.MaxLen)
	in := w.v.arch.Decode.One(code, to.addr)
	switch {
	case len(code) == 0:
	case in.Flow != insn.Stop && in.Flow != insn.Bad:
	case w.d.Flow == insn.Branch:
		w.d.Flow = insn.Next
	case w.d.Flow == insn.Jump:
		w.d.Flow = insn.Stop
	}
}

// mark returns the bit of a range, which others may have, too.
func mark(x int32) uint64 { return 1 << (uint32(x) * 0x9e3779b1 >> 26) }

// leads records that an instruction of the range x leads to an address of the range to.
func (w *sweeper) leads(x int32, pc uint64, to int32, addr uint64) {
	start := w.t.startsAt(to, addr)
	w.t.facts[x].leads |= mark(to)
	switch {
	case w.d.Flow == insn.Call && start:
		w.refs.calls = append(w.refs.calls, call{to: to, at: pc})
	case to == x:
	case w.d.Flow == insn.Call:
		w.refs.calls = append(w.refs.calls, call{to: to, middle: true, at: addr - w.t.ranges[to].Start})
	default:
		w.refs.edge(edge{from: x, to: to, start: start, branch: w.d.Flow == insn.Branch})
	}
}

// Nearby is a maximum distance in bytes: from the target of a call to the range that the target's code belongs to,
// and from the end of a range to more of its code after a jump.
const Nearby = 64

// opens reports whether a jump leads to code that no range has. Where that code may belong to a
// range, the one that leads there is not certified.
func (w *sweeper) opens(r *Range, to dest) bool {
	if w.cert.failed {
		return w.d.Flow != insn.Call
	}
	if w.d.Flow != insn.Call {
		beyond := to.place == int32(r.Place) && to.addr >= r.End && to.addr-r.End <= Nearby // a part that the range lacks
		if w.v.arch.abi.Veneers && !beyond {
			size := int(w.v.arch.abi.MinInsn)
			if after := w.v.data(to.place, to.addr+uint64(size), size); len(after) == size {
				beyond = w.v.arch.Decode.One(after, 0).Flow == insn.Jump // the second instruction of a veneer
			}
		}
		w.cert.failed = beyond
		return true
	}
	start, ok := w.t.next(to.place, to.addr)
	if !ok || start-to.addr > Nearby {
		return false
	}
	code := w.v.data(to.place, to.addr, int(start-to.addr))
	for len(code) > 0 {
		next := w.v.arch.Decode.One(code, 0)
		code = code[next.Len:]
		if !next.Cond && (next.Flow == insn.Jump || next.Flow == insn.IndirectJump || next.Flow == insn.Return) {
			return false // another function, or a stub
		}
	}
	w.cert.failed = true // the range starts late
	return false
}

// goesOn reports whether code follows a range that no other range has, and that may belong to it or
// to the next one.
func (w *sweeper) goesOn(x int32) bool {
	r := &w.t.ranges[x]
	end := r.End + insn.MaxLen + 1
	if next, ok := w.t.after(x); ok {
		if next == r.End {
			return false
		}
		end = min(end, next)
		if a := uint64(w.v.arch.abi.FuncAlign); w.v.arch.abi.MinInsn < 4 && next%a != 0 && next-next%a >= r.End {
			return true
		}
	}
	after := w.text.data(int32(r.Place), r.End, 2*insn.MaxLen)
	if plain := w.v.arch.Plain; plain != nil && len(after) > 0 {
		if _, n, kind, _, _, _ := plain(after, 0, 0, &noWatch); kind == insn.PlainPad && uint64(n) <= end-r.End {
			return false
		}
	}
	if after = after[:min(len(after), int(end-r.End))]; len(after) == 0 {
		return false
	}
	w.v.arch.Decode(after, r.End, &w.d)
	return !w.d.Pad && w.d.Flow != insn.Stop
}

// noWatch watches nothing.
var noWatch insn.Watch

// pads records the landing pads of a range that are in other ranges.
func (w *sweeper) pads(x int32) {
	for i := range w.sites {
		pad := w.sites[i].pad
		if to, ok := w.t.find(pad.place, pad.addr); ok && to != x {
			w.refs.edge(edge{from: x, to: to, start: w.t.ranges[to].Start == pad.addr, pad: true})
		}
	}
}

// constants records the addresses that an instruction has, of functions and of tables.
func (w *sweeper) constants(rel *reloc) {
	d, img, paged := &w.d, w.t.img, w.paged
	for k := range d.Ops[:d.N] {
		o := &d.Ops[k]
		var a address
		if paged != 0 && assigns(o.Do) {
			w.paged &^= bit(o.Dst)
		}
		switch {
		case o.Do == insn.Move && paged>>o.Src&1 != 0 && o.Off != 0:
			a.addr = w.pages[o.Src] + uint64(o.Off)
		case o.Do != insn.Const && (o.Do != insn.Element || o.Src != insn.NoReg):
			continue
		case rel != nil:
			var ok bool
			if img.pcRelative(rel.typ) {
				a.place, a.addr, ok = img.reach(*rel, d.TargetOff, d.Len)
			} else {
				a.place, a.addr, ok = img.symbol(*rel)
			}
			if !ok {
				continue
			}
		case img.rel || uint64(o.Off) < minTable:
			continue
		default:
			a.addr = uint64(o.Off)
			if img.arch.Pages && a.addr%pageSize == 0 {
				w.pages[o.Dst], w.paged = a.addr, w.paged|bit(o.Dst)
				continue // what is added to it makes the address
			}
		}
		w.refers(a)
	}
	if d.Calls() {
		w.paged &= img.arch.Saved
	} else if d.Flow != insn.Next && d.Flow != insn.Branch {
		w.paged = 0
	}
}

// pageSize is what adrp of AArch64 counts in.
const pageSize = 1 << 12

// refers records that code has an address.
func (w *sweeper) refers(a address) {
	if x, ok := w.t.find(a.place, a.addr); !ok {
		w.refs.table(a)
	} else if w.t.ranges[x].Start == a.addr {
		w.refs.taken = append(w.refs.taken, x)
	}
}
