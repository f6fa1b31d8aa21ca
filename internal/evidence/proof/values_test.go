package proof

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// world is an execution of effects on numbers: what a function finds on entry differs from that in another world.
type world struct {
	a       *arch
	cfa     uint64
	entry   [insn.MaxRegs]uint64
	regs    [insn.MaxRegs]uint64
	memory  map[uint64]byte
	unknown func(addr uint64) byte // memory before the first store
	even    bool                   // conditions hold
}

func newWorld(a *arch, seed uint64) *world {
	r := rand.New(rand.NewPCG(seed, 0))
	w := &world{a: a, cfa: 0x7ffc_0000_0000 + uint64(r.IntN(1<<20))*64, memory: map[uint64]byte{}, even: seed%2 == 0}
	for i := range w.entry {
		w.entry[i] = 1<<48 + r.Uint64N(1<<40)*8 + 8
	}
	w.entry[a.sp] = w.cfa - uint64(a.abi.EntryCFA)
	w.regs = w.entry
	w.unknown = func(addr uint64) byte { return byte(rand.New(rand.NewPCG(seed, addr)).Uint32() | 1) }
	if a.onSP {
		w.entry[a.ra] = 1<<47 + r.Uint64N(1<<40)
		w.write(w.cfa-8, w.entry[a.ra], 8)
	}
	return w
}

func (w *world) read(addr uint64, n int) (v uint64) {
	for k := range n {
		b, ok := w.memory[addr+uint64(k)]
		if !ok {
			b = w.unknown(addr + uint64(k))
		}
		v |= uint64(b) << (8 * k)
	}
	return v
}

func (w *world) write(addr, v uint64, n int) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	for k := range n {
		w.memory[addr+uint64(k)] = b[k%8]
	}
}

// do executes an effect. noise is what it makes of nothing; all worlds get the same.
func (w *world) do(o *insn.Op, noise uint64) {
	size := int(o.Size)
	if size == 0 {
		size = 8
	}
	var src, dst uint64
	if o.Src < insn.MaxRegs {
		src = w.regs[o.Src]
	}
	dst = w.regs[o.Dst]
	v := noise | 1
	switch o.Do {
	case insn.Move:
		v = src + uint64(o.Off)
	case insn.Load:
		v = w.read(src+uint64(o.Off), size)
	case insn.Store:
		if o.Src == insn.NoReg {
			src = noise
		}
		w.write(dst+uint64(o.Off), src, size)
		return
	case insn.Fill:
		w.write(dst, noise, int(src)*size)
		return
	case insn.Forget:
		if o.Src == insn.NoReg {
			src = w.entry[w.a.fp]
		} else {
			src = w.read(src, size)
		}
		w.write(dst+uint64(o.Off), src, size)
		return
	case insn.Derive:
		b := noise | 1
		if o.Off != int64(insn.NoReg) {
			b = w.regs[o.Off]
		}
		if o.Src == insn.NoReg {
			src = noise | 1
		}
		if v = bits.RotateLeft64(src, 7) + b*5; o.Unsigned {
			v = src * b
		}
	case insn.Lose:
		v = w.entry[noise%8]
	case insn.Either:
		if v = dst; w.even {
			v = src
		}
	case insn.Align:
		v = dst & uint64(o.Off)
	case insn.Const:
		v = uint64(o.Off)
	case insn.Add:
		v = dst + src<<uint(o.Off)
	case insn.Sub:
		v = dst - src<<uint(o.Off)
	case insn.Scale:
		if v = uint64(int32(dst)); o.Unsigned {
			v = uint64(uint32(dst))
		}
		v <<= uint(o.Off)
	case insn.Mix:
		if o.Src == insn.NoReg {
			src = noise >> 8
		}
		v = bits.RotateLeft64(dst, 9) ^ src*3
	}
	w.regs[o.Dst] = v
}

// admits reports whether a value stands for a number.
func (w *world) admits(v Value, x uint64) bool {
	near := func(y uint64) bool { return x-y+1<<12 < 1<<13 }
	switch {
	case v.Base == Const:
		return x == uint64(v.Off)
	case v.Base == CFA:
		return x == w.cfa+uint64(v.Off)
	case v.Base == Entry:
		return x == w.entry[v.Reg]+uint64(v.Off)
	case v.plain() || v.Base == Scratch:
		return x != w.entry[w.a.fp] && x != w.entry[w.a.ra] && !near(w.cfa)
	}
	return true
}

