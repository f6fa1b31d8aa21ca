package asm

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// value returns the value of an expression: a sum of products of numbers and variables.
func (p *parser) value() (int64, error) {
	v, err := p.product()
	if err != nil {
		return 0, err
	}
	return p.sum(v)
}

// sum adds the signed products that follow to a value.
func (p *parser) sum(v int64) (int64, error) {
	var err error
	for err == nil {
		var w int64
		switch {
		case p.accept('+'):
			w, err = p.product()
			v += w
		case p.accept('-'):
			w, err = p.product()
			v -= w
		default:
			return v, nil
		}
	}
	return 0, err
}

func (p *parser) product() (int64, error) {
	v, err := p.factor()
	for err == nil && p.accept('*') {
		var w int64
		w, err = p.factor()
		v *= w
	}
	return v, err
}

func (p *parser) factor() (int64, error) {
	sign := int64(1)
	for p.accept('-') {
		sign = -sign
	}
	t := p.peek()
	switch {
	case t.kind == '(':
		if p.depth++; p.depth > maxNesting {
			return 0, failure{t.pos, "too many parentheses"}
		}
		p.take()
		v, err := p.value()
		p.depth--
		if err == nil {
			err = p.expect(')')
		}
		return sign * v, err
	case t.kind != 'w':
		return 0, p.wrong("a number")
	case isNumber(t.text):
		v, ok := parseNumber(t.text)
		if !ok {
			return 0, failure{t.pos, fmt.Sprintf("%q is not a number of 64 bits", t.text)}
		}
		p.take()
		return sign * v, nil
	}
	v, ok := p.vars[t.text]
	if !ok {
		return 0, p.wrong("a number")
	}
	p.take()
	return sign * v, nil
}

// maxNesting bounds parentheses.
const maxNesting = 64

// count returns the value of an expression from 0 to a maximum.
func (p *parser) count(what string, most int64) (int64, error) {
	at := p.peek().pos
	v, err := p.value()
	if err == nil && (v < 0 || v > most) {
		err = failure{at, fmt.Sprintf("%s must be from 0 to %d, not %d", what, most, v)}
	}
	return v, err
}

// fits checks that a value fits a field of some bytes, signed or unsigned.
func fits(v int64, width int64, at pos, what string) error {
	if bits := 8 * width; bits < 64 && v>>bits != 0 && v>>(bits-1) != -1 {
		return failure{at, fmt.Sprintf("%d does not fit %s, which has %d bytes", v, what, width)}
	}
	return nil
}

// hexBytes returns the bytes of the words up to the end of the line, in hexadecimal.
func (p *parser) hexBytes() ([]byte, error) {
	var out []byte
	for p.peek().kind != 0 {
		t := p.peek()
		b, err := hex.DecodeString(t.text)
		if t.kind != 'w' || err != nil {
			return nil, p.wrong("bytes in hexadecimal, two digits each")
		}
		p.take()
		out = append(out, b...)
	}
	return out, p.spend(int64(len(out)), p.peek().pos)
}

// row adds an FRE to the function.
func (p *parser) row() error {
	r := &row{at: p.peek().pos, info: -1}
	if p.now == nil {
		return p.wrong("a directive")
	}
	var err error
	if r.start, err = p.value(); err == nil {
		err = p.expect(':')
	}
	if err != nil {
		return err
	}
	for {
		if err := p.clause(r); err != nil {
			return err
		}
		if !p.accept(';') || p.peek().kind == 0 {
			break
		}
	}
	if err := p.end(); err != nil {
		return err
	}
	switch {
	case r.raw && (r.end || r.given != [3]bool{}), r.end && r.given != [3]bool{}:
		return failure{r.at, "a row has rules, or words, or is outermost: not two of these"}
	case !r.raw && !r.end && !r.given[0]:
		return failure{r.at, "a row must state the CFA, words, or that it is outermost"}
	}
	p.now.items = append(p.now.items, item{row: r, org: -1})
	return p.spend(costRow, r.at)
}

// clause reads one of the parts of a row.
func (p *parser) clause(r *row) error {
	t := p.peek()
	if t.kind != 'w' {
		return p.wrong("a part of a row")
	}
	p.take()
	switch strings.ToLower(t.text) {
	case "cfa":
		return p.rule(r, 0, t)
	case "ra":
		return p.rule(r, 1, t)
	case "fp":
		return p.rule(r, 2, t)
	case "outermost":
		r.end = true
	case "signed":
		r.signed = true
	case "base":
		if !p.word("fp") {
			if !p.word("sp") {
				return p.wrong("fp or sp")
			}
			r.base = model.SFRAME_BASE_REG_SP
		}
	case "size":
		v, err := p.count("the size of a word", 4)
		if err != nil {
			return err
		}
		if r.size = int(v); v != 1 && v != 2 && v != 4 {
			return failure{t.pos, "the size of a word is 1, 2 or 4 bytes"}
		}
	case "info":
		var err error
		r.info, err = p.count("an info byte", 0xff)
		return err
	case "words":
		r.raw = true
		if k := p.peek().kind; k == 0 || k == ';' {
			return nil
		}
		for {
			at := p.peek().pos
			v, err := p.value()
			if err == nil {
				err = fits(v, 4, at, "a data word")
			}
			if err != nil {
				return err
			}
			if r.words = append(r.words, v); len(r.words) > model.MaxWords {
				return failure{at, fmt.Sprintf("a row has at most %d words", model.MaxWords)}
			}
			if !p.accept(',') {
				return nil
			}
		}
	default:
		return failure{t.pos, fmt.Sprintf("%q is not a part of a row: cfa, ra, fp, outermost, signed, words, base, size or info", t.text)}
	}
	return nil
}

// rule reads how CFA, RA or FP is recovered.
func (p *parser) rule(r *row, which int, t token) error {
	if r.given[which] {
		return failure{t.pos, t.text + " is given twice"}
	}
	r.given[which] = true
	if err := p.expect('='); err != nil {
		return err
	}
	v := &r.rules[which]
	if p.word("unchanged") {
		v.Kind = model.Unchanged
		return nil
	}
	if v.Deref = p.accept('*'); v.Deref {
		if err := p.expect('('); err != nil {
			return err
		}
	}
	base := p.peek()
	if base.kind != 'w' || isNumber(base.text) {
		return p.wrong("a register or cfa")
	}
	p.take()
	if strings.EqualFold(base.text, "cfa") {
		v.Kind = model.FromCFA
	} else {
		reg, ok := p.unit.register(base.text)
		if !ok {
			return failure{base.pos, fmt.Sprintf("%s has no register %q", model.LookupABI(p.unit.abi).Name, base.text)}
		}
		v.Kind, v.Reg = model.InRegister, reg
	}
	if k := p.peek().kind; k == '+' || k == '-' {
		off, err := p.sum(0)
		if err != nil {
			return err
		}
		v.Offset = off
	}
	if v.Deref {
		return p.expect(')')
	}
	return nil
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
