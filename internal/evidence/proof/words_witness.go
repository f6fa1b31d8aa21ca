package proof

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/evidence/witness"
	"github.com/sframe-lint/sframe-lint/model"
)

// maxSteps is the number of steps of a witness that are written: the last ones.
const maxSteps = 16

// Witness describes the witness of a contradiction: the value of the row's base on entry, and after each instruction
// of the path that changes it.
func (t Words) Witness(w *Wrong) (all []string) {
	what := t.baseText(w)
	for i, step := range w.Witness {
		value := t.stepValue(step.Value, w.from)
		switch {
		case i == 0:
			all = append(all, fmt.Sprintf("on entry: %s is %s", what, value))
		case i > 1 && len(w.Witness)-i > maxSteps: // the last ones decide
		default:
			text := t.Address(w.Range.Place, step.PC)
			if i < len(w.path) && len(w.path[i].Bytes) > 0 {
				text += fmt.Sprintf(": %x %q", w.path[i].Bytes, w.path[i].Text(&t.ABI))
			}
			all = append(all, fmt.Sprintf("%s: %s is %s", text, what, value))
		}
	}
	if w.Assumed != 0 {
		all = append(all, fmt.Sprintf("assumption: the call at %s returns, since nothing else leads to the code after it", t.Address(w.Range.Place, w.Assumed)))
	}
	if w.Jump != 0 {
		all = append(all, fmt.Sprintf("assumption: the indirect jump at %s leads to code of the path, since nothing else does", t.Address(w.Range.Place, w.Jump)))
	}
	return all
}

// baseText names what a row counts from, or has the value in.
func (t Words) baseText(w *Wrong) string {
	switch v := w.Says; {
	case v.Kind == model.FromCFA:
		return fmt.Sprintf("the word at CFA%+d", v.Offset)
	case v.Kind == model.InRegister && v.Deref:
		return fmt.Sprintf("the word at %s%+d", t.ABI.RegName(v.Reg), v.Offset)
	case v.Kind == model.InRegister:
		return t.ABI.RegName(v.Reg)
	case w.Kind == WrongFP || w.Kind == StaleFP:
		return t.ABI.RegName(t.ABI.FP)
	}
	return t.ABI.RegName(t.ABI.RA)
}

// stepValue writes a value of a witness. The CFA is from bytes above that of the entry.
func (t Words) stepValue(v witness.Value, from int64) string {
	switch v.Kind {
	case witness.Frame:
		return fmt.Sprintf("CFA%+d", v.Off-t.ABI.EntryCFA-from)
	case witness.Initial:
		text := t.value(Value{Base: Entry, Reg: v.Reg, Off: v.Off})
		if v.Signed {
			text += ", signed"
		}
		return text
	case witness.Made, witness.Number:
		return "another value"
	case witness.Aligned:
		return "an aligned stack address"
	case witness.Lower, witness.Moved:
		return "a varying address"
	case witness.Near:
		return "a stack address"
	case witness.Never:
		return "not written"
	}
	return "not known"
}
