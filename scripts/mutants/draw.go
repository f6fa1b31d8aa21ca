package main

import (
	"debug/elf"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// asmProgram is a source file.
type asmProgram struct {
	ABI   model.ABI
	Funcs []asmFunc
}

// asmFunc is a function, or the part of one that is in another section.
type asmFunc struct {
	Name    string
	Section string   // "" stands for .text
	Start   string   // the directive that begins the CFI: .cfi_startproc, or with "simple"
	Lines   []string // instructions and directives
}

// String returns the program as assembly.
func (p *asmProgram) String() string {
	var b strings.Builder
	for i := range p.Funcs {
		f := &p.Funcs[i]
		if f.Section == "" {
			b.WriteString("\t.text\n")
		} else {
			fmt.Fprintf(&b, "\t.section %s,\"ax\",@progbits\n", f.Section)
		}
		fmt.Fprintf(&b, "\t.globl %s\n\t.type %[1]s, @function\n%[1]s:\n\t%s\n", f.Name, f.Start)
		for _, l := range f.Lines {
			fmt.Fprintf(&b, "\t%s\n", l)
		}
		fmt.Fprintf(&b, "\t.cfi_endproc\n\t.size %s, .-%[1]s\n", f.Name)
	}
	b.WriteString("\t.section .note.GNU-stack,\"\",@progbits\n")
	return b.String()
}

// nop returns an instruction of the ABI that does nothing.
func nop(abi model.ABIInfo) string {
	if abi.Machine == elf.EM_S390 {
		return "nopr %r0"
	}
	return "nop"
}

// generate returns the program of a seed: up to four functions, some with a part in a
// section of its own. It is the same for every run of this version.
func generate(abi model.ABI, seed int64) *asmProgram {
	r := rand.New(rand.NewPCG(uint64(seed), 0x636669))
	p := &asmProgram{ABI: abi}
	for i := range 1 + r.IntN(3) {
		name := fmt.Sprintf("f%d", i)
		m := newMaker(r, abi)
		p.Funcs = append(p.Funcs, asmFunc{Name: name, Start: m.start(), Lines: m.body()})
		if r.IntN(6) == 0 { // the part goes on with the state at the function's end
			p.Funcs = append(p.Funcs, asmFunc{Name: name + ".cold", Section: ".text.unlikely", Start: ".cfi_startproc", Lines: m.coldPart()})
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

// draw is what may be drawn: how often it is drawn, whether it is valid in a state,
// and what writes it and changes the state.
type draw struct {
	weight int
	valid  func(*maker) bool
	write  func(*maker)
}

func always(*maker) bool    { return true }
func based(m *maker) bool   { return !m.now.expr }
func pauth(m *maker) bool   { return m.abi.Pauth }
func inStack(m *maker) bool { return len(m.stack) > 0 }

var draws = []draw{
	{6, always, func(m *maker) {
		m.now.reg, m.now.off, m.now.expr = m.base(), m.cfaOffset(), false
		m.add(".cfi_def_cfa %d, %d", m.now.reg, m.now.off)
	}},
	{10, based, func(m *maker) {
		m.now.off = m.cfaOffset()
		m.add(".cfi_def_cfa_offset %d", m.now.off)
	}},
	{6, based, func(m *maker) {
		by := 8 * (m.Int64N(21) - 10)
		if m.now.off+by < 0 {
			by = -by
		}
		m.now.off += by
		m.add(".cfi_adjust_cfa_offset %d", by)
	}},
	{8, based, func(m *maker) {
		m.now.reg = m.base()
		m.add(".cfi_def_cfa_register %d", m.now.reg)
	}},
	{10, always, func(m *maker) { m.add(".cfi_offset %d, %d", m.register(), m.slot()) }},
	{6, func(m *maker) bool { return !m.now.expr && m.now.off%8 == 0 }, func(m *maker) { m.add(".cfi_rel_offset %d, %d", m.register(), 8*m.Int64N(20)) }},
	{8, always, func(m *maker) { m.add(".cfi_restore %d", m.register()) }},
	{4, always, func(m *maker) { m.add(".cfi_undefined %d", m.register()) }},
	{4, always, func(m *maker) { m.add(".cfi_same_value %d", m.register()) }},
	{5, always, func(m *maker) { m.add(".cfi_register %d, %d", m.register(), m.scratch()) }},
	{3, always, func(m *maker) { m.add(".cfi_val_offset %d, %d", m.register(), m.slot()) }},
	{8, always, func(m *maker) {
		m.stack = append(m.stack, m.now)
		m.add(".cfi_remember_state")
	}},
	{12, inStack, func(m *maker) {
		last := len(m.stack) - 1
		m.now, m.stack = m.stack[last], m.stack[:last]
		m.add(".cfi_restore_state")
	}},
	{1, always, func(m *maker) { m.add(".cfi_signal_frame") }},
	{1, always, func(m *maker) { m.add(".cfi_return_column %d", m.abi.RA) }},
	{6, pauth, func(m *maker) {
		m.now.signed = !m.now.signed
		m.add(".cfi_negate_ra_state")
	}},
	{1, pauth, func(m *maker) { m.add(".cfi_b_key_frame") }},
	{2, always, func(m *maker) { m.expression() }},
	{2, always, func(m *maker) {
		m.now.expr = true
		m.block(0x0f, m.expr()) // DW_CFA_def_cfa_expression
	}},
	{1, always, func(m *maker) { m.add(".cfi_escape 0x2e, 0x10") }}, // DW_CFA_GNU_args_size 16
}

// total is the sum of the weights.
var total = func() (n int) {
	for _, k := range draws {
		n += k.weight
	}
	return n
}()

// directive adds a random directive that is valid in the state.
func (m *maker) directive() {
	for {
		n := m.IntN(total)
		for _, k := range draws {
			if n -= k.weight; n >= 0 {
				continue
			}
			if k.valid(m) {
				k.write(m)
				return
			}
			break
		}
	}
}

// expression adds a rule for a register that is an expression.
func (m *maker) expression() {
	op := byte(0x10) // DW_CFA_expression: where it is saved
	if m.IntN(3) == 0 {
		op = 0x16 // DW_CFA_val_expression: its value
	}
	m.block(op, m.expr(), byte(m.register()))
}

// expr draws an expression: a register and an offset, and at times what is in memory
// there.
func (m *maker) expr() []byte {
	const breg, deref = 0x70, 0x06 // DW_OP_breg0, DW_OP_deref
	b := []byte{breg + byte(m.base()), byte(m.IntN(32)*8) & 0x7f}
	if m.IntN(3) == 0 {
		b = append(b, deref)
	}
	return b
}

// block adds an instruction whose last operand is a block.
func (m *maker) block(op byte, block []byte, before ...byte) {
	all := append([]byte{op}, before...)
	all = append(append(all, byte(len(block))), block...)
	var b strings.Builder
	for i, x := range all {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "0x%02x", x)
	}
	m.add(".cfi_escape %s", b.String())
}
