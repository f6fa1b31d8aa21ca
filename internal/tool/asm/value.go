package asm

import (
	"encoding/hex"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// value returns the value of an expression: a sum of products of numbers and variables.
func (p *parser) value() int64 {
	return p.sum(p.product())
}

// sum adds the signed products that follow to a value.
func (p *parser) sum(v int64) int64 {
	for {
		switch {
		case p.accept('+'):
			v += p.product()
		case p.accept('-'):
			v -= p.product()
		default:
			return v
		}
	}
}

func (p *parser) product() int64 {
	v := p.factor()
	for p.accept('*') {
		v *= p.factor()
	}
	return v
}

func (p *parser) factor() int64 {
	sign := int64(1)
	for p.accept('-') {
		sign = -sign
	}
	t := p.peek()
	v, ok := p.vars[t.text]
	switch {
	case t.kind == '(':
		if p.depth++; p.depth > maxNesting {
			fail(t.pos, "too many parentheses")
		}
		p.take()
		v = p.value()
		p.depth--
		p.expect(')')
		return sign * v
	case t.kind == 'w' && isNumber(t.text):
		if v, ok = parseNumber(t.text); !ok {
			fail(t.pos, "%q is not a number of 64 bits", t.text)
		}
	case t.kind != 'w' || !ok:
		p.wrong("a number")
	}
	p.take()
	return sign * v
}

// maxNesting bounds parentheses.
const maxNesting = 64

// count returns the value of an expression from 0 to a maximum.
func (p *parser) count(what string, most int64) int64 {
	at := p.peek().pos
	v := p.value()
	if v < 0 || v > most {
		fail(at, "%s must be from 0 to %d, not %d", what, most, v)
	}
	return v
}

// fits checks that a value fits a field of some bytes, signed or unsigned.
func fits(v int64, width int64, at pos, what string) {
	if bits := 8 * width; bits < 64 && v>>bits != 0 && v>>(bits-1) != -1 {
		fail(at, "%d does not fit %s, which has %d bytes", v, what, width)
	}
}

// hexBytes returns the bytes of the words up to the end of the line, in hexadecimal.
func (p *parser) hexBytes() []byte {
	var out []byte
	for p.peek().kind != 0 {
		t := p.peek()
		b, err := hex.DecodeString(t.text)
		if t.kind != 'w' || err != nil {
			p.wrong("bytes in hexadecimal, two digits each")
		}
		p.take()
		out = append(out, b...)
	}
	p.spend(int64(len(out)), p.peek().pos)
	return out
}

// row adds an FRE to the function.
func (p *parser) row() {
	r := &row{at: p.peek().pos, info: -1}
	if p.now == nil {
		p.wrong("a directive")
	}
	r.start = p.value()
	p.expect(':')
	for p.clause(r); p.accept(';') && p.peek().kind != 0; p.clause(r) {
	}
	p.end()
	switch {
	case r.raw && (r.end || r.given != [3]bool{}), r.end && r.given != [3]bool{}:
		fail(r.at, "a row has rules, or words, or is outermost: not two of these")
	case !r.raw && !r.end && !r.given[0]:
		fail(r.at, "a row must state the CFA, words, or that it is outermost")
	}
	p.now.items = append(p.now.items, item{row: r, org: -1})
	p.spend(costRow, r.at)
}

// clause reads one of the parts of a row.
func (p *parser) clause(r *row) {
	t := p.peek()
	if t.kind != 'w' {
		p.wrong("a part of a row")
	}
	p.take()
	switch word := strings.ToLower(t.text); word {
	case "cfa", "ra", "fp":
		p.rule(r, slices.Index([]string{"cfa", "ra", "fp"}, word), t)
	case "outermost":
		r.end = true
	case "signed":
		r.signed = true
	case "base":
		if !p.word("fp") {
			if !p.word("sp") {
				p.wrong("fp or sp")
			}
			r.base = model.SFRAME_BASE_REG_SP
		}
	case "size":
		v := p.count("the size of a word", 4)
		if r.size = int(v); v != 1 && v != 2 && v != 4 {
			fail(t.pos, "the size of a word is 1, 2 or 4 bytes")
		}
	case "info":
		r.info = p.count("an info byte", 0xff)
	case "words":
		r.raw = true
		if k := p.peek().kind; k == 0 || k == ';' {
			return
		}
		for {
			at := p.peek().pos
			v := p.value()
			fits(v, 4, at, "a data word")
			if r.words = append(r.words, v); len(r.words) > model.MaxWords {
				fail(at, "a row has at most %d words", model.MaxWords)
			}
			if !p.accept(',') {
				return
			}
		}
	default:
		fail(t.pos, "%q is not a part of a row: cfa, ra, fp, outermost, signed, words, base, size or info", t.text)
	}
}

// rule reads how CFA, RA or FP is recovered.
func (p *parser) rule(r *row, which int, t token) {
	if r.given[which] {
		fail(t.pos, "%s is given twice", t.text)
	}
	r.given[which] = true
	p.expect('=')
	v := &r.rules[which]
	if p.word("unchanged") {
		v.Kind = model.Unchanged
		return
	}
	if v.Deref = p.accept('*'); v.Deref {
		p.expect('(')
	}
	base := p.peek()
	if base.kind != 'w' || isNumber(base.text) {
		p.wrong("a register or cfa")
	}
	p.take()
	if strings.EqualFold(base.text, "cfa") {
		v.Kind = model.FromCFA
	} else {
		reg, ok := p.unit.register(base.text)
		if !ok {
			fail(base.pos, "%s has no register %q", model.LookupABI(p.unit.abi).Name, base.text)
		}
		v.Kind, v.Reg = model.InRegister, reg
	}
	v.Offset = p.sum(0)
	if v.Deref {
		p.expect(')')
	}
}

// register returns the DWARF number of a register by its name, or by "reg" and its number.
func (u *unit) register(name string) (uint32, bool) {
	if u.regs == nil {
		abi := model.LookupABI(u.abi)
		u.regs = map[string]uint32{}
		for reg := range uint32(128) {
			u.regs[abi.RegName(reg)] = reg
		}
	}
	if reg, ok := u.regs[strings.ToLower(name)]; ok {
		return reg, true
	}
	if rest, ok := strings.CutPrefix(name, "reg"); ok && rest != "" && isNumber(rest) {
		v, ok := parseNumber(rest)
		return uint32(v), ok && v>>32 == 0
	}
	return 0, false
}
