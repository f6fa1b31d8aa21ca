package randcfi

import (
	"fmt"
	"strings"
)

// directive is what may be drawn: how often it is drawn, whether it is valid in a state,
// and what writes it and changes the state.
type directive struct {
	weight int
	valid  func(*maker) bool
	write  func(*maker)
}

func always(*maker) bool    { return true }
func based(m *maker) bool   { return !m.now.expr }
func pauth(m *maker) bool   { return m.abi.Pauth }
func inStack(m *maker) bool { return len(m.stack) > 0 }

var directives = []directive{
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
	for _, k := range directives {
		n += k.weight
	}
	return n
}()

// directive adds a random directive that is valid in the state.
func (m *maker) directive() {
	for {
		n := m.IntN(total)
		for _, k := range directives {
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
