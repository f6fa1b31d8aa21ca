package cfi_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
)

// scene is what a random program says between two locations.
type scene struct {
	cfa, ra, fp, sp rule
	sign            cfi.RAState
}

// rule is an [cfi.Rule] whose expression has bytes instead of a place.
type rule struct {
	kind cfi.Kind
	reg  uint32
	off  int64
	expr string
}

// line is a row as it is expected.
type line struct {
	start, end uint64
	scene
}

// writer writes a random program together with the rows that it stands for.
// It decides on states first and then on instructions that lead there.
type writer struct {
	*rand.Rand
	m    *image
	k    cieSpec
	base scene // of the CIE
	now  scene
	kept []scene
	b    []byte
}

func (w *writer) coin() bool { return w.IntN(2) == 0 }

// pad encodes an unsigned number, sometimes with bytes that add nothing.
func (w *writer) pad(v uint64) []byte {
	b := uleb(v)
	for w.IntN(8) == 0 && len(b) < 12 {
		b[len(b)-1] |= 0x80
		b = append(b, 0)
	}
	return b
}

func (w *writer) emit(parts ...[]byte) { w.b = append(w.b, cat(parts...)...) }

// op is an opcode with a register.
func (w *writer) op(code byte, reg uint32) { w.emit(ops(code), w.pad(uint64(reg))) }

func (w *writer) expr() string {
	switch w.IntN(4) {
	case 0:
		return string(cat(ops(0x70+byte(w.IntN(32))), sleb(w.Int64N(1<<20)-1<<19)))
	case 1:
		return string(cat(ops(0x92), uleb(uint64(w.IntN(200))), sleb(w.Int64()), ops(0x06)))
	case 2:
		return ""
	}
	b := make([]byte, w.IntN(200))
	for i := range b {
		b[i] = byte(w.IntN(256))
	}
	return string(b)
}

// offset returns a multiple of the CIE's DataAlign, and the factor.
func (w *writer) offset() (off, factor int64) {
	factor = w.Int64N(1 << w.IntN(40))
	if w.coin() {
		factor = -factor
	}
	return factor * w.k.dataAlign, factor
}

// defCFA changes the CFA.
func (w *writer) defCFA() {
	reg := uint32(w.IntN(1 << (1 + w.IntN(20))))
	off, factor := w.offset()
	plain := w.Int64N(1 << w.IntN(40))
	c := &w.now.cfa
	isReg := c.kind == cfi.Register
	switch w.IntN(6) {
	case 0:
		w.op(0x0c, reg)
		w.emit(w.pad(uint64(plain)))
		*c = rule{kind: cfi.Register, reg: reg, off: plain}
	case 1:
		w.op(0x12, reg)
		w.emit(sleb(factor))
		*c = rule{kind: cfi.Register, reg: reg, off: off}
	case 2:
		w.op(0x0d, reg)
		if c.reg = reg; c.kind == cfi.Unspecified {
			c.kind = cfi.Register
		}
	case 3:
		w.emit(ops(0x0e), w.pad(uint64(plain)))
		c.off = plain
	case 4:
		w.emit(ops(0x13), sleb(factor))
		c.off = off
	case 5:
		e := w.expr()
		w.emit(ops(0x0f), w.pad(uint64(len(e))), []byte(e))
		*c = rule{kind: cfi.Expression, expr: e}
		return
	}
	if c.kind != cfi.Register && !isReg {
		*c = rule{kind: cfi.Undefined}
	}
}

// slot returns where the rule of a register is kept, nil for most.
func (w *writer) slot(reg uint32) (now *rule, base rule) {
	switch reg {
	case w.k.ra:
		return &w.now.ra, w.base.ra
	case w.m.abi.FP:
		return &w.now.fp, w.base.fp
	case w.m.abi.SP:
		return &w.now.sp, w.base.sp
	}
	return new(rule), rule{}
}

