package main

import (
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// span returns the addresses of a function.
func span(start uint64, size uint32) reader.AddrRange {
	return reader.AddrRange{First: start, Last: start + uint64(max(size, 1)) - 1}
}

// program is a stopped program: every register and every word of its memory has
// a value of its own.
type program struct {
	abi     model.ABIInfo
	section *model.Section
	pc      uint64
	// real says that both keys have codes of one length, as on Linux, and unsigned that no value
	// has the code of a signed address.
	real, unsigned bool
}

const (
	stack  = 0x7ffc_0000_0000
	signed = 1<<62 | 1<<58 | 1<<44 // some of the bits of a signed address that are its code, by one key or both
)

func (p *program) PC() uint64 { return p.pc }

func (p *program) Register(n uint32) (uint64, bool) {
	switch n {
	case p.abi.SP:
		return stack, true
	case p.abi.FP:
		return stack + 1<<20, true
	case p.abi.RA:
		return stack | p.signature(), true
	}
	return stack + 1<<30 + uint64(n)<<24, true
}

func (p *program) signature() uint64 {
	if p.unsigned {
		return 0
	}
	return signed
}

func (p *program) Module(uint64) (unwind.Module, bool) {
	return unwind.Module{Sections: []*model.Section{p.section}}, true
}

// ReadMemory returns words with bits where signed addresses have their code.
func (p *program) ReadMemory(addr uint64, b []byte) error {
	v := addr * 0x9e37_79b9_7f4a_7c15
	v ^= v >> 29
	v = (v*0xbf58_476d_1ce4_e5b9)&^(1<<63|1<<62|1<<58|1<<55|1<<44) | p.signature()
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], v)
	copy(b, word[:])
	return nil
}

// step is what a tracer recovers at an instruction.
type step struct {
	pc, sp, fp uint64
	known      bool
	exact      bool
	reason     unwind.Reason
	lacks      string
	ra, saved  unwind.Place
}

// recover steps from an instruction of the topmost frame to its caller.
func (p *program) recover(pc uint64) step {
	p.pc = pc
	masks := [2]uint64{unwind.PACMask(48), unwind.PACMask(40)}
	if p.real {
		masks[1] = masks[0]
	}
	c := unwind.New(p.abi, p, p, p, unwind.Options{PACMasks: masks})
	if stop := c.Step(); stop != nil {
		return step{reason: stop.Reason, lacks: stop.Value}
	}
	f := c.Frame()
	return step{pc: f.PC, sp: f.SP, fp: f.FP, known: f.FPKnown, exact: f.Exact, ra: c.Where(p.abi.RA), saved: c.Where(p.abi.FP)}
}

// equivalent reports whether a tracer recovers the same from both sections at every
// instruction of the ranges.
func (in *input) equivalent(now *model.Section, touched ranges) bool {
	return len(in.differing(now, touched)) == 0
}

// differing returns the addresses at which a tracer recovers something else from a section than
// from that of the file.
func (in *input) differing(now *model.Section, touched ranges) (out []uint64) {
	p, q := program{abi: in.abi, section: in.base}, program{abi: in.abi, section: now}
	for _, pc := range in.points(touched) {
		if p.recover(pc) != q.recover(pc) {
			out = append(out, pc)
		}
	}
	return out
}

// changes returns the addresses of the functions that differ between two plans,
// before and after.
func changes(a, b *generator.Plan) (out ranges) {
	only := func(p, q *generator.Plan) {
		have := map[uint64][]*generator.Func{}
		for i := range q.Funcs {
			have[q.Funcs[i].Start] = append(have[q.Funcs[i].Start], &q.Funcs[i])
		}
		for i := range p.Funcs {
			f := &p.Funcs[i]
			same := false
			for _, g := range have[f.Start] {
				same = same || alike(f, g)
			}
			if !same {
				out = append(out, span(f.Start, f.Size))
			}
		}
	}
	only(a, b)
	only(b, a)
	return out
}

// alike reports whether two functions are equal. A row that was changed has no
// words.
func alike(f, g *generator.Func) bool {
	if f.Start != g.Start || f.Size != g.Size || f.PCType != g.PCType || f.FDEType != g.FDEType || f.PauthKey != g.PauthKey ||
		f.Signal != g.Signal || f.RepSize != g.RepSize || len(f.Rows) != len(g.Rows) {
		return false
	}
	for j := range f.Rows {
		r, s := &f.Rows[j], &g.Rows[j]
		if r.Start != s.Start || r.Mangled != s.Mangled || r.Rules != s.Rules || (r.Words == nil) != (s.Words == nil) {
			return false
		}
	}
	return true
}
