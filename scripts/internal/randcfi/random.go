package randcfi

import (
	"fmt"
	"math/rand/v2"

	"github.com/sframe-lint/sframe-lint/model"
)

// Generate returns the program of a seed: up to four functions, some with a part in a
// section of its own. It is the same for every run of this version.
func Generate(abi model.ABI, seed int64) *Program {
	r := rand.New(rand.NewPCG(uint64(seed), 0x636669))
	p := &Program{ABI: abi}
	for i := range 1 + r.IntN(3) {
		name := fmt.Sprintf("f%d", i)
		m := newMaker(r, abi)
		p.Funcs = append(p.Funcs, Func{Name: name, Start: m.start(), Lines: m.body()})
		if r.IntN(6) == 0 { // the part goes on with the state at the function's end
			p.Funcs = append(p.Funcs, Func{Name: name + ".cold", Section: ".text.unlikely", Start: ".cfi_startproc", Lines: m.coldPart()})
		}
	}
	return p
}

// state is what the CFI says at a place, as far as directives depend on it.
type state struct {
	reg    uint32 // of the CFA
	off    int64
	expr   bool // the CFA is an expression, or not defined
	signed bool
}

// maker draws the directives of a function.
type maker struct {
	*rand.Rand
	abi   model.ABIInfo
	now   state
	stack []state // remembered
	wild  bool    // any register, any offset
	lines []string
}

func newMaker(r *rand.Rand, abi model.ABI) *maker {
	info := model.LookupABI(abi)
	m := &maker{Rand: r, abi: info, wild: r.IntN(3) == 0}
	m.now = state{reg: info.SP, off: info.EntryCFA}
	return m
}

func (m *maker) start() string {
	if m.IntN(12) > 0 {
		return ".cfi_startproc"
	}
	m.now.expr = true
	return ".cfi_startproc simple"
}

// body returns instructions and directives. A directive at the end would cover no code.
func (m *maker) body() []string {
	m.lines = nil
	for range m.IntN(3) {
		m.frame()
	}
	for range 1 + m.IntN(8) {
		if m.IntN(3) > 0 {
			m.step()
		}
		m.directive()
	}
	m.step()
	m.step()
	return m.lines
}

// coldPart returns the code of a part that begins with the state that the function has.
func (m *maker) coldPart() []string {
	m.lines, m.stack = nil, nil
	if m.now.expr {
		m.now.reg, m.now.off, m.now.expr = m.abi.SP, m.abi.EntryCFA, false
	}
	m.add(".cfi_def_cfa %d, %d", m.now.reg, m.now.off)
	if m.now.signed {
		m.add(".cfi_negate_ra_state")
	}
	m.step()
	if m.IntN(2) == 0 {
		m.directive()
		m.step()
	}
	return m.lines
}

func (m *maker) add(format string, args ...any) {
	m.lines = append(m.lines, fmt.Sprintf(format, args...))
}

// step adds an instruction.
func (m *maker) step() { m.lines = append(m.lines, nop(m.abi)) }

// frame adds what a compiler says about a prologue.
func (m *maker) frame() {
	fp := m.abi.FP
	if m.now.expr || m.now.off%8 != 0 {
		return
	}
	m.step()
	m.now.off += 16
	switch m.IntN(3) {
	case 0:
		m.add(".cfi_def_cfa_offset %d", m.now.off)
		m.add(".cfi_offset %d, %d", fp, -m.now.off)
	case 1:
		m.add(".cfi_adjust_cfa_offset 16")
		m.add(".cfi_rel_offset %d, 0", fp)
	case 2:
		m.add(".cfi_def_cfa_offset %d", m.now.off)
		m.step()
		m.add(".cfi_def_cfa_register %d", fp)
		m.now.reg = fp
	}
}

// register draws a register, mostly one that SFrame says something of.
func (m *maker) register() uint32 {
	if m.IntN(5) > 0 || !m.wild {
		return []uint32{m.abi.FP, m.abi.RA, m.abi.FP}[m.IntN(3)]
	}
	return m.scratch()
}

// scratch draws a general register that has no role of its own.
func (m *maker) scratch() uint32 {
	regs := []uint32{0, 1, 2, 3, 8, 10, 12, 13}
	if m.abi.AddrRegs > 16 {
		regs = append(regs, 19, 20, 28)
	}
	return regs[m.IntN(len(regs))]
}

// base draws a register for the CFA.
func (m *maker) base() uint32 {
	if m.IntN(4) > 0 || !m.wild {
		return []uint32{m.abi.SP, m.abi.FP}[m.IntN(2)]
	}
	return m.scratch()
}

// cfaOffset draws an offset of the CFA.
func (m *maker) cfaOffset() int64 {
	switch m.IntN(24) {
	case 0:
		return 8 * m.Int64N(1<<20)
	case 1:
		if m.wild {
			return m.abi.EntryCFA + 4
		}
	case 2:
		if m.wild {
			return 1<<31 - 8 + 16*m.Int64N(2)
		}
	}
	return m.abi.EntryCFA + 8*m.Int64N(40)
}

// slot draws where a register is saved, as an offset from the CFA.
func (m *maker) slot() int64 {
	switch m.IntN(12) {
	case 0:
		return -8 * (1 + m.Int64N(1<<12))
	case 1:
		if m.wild {
			return 8 * m.Int64N(4)
		}
	}
	return -8 * (1 + m.Int64N(40))
}
