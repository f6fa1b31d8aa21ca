package main

import (
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
)

// directiveKind makes a fault in a directive.
type directiveKind struct {
	name, about string
	// edit changes the directive at an index of a body. It returns nil where it cannot.
	edit func(m *directiveEdit, at int) []line
}

// Describe returns the name and what is wrong.
func (k *directiveKind) Describe() (name, about string) { return k.name, k.about }

// directiveEdit is a body that is changed.
type directiveEdit struct {
	abi  model.ABIInfo
	body []line
	rnd  *rand.Rand
}

var directiveKinds = []*directiveKind{
	{"drop", "a directive is missing", func(m *directiveEdit, at int) []line { return slices.Delete(m.body, at, at+1) }},
	{"early", "a directive is one instruction early", func(m *directiveEdit, at int) []line { return m.move(at, m.before(at)) }},
	{"late", "a directive is one instruction late", func(m *directiveEdit, at int) []line { return m.move(at, m.lineAfter(at)) }},
	{"offset+8", "an offset is 8 bytes high", func(m *directiveEdit, at int) []line { return m.number(at, func(n int64) int64 { return n + 8 }) }},
	{"offset-8", "an offset is 8 bytes low", func(m *directiveEdit, at int) []line { return m.number(at, func(n int64) int64 { return n - 8 }) }},
	{"offset+16", "an offset is 16 bytes high", func(m *directiveEdit, at int) []line { return m.number(at, func(n int64) int64 { return n + 16 }) }},
	{"offset-16", "an offset is 16 bytes low", func(m *directiveEdit, at int) []line { return m.number(at, func(n int64) int64 { return n - 16 }) }},
	{"doubled", "an offset is twice what it should be", func(m *directiveEdit, at int) []line { return m.number(at, func(n int64) int64 { return 2 * n }) }},
	{"negated", "an offset has the other sign", func(m *directiveEdit, at int) []line { return m.number(at, func(n int64) int64 { return -n }) }},
	{"register", "a directive names another register", (*directiveEdit).register},
	{"twice", "a directive is there twice", func(m *directiveEdit, at int) []line { return slices.Insert(m.body, at, m.body[at]) }},
	{"swapped", "two directives exchange their places", (*directiveEdit).swap},
	{"stale", "a directive has the operands of the previous one of its name", (*directiveEdit).repeatOperands},
}

// before returns where the instruction before a line is, -1 if there is none.
func (m *directiveEdit) before(at int) int {
	for at--; at >= 0; at-- {
		if m.body[at].insn {
			return at
		}
	}
	return -1
}

// lineAfter returns the line after the next instruction, -1 if there is none.
func (m *directiveEdit) lineAfter(at int) int {
	for at++; at < len(m.body)-1; at++ {
		if m.body[at].insn {
			return at + 1
		}
	}
	return -1
}

// move moves a line to before another one.
func (m *directiveEdit) move(at, to int) []line {
	if to < 0 {
		return nil
	}
	l := m.body[at]
	l.off = m.body[min(to, len(m.body)-1)].off
	if to > at {
		return slices.Delete(slices.Insert(m.body, to, l), at, at+1)
	}
	return slices.Insert(slices.Delete(m.body, at, at+1), to, l)
}

// write gives a directive other operands.
func (m *directiveEdit) write(at int, name string, operands []string) []line {
	m.body[at].text = "\t.cfi_" + name + " " + strings.Join(operands, ", ")
	return m.body
}

// number changes the number that is the last operand of a directive.
func (m *directiveEdit) number(at int, change func(int64) int64) []line {
	name, operands := proof.ParseDirective(m.body[at].text)
	switch name {
	case "def_cfa", "def_cfa_offset", "adjust_cfa_offset", "offset", "rel_offset":
	default:
		return nil
	}
	n, err := strconv.ParseInt(operands[len(operands)-1], 0, 64)
	if err != nil || change(n) == n {
		return nil
	}
	operands[len(operands)-1] = fmt.Sprint(change(n))
	return m.write(at, name, operands)
}

// register replaces the first operand, if it is a register, by another one.
func (m *directiveEdit) register(at int) []line {
	name, operands := proof.ParseDirective(m.body[at].text)
	abi := &m.abi
	is := func(reg uint32) bool { return proof.RegisterOf(abi, operands[0]) == abi.RegName(reg) }
	var to uint32
	switch name {
	case "def_cfa", "def_cfa_register":
		if to = abi.FP; is(to) {
			to = abi.SP
		}
	case "offset", "rel_offset", "restore", "undefined", "same_value", "register":
		if to = abi.FP; is(to) {
			to = map[bool]uint32{true: abi.RA, false: 3}[abi.TracksRA()]
		}
	default:
		return nil
	}
	operands[0] = fmt.Sprint(to)
	return m.write(at, name, operands)
}

// swap exchanges a directive and the next one that is at another instruction.
func (m *directiveEdit) swap(at int) []line {
	for j := at + 1; j < len(m.body)-1; j++ {
		if name, _ := proof.ParseDirective(m.body[j].text); name != "" && m.body[j].off != m.body[at].off && m.body[j].text != m.body[at].text {
			m.body[at].text, m.body[j].text = m.body[j].text, m.body[at].text
			return m.body
		}
	}
	return nil
}

// repeatOperands gives a directive the operands of the previous one of its name.
func (m *directiveEdit) repeatOperands(at int) []line {
	name, _ := proof.ParseDirective(m.body[at].text)
	for j := at - 1; j >= 0; j-- {
		if other, operands := proof.ParseDirective(m.body[j].text); other == name {
			if len(operands) == 0 || m.body[j].text == m.body[at].text {
				return nil
			}
			return m.write(at, name, operands)
		}
	}
	return nil
}

// mutable reports whether a line is a directive that can have a fault.
func mutable(l *line) bool {
	switch name, _ := proof.ParseDirective(l.text); name {
	case "", "startproc", "endproc", "personality", "lsda", "sections", "signal_frame", "b_key_frame":
		return false
	}
	return true
}

// mutate makes a fault in a proc, and returns the new body, nil if there is no place for it,
// with what the directive was.
func (s *source) mutate(p *proc, k *directiveKind, rnd *rand.Rand) ([]line, string) {
	for _, at := range rnd.Perm(len(p.body)) {
		if !mutable(&p.body[at]) {
			continue
		}
		m := &directiveEdit{s.abi, slices.Clone(p.body), rnd}
		if body := k.edit(m, at); body != nil && !slices.Equal(body, p.body) {
			return body, fmt.Sprintf("%s at +0x%x", strings.TrimSpace(p.body[at].text), p.body[at].off)
		}
	}
	return nil, ""
}
