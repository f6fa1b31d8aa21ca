package execute

import (
	"errors"
	"math"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// Recorder keeps what was true at every visit of each PC of a program. One checker uses it.
type Recorder struct {
	files map[string]*recorded // by path
	order []*recorded
}

// recorded are the facts of a file.
type recorded struct {
	image *Image
	facts map[uint64]*fact // by address in the file
}

// NewRecorder returns an empty recorder.
func NewRecorder() *Recorder { return &Recorder{files: map[string]*recorded{}} }

// fact is what held at all visits of a PC.
type fact struct {
	Fact
	visits uint64
	len    uint8
}

// Slots from CFA - slotWindow to the CFA are examined, and those within slotMargin of one that
// holds RA or FP. Both are in bytes.
const slotWindow, slotMargin = 512, 64

// The CFA is also looked for in the slotAbove bytes from the CFA on.
const slotAbove = 64

// Slots are read at the first visits of a PC, and then at every 16th.
const closeVisits, farVisits = 64, 16

// maxFacts bounds the PCs of a file.
const maxFacts = 1 << 22

// record adds a visit.
func (c *Recorder) record(p *Process, t *thread, r *Regs, pl *site) {
	f := t.top()
	if f.kind == handled || f.noRA || f.noFP && f.kind != bottom {
		return
	}
	x := pl.truth
	if x == nil {
		if x = c.fact(pl); x == nil {
			return
		}
		pl.truth = x
	}
	if x.visits++; x.visits == 1 {
		x.len = pl.class.len
	}
	if f.kind == bottom {
		x.Bottom = true
		return
	}
	cfa := f.sp - uint64(p.abi.SPOffset)
	for _, d := range pl.derefs {
		if !slices.Contains(x.Not, d) && !p.holds(d, f, r, cfa) {
			x.Not = append(x.Not, d)
		}
	}
	if !x.Caller {
		x.Caller = true
		x.begin(p, f, r, pl, cfa)
		return
	}
	x.narrow(p, f, r, cfa)
}

// derefs returns the rules of a place that read memory at a register, as in [Fact.Not].
func derefs(rows ...model.Row) (out [][3]int64) {
	for i := range rows {
		for what, v := range []model.Recovery{rows[i].CFA, rows[i].RA, rows[i].FP} {
			d := [3]int64{int64(what), int64(v.Reg), v.Offset}
			if v.Kind == model.InRegister && v.Deref && !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
	}
	return out
}

// holds reports whether a rule that reads memory at a register is right. Memory that is not
// known contradicts nothing.
func (p *Process) holds(d [3]int64, f *frame, r *Regs, cfa uint64) bool {
	v, ok := r.Register(uint32(d[1]))
	if !ok {
		return true
	}
	w, err := p.word(v + uint64(d[2]))
	if err != nil {
		return errors.Is(err, ErrUnknown)
	}
	return w == cfa && d[0] == 0 || p.plain(w) == f.ra && d[0] == 1 || w == f.fp && d[0] == 2
}

// fact returns the fact of a PC, nil where there are too many.
func (c *Recorder) fact(pl *site) *fact {
	f := c.files[pl.image.Path]
	if f == nil {
		f = &recorded{image: pl.image, facts: map[uint64]*fact{}}
		c.files[pl.image.Path] = f
		c.order = append(c.order, f)
	}
	at := pl.pc - pl.image.Bias
	x := f.facts[at]
	if x == nil {
		if len(f.facts) >= maxFacts {
			return nil
		}
		x = &fact{}
		f.facts[at] = x
	}
	return x
}

// plain returns an address without a signature.
func (p *Process) plain(v uint64) uint64 {
	if !p.abi.Pauth {
		return v
	}
	if v&(1<<55) != 0 {
		return v | unwind.PACMask(48)
	}
	return v &^ unwind.PACMask(48)
}

// begin records the first visit.
func (x *fact) begin(p *Process, f *frame, r *Regs, pl *site, cfa uint64) {
	for n := range uint32(len(r.Value)) {
		v, ok := r.Register(n)
		if !ok {
			continue
		}
		if off := int64(cfa - v); off >= math.MinInt32 && off <= math.MaxInt32 {
			x.CFA = append(x.CFA, [2]int64{int64(n), off})
		}
		if p.plain(v) == f.ra {
			x.RA = append(x.RA, int64(n))
		}
		if p.abi.Pauth && v == f.ra {
			x.RawRA = append(x.RawRA, int64(n))
		}
		if v == f.fp {
			x.FP = append(x.FP, int64(n))
		}
	}
	rules := []model.Row{pl.rules.Row}
	if pl.hasCFI {
		rules = append(rules, pl.cfi.Row)
	}
	low := int64(r.Value[p.abi.SP]-cfa) - p.abi.RedZone
	x.slots(p, f, cfa, max(-slotWindow, low), 0)
	x.slots(p, f, cfa, 0, slotAbove)
	for i := range rules {
		if c := rules[i].CFA; c.Kind == model.InRegister && c.Deref {
			if v, ok := r.Register(c.Reg); ok {
				if w, err := p.word(v + uint64(c.Offset)); err == nil && w == cfa && !slices.Contains(x.Mem, [2]int64{int64(c.Reg), c.Offset}) {
					x.Mem = append(x.Mem, [2]int64{int64(c.Reg), c.Offset})
				}
			}
		}
		for _, v := range []model.Recovery{rules[i].RA, rules[i].FP} {
			if v.Kind == model.FromCFA && v.Deref && v.Offset < -slotWindow {
				x.slots(p, f, cfa, v.Offset-slotMargin, min(v.Offset+slotMargin+8, -slotWindow))
			}
		}
	}
}

// slots records the words from CFA + lo to CFA + hi that hold RA or FP.
func (x *fact) slots(p *Process, f *frame, cfa uint64, lo, hi int64) {
	lo += -lo & 7 // words
	if lo >= hi {
		return
	}
	b := make([]byte, hi-lo)
	if err := p.space.ReadMemory(cfa+uint64(lo), b); err != nil {
		x.Partial = x.Partial || lo < 0 || errors.Is(err, ErrUnknown)
		for off := lo; off < hi; off += 8 {
			if w, err := p.word(cfa + uint64(off)); err == nil {
				x.slot(p, f, off, w)
			}
		}
		return
	}
	for off := lo; off+8 <= hi; off += 8 {
		x.slot(p, f, off, p.order.Uint64(b[off-lo:]))
	}
}

func (x *fact) slot(p *Process, f *frame, off int64, w uint64) {
	if f.sp-uint64(p.abi.SPOffset) == w && !slices.Contains(x.CFASlots, off) {
		x.CFASlots = append(x.CFASlots, off)
	}
	if off >= 0 {
		return
	}
	if p.abi.Pauth && w == f.ra && !slices.Contains(x.RawRASlots, off) {
		x.RawRASlots = append(x.RawRASlots, off)
	}
	if p.plain(w) == f.ra && !slices.Contains(x.RASlots, off) {
		x.RASlots = append(x.RASlots, off)
	}
	if w == f.fp && !slices.Contains(x.FPSlots, off) {
		x.FPSlots = append(x.FPSlots, off)
	}
}

// narrow drops what does not hold at a further visit.
func (x *fact) narrow(p *Process, f *frame, r *Regs, cfa uint64) {
	x.CFA = keep(x.CFA, func(b [2]int64) bool {
		v, ok := r.Register(uint32(b[0]))
		return ok && cfa == v+uint64(b[1])
	})
	same := func(v uint64) uint64 { return v }
	in := func(want uint64, strip func(uint64) uint64) func(int64) bool {
		return func(n int64) bool { return strip(r.Value[n]) == want }
	}
	x.RawRA, x.RA, x.FP = keep(x.RawRA, in(f.ra, same)), keep(x.RA, in(f.ra, p.plain)), keep(x.FP, in(f.fp, same))
	if x.visits > closeVisits && x.visits%farVisits != 0 {
		return
	}
	// A word that is not known contradicts nothing.
	word := func(at, want uint64, strip func(uint64) uint64) bool {
		w, err := p.word(at)
		return err == nil && strip(w) == want || errors.Is(err, ErrUnknown)
	}
	at := func(want uint64, strip func(uint64) uint64) func(int64) bool {
		return func(off int64) bool { return word(cfa+uint64(off), want, strip) }
	}
	x.RASlots, x.RawRASlots = keep(x.RASlots, at(f.ra, p.plain)), keep(x.RawRASlots, at(f.ra, same))
	x.FPSlots, x.CFASlots = keep(x.FPSlots, at(f.fp, same)), keep(x.CFASlots, at(cfa, same))
	x.Mem = keep(x.Mem, func(b [2]int64) bool {
		v, _ := r.Register(uint32(b[0]))
		return word(v+uint64(b[1]), cfa, same)
	})
}

// keep returns what of a list holds, nil for nothing.
func keep[T any](all []T, holds func(T) bool) []T {
	if all = slices.DeleteFunc(all, func(v T) bool { return !holds(v) }); len(all) == 0 {
		return nil
	}
	return all
}
