package proof

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// OtherTools is the advice if the source is right and the tools are wrong.
const OtherTools = "assemble or link with another version of the tools"

// maxPlaces is the number of places of a function that an advice names.
const maxPlaces = 8

// Advice says what to change in a source. Text has every directive, or is "" if the change is not known. Messages
// name only some of the directives if there are many.
type Advice struct {
	Text       string
	Start      uint64      // start of the function
	Directives []Directive // all directives, in order
	AtCalls    bool        // see [Function.AtCalls]
}

// Directive is a CFI directive to add at an offset from the start of a function. It goes after the directives that
// are already there, and replaces a directive that sets the same thing.
type Directive struct {
	Offset uint64 // in bytes
	Text   string
}

// Correction returns the directives that make all rows of the function of w right.
func (t Words) Correction(w *Wrong) Advice {
	a := t.advice(w.Range.Start, w.Repairs, w)
	a.AtCalls = w.AtCalls
	return a
}

// CorrectAll returns the directives that make all rows of the function of m right.
func (t Words) CorrectAll(m *Correction) Advice {
	a := t.advice(m.Range.Start, m.Repairs, nil)
	a.AtCalls = m.AtCalls
	return a
}

// Repair describes the error that the first repair of a function corrects.
func (t Words) Repair(m *Correction) string {
	r := &m.Repairs[0]
	if r.Kind == WrongSigning {
		return "RA has another signing state in the code at " + t.Address(m.Range.Place, r.PC)
	}
	return fmt.Sprintf("%s at %s is %s in the code, not %s", name(r.Kind), t.Address(m.Range.Place, r.PC), r.New.Format(t.ABI), r.Old.Format(t.ABI))
}

// advice writes repairs, by place.
func (t Words) advice(start uint64, repairs []Repair, w *Wrong) Advice {
	if len(repairs) == 0 {
		return Advice{}
	}
	var all []Directive
	for i := range repairs {
		all = append(all, Directive{repairs[i].PC - start, t.directive(&repairs[i])})
	}
	if len(repairs) == 1 && w != nil {
		return Advice{Text: t.repairText(start, &repairs[0], w), Start: start, Directives: all}
	}
	var b strings.Builder
	places := 0
	for i := range repairs {
		r := &repairs[i]
		if i > 0 && repairs[i-1].PC == r.PC {
			continue
		}
		if places++; places > maxPlaces {
			continue
		}
		if places > 1 {
			b.WriteString(", and ")
		}
		for k := i; k < len(repairs) && repairs[k].PC == r.PC; k++ {
			if k > i {
				b.WriteString("; ")
			}
			b.WriteString(all[k].Text)
		}
		fmt.Fprintf(&b, " at +0x%x", r.PC-start)
	}
	more := ""
	if places > maxPlaces {
		more = fmt.Sprintf(", and at %d more places", places-maxPlaces)
	}
	return Advice{Text: "write " + b.String() + " of the function" + more, Start: start, Directives: all}
}

// repairText writes one repair, after the instruction that makes it necessary.
func (t Words) repairText(start uint64, r *Repair, w *Wrong) string {
	at := fmt.Sprintf(" at +0x%x of the function", r.PC-start)
	if n := len(w.Insns); n > 0 && w.Insns[n-1].PC+uint64(len(w.Insns[n-1].Bytes)) == r.PC {
		if text := w.Insns[n-1].Text(&t.ABI); text != "" {
			at = fmt.Sprintf(" after %q, at +0x%x of the function", text, r.PC-start)
		}
	}
	if r.Starts {
		return "write " + t.directive(r) + at
	}
	return "add " + t.directive(r) + at
}

// directive writes the directive of a repair.
func (t Words) directive(r *Repair) string {
	column := t.ABI.FP
	if r.Kind == WrongRA {
		column = t.ABI.RA
	}
	reg := t.register(column)
	switch v := r.New; {
	case r.Kind == WrongSigning:
		return ".cfi_negate_ra_state"
	case r.Kind == WrongCFA && (v.Reg != r.Old.Reg || r.Old.Deref || r.Turns):
		return fmt.Sprintf(".cfi_def_cfa %s, %d", t.register(v.Reg), v.Offset)
	case r.Kind == WrongCFA:
		return fmt.Sprintf(".cfi_def_cfa_offset %d", v.Offset)
	case v.Kind == model.FromCFA:
		return fmt.Sprintf(".cfi_offset %s, %d", reg, v.Offset)
	case v.Kind == model.InRegister && v.Deref: // DW_CFA_expression with DW_OP_breg
		expr := number.AppendSLEB([]byte{0x70 + byte(v.Reg)}, v.Offset)
		text := fmt.Sprintf(".cfi_escape 0x10, %d, %d", column, len(expr))
		for _, b := range expr {
			text += fmt.Sprintf(", %#x", b)
		}
		return text
	case v.Kind == model.InRegister:
		return fmt.Sprintf(".cfi_register %s, %s", reg, t.register(v.Reg))
	}
	return ".cfi_restore " + reg
}

// register writes the name of a register as assemblers do.
func (t Words) register(reg uint32) string {
	if t.ABI.Pauth { // AArch64 writes no sign
		return t.ABI.RegName(reg)
	}
	return "%" + t.ABI.RegName(reg)
}
