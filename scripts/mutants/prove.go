package main

import (
	"encoding/binary"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// Change is another section for the code of a file.
type Change struct {
	Section *model.Section
	Touched Ranges // what it changes
	// What Prove says of it: a tracer recovers the same, or the code proves it right.
	Equivalent, Proven bool
}

// Count counts a change that Prove has marked. It reports whether the change is a fault.
func (m *Change) Count(c Counts) bool {
	switch {
	case m.Equivalent:
		c["equivalent"]++
	case m.Proven:
		c["true"]++
	}
	return !m.Equivalent && !m.Proven
}

// claim is a change whose rows at some addresses of a function are to be proven.
type claim struct {
	m    *Change
	rows []proof.Row // one for each address
	left map[uint64]int
}

// Prove marks the changes that are equivalent, and those for which the code proves that what they
// state otherwise than the file is true as well, so that no consumer is misled.
func (f *File) Prove(all []*Change) error {
	claims := map[int][]*claim{}
	open := map[*Change]int{}
	for _, m := range all {
		points := f.Differing(m.Section, m.Touched)
		if m.Equivalent = len(points) == 0; m.Equivalent {
			continue
		}
		byFunc, ok := f.claims(m, points)
		if !ok {
			continue
		}
		open[m] = len(points)
		for i, c := range byFunc {
			claims[i] = append(claims[i], c...)
		}
	}
	if len(claims) == 0 {
		return nil
	}
	ranges := f.functions()
	err := f.Scan(f.Data, func(o *reader.Object) error {
		frames, err := cfi.Load(o, 0)
		if err != nil {
			return err
		}
		t, err := proof.New(o, ranges, proof.LSDAs(frames), nil)
		if err != nil {
			return err
		}
		return t.Run(1, func(fn *proof.Function) {
			reached, copied := map[uint64]bool{}, map[uint64]bool{}
			if len(claims[fn.Index()]) > 0 {
				fn.Insns(func(pc uint64, _ int, _ *proof.State) bool {
					reached[pc], copied[f.First(pc).Copied] = true, true
					return true
				})
			}
			for _, c := range claims[fn.Index()] {
				for pc, n := range c.left {
					if !reached[pc] && fn.Anchored() && !fn.Opaque() && (f.First(pc).Pad || copied[pc]) {
						open[c.m] -= n // nothing leads there, or a copy is executed elsewhere
						c.left[pc] = 0
					}
				}
				fn.Confirm(c.rows, func(pc uint64, _ int, right bool) {
					if right {
						open[c.m] -= c.left[pc]
						c.left[pc] = 0
					}
				})
			}
		})
	})
	for m, n := range open {
		m.Proven = n == 0
	}
	return err
}

// claims returns what a change states at addresses where it differs from the file, by function
// of the file. It reports false if the file has no function at one of them.
func (f *File) claims(m *Change, points []uint64) (map[int][]*claim, bool) {
	out, functions := map[int][]*claim{}, f.functions()
	for _, pc := range points {
		i := slices.IndexFunc(functions, func(f proof.Range) bool { return pc-f.Start < f.End-f.Start })
		if i < 0 {
			return nil, false
		}
		fde, ok := m.Section.Find(pc)
		if !ok { // it must not be reached
			out[i] = append(out[i], &claim{m: m, left: map[uint64]int{pc: 1}})
			continue
		}
		r, ok := fde.At(pc - fde.Start())
		if !ok || r.NumWords() == 0 {
			return nil, false
		}
		start := functions[i].Start
		insns, _ := f.Instructions(start, functions[i].End-start)
		k, exact := slices.BinarySearch(insns, int64(pc-start))
		if !exact {
			k--
		}
		row := proof.Row{Row: r.Row(), Start: start + uint64(insns[k]), End: pc + 1, Signed: r.MangledRA(),
			KeyB: fde.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B, Signal: fde.Signal()}
		all := out[i]
		// The first and the last byte of an instruction may have different rows.
		if n := len(all); n == 0 || all[n-1].left[row.Start] > 0 {
			all = append(all, &claim{m: m, left: map[uint64]int{}})
		}
		last := all[len(all)-1]
		last.rows = append(last.rows, row)
		last.left[row.Start]++
		out[i] = all
	}
	for _, all := range out {
		for _, c := range all {
			slices.SortFunc(c.rows, func(a, b proof.Row) int { return int(int64(a.Start - b.Start)) })
		}
	}
	return out, true
}

// stoppedProgram is a program that is stopped: every register and every word of its memory has
// a value of its own.
type stoppedProgram struct {
	ABI     model.ABIInfo
	Section *model.Section
	pc      uint64
}

const (
	stack  = 0x7ffc_0000_0000
	signed = 1<<62 | 1<<58 | 1<<44 // some of the bits of a signed address that are its code, by one key or both
)

func (p *stoppedProgram) PC() uint64 { return p.pc }

func (p *stoppedProgram) Register(n uint32) (uint64, bool) {
	switch n {
	case p.ABI.SP:
		return stack, true
	case p.ABI.FP:
		return stack + 1<<20, true
	case p.ABI.RA:
		return stack | signed, true
	}
	return stack + 1<<30 + uint64(n)<<24, true
}

func (p *stoppedProgram) Module(uint64) (unwind.Module, bool) {
	return unwind.Module{Sections: []*model.Section{p.Section}}, true
}

// ReadMemory returns words with bits where signed addresses have their code.
func (p *stoppedProgram) ReadMemory(addr uint64, b []byte) error {
	v := addr * 0x9e37_79b9_7f4a_7c15
	v ^= v >> 29
	v = (v*0xbf58_476d_1ce4_e5b9)&^(1<<63|1<<62|1<<58|1<<55|1<<44) | signed
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], v)
	copy(b, word[:])
	return nil
}

// Step is what a tracer recovers at an instruction.
type Step struct {
	pc, sp, fp uint64
	known      bool
	exact      bool
	Reason     unwind.Reason
	lacks      string
	ra, saved  unwind.Location
}

// Recover steps from an instruction of the topmost frame to its caller.
func (p *stoppedProgram) Recover(pc uint64) Step {
	p.pc = pc
	masks := [2]uint64{unwind.PACMask(48), unwind.PACMask(40)}
	c := unwind.New(p.ABI, p, p, p, unwind.Options{PACMasks: masks})
	if stop := c.Step(); stop != nil {
		return Step{Reason: stop.Reason, lacks: stop.Value}
	}
	f := c.Frame()
	return Step{pc: f.PC, sp: f.SP, fp: f.FP, known: f.FPKnown, exact: f.Exact, ra: c.Where(p.ABI.RA), saved: c.Where(p.ABI.FP)}
}

// Differing returns the addresses at which a tracer recovers other values from a section than from that of the file.
func (f *File) Differing(now *model.Section, touched Ranges) (out []uint64) {
	p, q := stoppedProgram{ABI: f.ABI, Section: f.Base}, stoppedProgram{ABI: f.ABI, Section: now}
	for _, pc := range f.Points(touched) {
		if p.Recover(pc) != q.Recover(pc) {
			out = append(out, pc)
		}
	}
	return out
}