// save changes the rule of a register.
func (w *writer) save() {
	regs := []uint32{w.k.ra, w.m.abi.FP, w.m.abi.SP, uint32(w.IntN(33)), uint32(35 + w.IntN(1<<20))}
	reg := regs[w.IntN(len(regs))]
	p, base := w.slot(reg)
	off, factor := w.offset()
	short := reg < 64 && w.coin()
	switch n := w.IntN(10); n {
	case 0, 1: // unsigned factors; negative ones wrap
		code := map[bool]byte{false: 0x05, true: 0x14}[n == 1]
		if short && n == 0 {
			w.emit(ops(0x80 | byte(reg)))
		} else {
			w.op(code, reg)
		}
		w.emit(w.pad(uint64(factor)))
		*p = rule{kind: cfi.Offset, off: off}
		if n == 1 {
			p.kind = cfi.ValOffset
		}
	case 2, 3:
		w.op(map[bool]byte{false: 0x11, true: 0x15}[n == 3], reg)
		w.emit(sleb(factor))
		*p = rule{kind: cfi.Offset, off: off}
		if n == 3 {
			p.kind = cfi.ValOffset
		}
	case 4:
		w.op(0x2f, reg)
		w.emit(w.pad(uint64(-factor)))
		*p = rule{kind: cfi.Offset, off: off}
	case 5:
		w.op(0x07, reg)
		*p = rule{kind: cfi.Undefined}
	case 6:
		w.op(0x08, reg)
		*p = rule{kind: cfi.SameValue}
	case 7:
		from := uint32(w.IntN(1 << 16))
		w.op(0x09, reg)
		w.emit(w.pad(uint64(from)))
		*p = rule{kind: cfi.Register, reg: from}
	case 8:
		e, val := w.expr(), w.IntN(2)
		w.op([]byte{0x10, 0x16}[val], reg)
		w.emit(w.pad(uint64(len(e))), []byte(e))
		*p = rule{kind: []cfi.Kind{cfi.Expression, cfi.ValExpression}[val], expr: e}
	case 9:
		if short {
			w.emit(ops(0xc0 | byte(reg)))
		} else {
			w.op(0x06, reg)
		}
		*p = base
	}
}

// other executes what is neither the CFA nor a register.
func (w *writer) other(inCIE bool) {
	switch n := w.IntN(5); {
	case n == 0:
		w.emit(ops(0))
	case n == 1:
		w.op(0x2e, uint32(w.IntN(1000)))
	case n == 2 && w.m.abi.Pauth:
		if w.coin() {
			states := []cfi.RAState{0, cfi.RASigned, cfi.RASigned | cfi.RASignedPC, cfi.RAUnknown}
			n := w.IntN(len(states))
			w.now.sign = states[n]
			if w.coin() {
				w.emit(ops(0x2b, byte(n), byte(w.IntN(128))))
			} else {
				w.emit(ops(0x16, 34, 1, 0x30+byte(n)))
			}
			return
		}
		pc := w.coin()
		w.now.sign ^= cfi.RASigned
		if pc {
			w.now.sign ^= cfi.RASignedPC
		}
		w.emit(ops(map[bool]byte{false: 0x2d, true: 0x2c}[pc]))
	case n == 3 && !inCIE && len(w.kept) < cfi.MaxRemembered:
		w.emit(ops(0x0a))
		w.kept = append(w.kept, w.now)
	case n == 4 && len(w.kept) > 0:
		w.emit(ops(0x0b))
		w.now, w.kept = w.kept[len(w.kept)-1], w.kept[:len(w.kept)-1]
	}
}

func (w *writer) change(inCIE bool) {
	for range w.IntN(5) {
		switch w.IntN(3) {
		case 0:
			w.defCFA()
		case 1:
			w.save()
		default:
			w.other(inCIE)
		}
	}
}

// advance moves by a multiple of the CIE's CodeAlign and returns how far.
func (w *writer) advance() uint64 {
	delta := w.Uint64N(1 << w.IntN(18))
	switch {
	case delta < 64 && w.coin():
		w.emit(ops(0x40 | byte(delta)))
	case delta < 1<<8 && w.coin():
		w.emit(ops(2, byte(delta)))
	case delta < 1<<16 && w.coin():
		w.emit(ops(3), num(w.m.abi.Big, 2, delta))
	default:
		w.emit(ops(4), num(w.m.abi.Big, 4, delta))
	}
	return delta * w.k.codeAlign
}

