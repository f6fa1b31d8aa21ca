package properties

import (
	"encoding/binary"
	"errors"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/tool/plain"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// maxTraces is how many stacks are traced with a section, maxSteps how far.
const maxTraces, maxSteps = 12, 40

// stepping compares the cursor with the interpreter of the manual's appendix,
// frame by frame and in the reason to stop, on drawn registers and memories.
func (r *run) stepping() {
	b, s := r.section()
	if s == nil || len(r.p.Funcs) == 0 {
		return
	}
	abi := r.p.ABIInfo()
	read, err := plain.Decode(b, r.p.Addr)
	if err != nil {
		r.fail("by the plain decoder: %v", err)
		return
	}
	for range maxTraces {
		d := &drawn{p: r.p, seed: r.m.Rand.Uint64(), bias: r.m.Rand.Uint64() &^ 0xfff, s: s}
		r.trace(d, &appendix{s: read, bias: d.bias, read: d.word, reg: d.value, sp: abi.SP, fp: abi.FP, ra: abi.RA})
	}
}

func (r *run) trace(d *drawn, a *appendix) {
	abi := r.p.ABIInfo()
	c := unwind.New(abi, d, d, d, unwind.Options{MaxFrames: maxSteps})
	f := aframe{pc: d.PC(), sp: d.value(abi.SP), fp: d.value(abi.FP), topmost: true, exact: true}
	for {
		if g := c.Frame(); g.PC != f.pc || g.SP != f.sp || g.FP != f.fp || g.Exact != f.exact {
			r.fail("frame %d is %x %x %x, in the appendix %+v", g.Index, g.PC, g.SP, g.FP, f)
			return
		}
		r.places(d, c)
		next, why := a.next(f)
		switch stop := c.Step(); {
		case stop == nil && why == "":
			f = next
			continue
		case stop == nil:
			r.fail("frame %d: a step, in the appendix %s", c.Frame().Index, why)
		case stop.Reason == unwind.TooManyFrames || stop.Reason == unwind.Loop:
			// The appendix has no limit, and does not notice a loop.
		case stop.Reason != why:
			r.fail("frame %d: %s, in the appendix %q", c.Frame().Index, stop.Reason, why)
		}
		return
	}
}

// places checks that FP, and PC as far as it is not signed, are where the cursor
// says.
func (r *run) places(d *drawn, c *unwind.Cursor) {
	f, abi := c.Frame(), r.p.ABIInfo()
	check := func(what string, at unwind.Location, v, care uint64) {
		have := v
		switch at.Kind {
		case unwind.InMemory:
			have, _ = d.word(at.Addr)
		case unwind.InRegister:
			have = d.value(at.Reg)
		}
		if (have^v)&care != 0 {
			r.fail("frame %d: %s is %x, at its place %x", f.Index, what, v, have)
		}
	}
	check("FP", c.Where(abi.FP), f.FP, ^uint64(0))
	if f.Index > 0 {
		care := ^uint64(0)
		if abi.Pauth {
			care = ^unwind.PACMask(48)
		}
		check("PC", c.Where(abi.RA), f.PC, care)
	}
}

// drawn is a program: a stack, registers and one module. A word's value depends on
// its address and the seed alone.
type drawn struct {
	p          *generator.Plan
	s          *model.Section
	seed, bias uint64
	frame      bool // the register of RA has an address in the stack, which a damaged row may count from
}

// hash mixes the seed and x (splitmix64).
func (d *drawn) hash(x uint64) uint64 {
	x = (x ^ d.seed) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// code returns an address in or after a function: often one where RA is saved, so
// that stacks are deep.
func (d *drawn) code(h uint64) uint64 {
	for try := uint64(0); ; try++ {
		f := &d.p.Funcs[(h+try)%uint64(len(d.p.Funcs))]
		pc := f.Start + h>>32%(uint64(f.Size)+2)
		if _, r, ok := d.s.At(pc - 1); try == h%8 || ok && r.Row().RA.Kind == model.FromCFA {
			return pc + d.bias
		}
	}
}

// word returns a word of memory: most are return addresses or point up the
// stack, some are signed, and a few cannot be read.
func (d *drawn) word(at uint64) (uint64, bool) {
	switch h := d.hash(at); h >> 8 % 64 {
	case 0:
		return 0, false
	case 1:
		return 0, true
	case 2:
		return h, true
	case 3:
		return at - h>>16%512, true
	case 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15:
		return at + h>>16%512, true
	case 16, 17, 18, 19, 20, 21:
		return d.code(h) ^ h<<48&^(1<<55), true
	default:
		return d.code(h), true
	}
}

// value returns a register: SP, or a value above it.
func (d *drawn) value(n uint32) uint64 {
	sp := uint64(0x7ffc_0000_0000) + d.seed&0xfffff8
	switch h := d.hash(uint64(n)); {
	case n == d.p.ABIInfo().SP:
		return sp
	case n == d.p.ABIInfo().RA && !d.frame:
		return d.code(h)
	default:
		return sp + h>>16%1024
	}
}

func (d *drawn) PC() uint64 { return d.code(d.hash(1 << 40)) }

func (d *drawn) Register(n uint32) (uint64, bool) { return d.value(n), true }

func (d *drawn) ReadMemory(at uint64, b []byte) error {
	v, ok := d.word(at)
	if !ok || len(b) != 8 {
		return errors.New("not in memory")
	}
	order := binary.AppendByteOrder(binary.LittleEndian)
	if d.p.BigEndian {
		order = binary.BigEndian
	}
	copy(b, order.AppendUint64(nil, v))
	return nil
}

func (d *drawn) Module(uint64) (unwind.Module, bool) {
	return unwind.Module{Bias: d.bias, Sections: []*model.Section{d.s}}, true
}