// randomOp returns an effect on a few registers. Pointers that are not known to point elsewhere are not stored through:
// tracking takes it that they do not point to saved registers.
func randomOp(r *rand.Rand, a *arch, s *state) insn.Op {
	regs := []insn.Reg{0, 2, 3, 5, a.fp}
	reg := func() insn.Reg { return regs[r.IntN(len(regs))] }
	o := insn.Op{Dst: reg(), Src: reg()}
	all := []insn.Do{insn.Move, insn.Load, insn.Store, insn.Clobber, insn.Derive, insn.Lose, insn.Either, insn.Align, insn.Const,
		insn.Add, insn.Sub, insn.Scale, insn.Mix, insn.Forget, insn.Fill}
	size := []uint16{0, 4}[r.IntN(2)]
	switch o.Do = all[r.IntN(len(all))]; o.Do {
	case insn.Move:
		o.Off = int64(r.IntN(3)) * 8
		if r.IntN(4) == 0 {
			o.Src = a.sp
		}
	case insn.Load:
		if o.Size, o.Off = size, -8*int64(r.IntN(6)); r.IntN(2) == 0 {
			o.Src = a.sp
			o.Off = -o.Off
		}
	case insn.Store, insn.Forget, insn.Fill:
		if v := s.regs[o.Dst]; r.IntN(3) > 0 || v.Base == Unknown {
			o.Dst = a.sp
		}
		switch o.Off = int64(r.IntN(12)) * 4; o.Do {
		case insn.Store:
			if o.Size = size; size != 0 && r.IntN(2) == 0 {
				o.Src = insn.NoReg
			}
		case insn.Forget:
			if o.Size = 8; r.IntN(2) == 0 {
				o.Src = insn.NoReg
			}
		default:
			o.Size, o.Off = 4, 0
			if v := s.regs[o.Src]; v.Base != Const || uint64(v.Off) > 8 {
				return insn.Op{Do: insn.Const, Dst: o.Src, Off: 2 + int64(r.IntN(6))}
			}
		}
	case insn.Derive:
		o.Off, o.Unsigned = int64(reg()), r.IntN(3) == 0
		if r.IntN(3) == 0 {
			o.Off = int64(insn.NoReg)
		}
	case insn.Align:
		o.Off = -16
	case insn.Const:
		o.Off = []int64{0, 2 + int64(r.IntN(98))}[r.IntN(2)]
	case insn.Add, insn.Sub:
		if o.Off = int64(r.IntN(3)); r.IntN(4) == 0 {
			o.Dst, o.Off = a.sp, 0
		} else if s.regs[o.Dst].from(a.fp) || s.regs[o.Src].from(a.fp) || o.Do == insn.Sub && o.Src == o.Dst { // it could be undone; decoders have a Const for it
			o = insn.Op{Do: insn.Clobber, Dst: o.Dst}
		}
	case insn.Scale:
		o.Size, o.Off, o.Unsigned = 4, int64(r.IntN(3)), r.IntN(2) == 0
	}
	return o
}

// TestValues executes random effects in two worlds: each register's number is one that its value stands for, and a value
// that varies is another number in the other world, unless it depends on two conditions.
func TestValues(t *testing.T) {
	const runs, steps = 4000, 24
	seen := map[Base]int{}
	for _, id := range []model.ABI{model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, model.SFRAME_ABI_S390X_ENDIAN_BIG} {
		a, ok := newArch(model.LookupABI(id))
		require.True(t, ok)
		for n := range uint64(runs) {
			r := rand.New(rand.NewPCG(n, uint64(id)))
			worlds := []*world{newWorld(a, 2*n), newWorld(a, 2*n+1)}
			u := &unit{arch: a, origins: map[int32]origin{}}
			var s state
			a.entry(&s)
			var story []insn.Op
			conditions := 0
			for k := range int32(steps) {
				i := randomOp(r, a, &s)
				o, noise := effect(&i), r.Uint64()
				story = append(story, i)
				if u.apply(&s, k, &o); i.Do == insn.Either {
					conditions++
				}
				for _, w := range worlds {
					w.do(&i, noise)
				}
				for reg, v := range s.regs[:a.Regs] {
					x, y := worlds[0].regs[reg], worlds[1].regs[reg]
					if a.onSP && reg >= 16 {
						continue
					}
					seen[v.Base]++
					ok := worlds[0].admits(v, x) && worlds[1].admits(v, y) && (v.Base != Varying || x != y || conditions > 1)
					if !ok {
						require.Fail(t, "a value is wrong", "run %d of %s: register %d: %#x, %#x: %+v\n%+v", n, a.abi.Name, reg, x, y, v, story)
					}
				}
			}
		}
	}
	for _, b := range []Base{Unknown, Other, Const, Stack, CFA, Entry, Moving, Moved, Varying} {
		require.NotZero(t, seen[b], "%d", b)
	}
}
