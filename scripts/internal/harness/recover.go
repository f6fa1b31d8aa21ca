package harness

import (
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// Program is a stopped Program: every register and every word of its memory has
// a value of its own.
type Program struct {
	ABI     model.ABIInfo
	Section *model.Section
	pc      uint64
	Real    bool // both keys have codes of one length, as on Linux
}

const (
	stack  = 0x7ffc_0000_0000
	signed = 1<<62 | 1<<58 | 1<<44 // some of the bits of a signed address that are its code, by one key or both
)

func (p *Program) PC() uint64 { return p.pc }

func (p *Program) Register(n uint32) (uint64, bool) {
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

func (p *Program) Module(uint64) (unwind.Module, bool) {
	return unwind.Module{Sections: []*model.Section{p.Section}}, true
}

// ReadMemory returns words with bits where signed addresses have their code.
func (p *Program) ReadMemory(addr uint64, b []byte) error {
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
func (p *Program) Recover(pc uint64) Step {
	p.pc = pc
	masks := [2]uint64{unwind.PACMask(48), unwind.PACMask(40)}
	if p.Real {
		masks[1] = masks[0]
	}
	c := unwind.New(p.ABI, p, p, p, unwind.Options{PACMasks: masks})
	if stop := c.Step(); stop != nil {
		return Step{Reason: stop.Reason, lacks: stop.Value}
	}
	f := c.Frame()
	return Step{pc: f.PC, sp: f.SP, fp: f.FP, known: f.FPKnown, exact: f.Exact, ra: c.Where(p.ABI.RA), saved: c.Where(p.ABI.FP)}
}

// Differing returns the addresses at which a tracer recovers something else from a section than
// from that of the file.
func (f *File) Differing(now *model.Section, touched Ranges) (out []uint64) {
	p, q := Program{ABI: f.ABI, Section: f.Base}, Program{ABI: f.ABI, Section: now}
	for _, pc := range f.Points(touched) {
		if p.Recover(pc) != q.Recover(pc) {
			out = append(out, pc)
		}
	}
	return out
}

// Equal reports whether a tracer recovers the same from a section as from that of the file at every
// instruction of the ranges.
func (f *File) Equal(now *model.Section, touched Ranges) bool {
	return len(f.Differing(now, touched)) == 0
}