// program writes a program for a function at start and returns its rows and
// the size of the function.
func (w *writer) program(start uint64) (lines []line, size uint64) {
	loc := start
	w.now, w.kept, w.b = w.base, nil, nil
	for range w.IntN(12) {
		w.change(false)
		if to := loc + w.advance(); to > loc {
			lines = append(lines, line{loc, to, w.now})
			loc = to
		}
	}
	w.change(false)
	if n := w.Uint64N(5); n > 0 {
		lines = append(lines, line{loc, loc + n, w.now})
		loc += n
	}
	size = loc - start
	if w.IntN(6) == 0 && size > 0 { // rows at and after the end
		size = w.Uint64N(size)
		for i, l := range lines {
			if l.end >= start+size {
				lines = lines[:i+1]
				if lines[i].end = start + size; l.start >= start+size {
					lines = lines[:i]
				}
				break
			}
		}
	}
	return lines, size
}

// section writes a random section and returns what its FDEs say.
func (w *writer) section() (want [][]line) {
	m := w.m
	for range 1 + w.IntN(3) {
		w.k = cieSpec{version: []byte{1, 3, 4}[w.IntN(3)], codeAlign: []uint64{1, 2, 4}[w.IntN(3)],
			dataAlign: []int64{-8, -4, 1, 8}[w.IntN(4)], ra: m.abi.RA}
		enc := byte(0)
		if m.kind == cfi.EHFrame {
			w.k.aug, enc = "zR", []byte{0x00, 0x1b, 0x0b, 0x1c, 0x0c}[w.IntN(5)]
			w.k.data = ops(enc)
		}
		w.base, w.now, w.kept, w.b = scene{}, scene{}, nil, nil
		w.change(true)
		w.base, w.k.program = w.now, w.b
		cie := m.cie(w.k)
		for range w.IntN(4) {
			start := 0x10000 + w.Uint64N(1<<28)
			lines, size := w.program(start)
			want = append(want, lines)
			v := start
			if enc&0x10 != 0 {
				v -= m.addr + uint64(m.at())
			}
			width := map[byte]int{0x0b: 4}[enc&15]
			if width == 0 {
				width = 8
			}
			var aug []byte
			if w.k.aug != "" {
				aug = ops(0)
			}
			m.fde(cie, num(m.abi.Big, width, v), num(m.abi.Big, width, size), aug, w.b)
		}
		if m.kind == cfi.EHFrame && w.IntN(4) == 0 {
			m.b = append(m.b, 0, 0, 0, 0)
		}
	}
	return want
}

// TestRandomPrograms decodes random valid sections.
func TestRandomPrograms(t *testing.T) {
	abis := []model.ABIInfo{amd64, aarch64, armBig, s390x}
	rows := 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := &writer{Rand: r, m: &image{kind: cfi.Format(r.IntN(2)), abi: abis[r.IntN(4)], addr: 0x400000 + r.Uint64N(1<<20), long: r.IntN(4) == 0}}
		want := w.section()
		s := cfi.New(w.m.input())
		require.Empty(t, s.Faults(), "seed %d", seed)
		var run cfi.Runner
		i := 0
		for f := range s.FDEs() {
			require.True(t, f.Usable(), "seed %d: %v", seed, f.Fault)
			var got []line
			var row cfi.Row
			for run.Reset(&f); run.Next(&row); {
				got = append(got, lineOf(s, row))
			}
			require.Equal(t, cfi.NoFault, run.Fault().Code, "seed %d: %v", seed, run.Fault())
			if fmt.Sprint(want[i]) != fmt.Sprint(got) {
				require.Equal(t, want[i], got, "seed %d, FDE %d", seed, i)
			}
			rows += len(got)
			i++
		}
		require.Equal(t, len(want), i, "seed %d", seed)
	}
	require.Greater(t, rows, 15000)
}

// lineOf replaces places of expressions by their bytes.
func lineOf(s *cfi.Section, r cfi.Row) line {
	of := func(x cfi.Rule) rule {
		if x.Kind != cfi.Expression && x.Kind != cfi.ValExpression {
			return rule{kind: x.Kind, reg: x.Reg, off: x.Offset}
		}
		e := x.Expr()
		return rule{kind: x.Kind, expr: string(s.Input().Data[e.Off:e.End()])}
	}
	return line{r.Start, r.End, scene{of(r.CFA), of(r.RA), of(r.FP), of(r.SP), r.Sign}}
}
