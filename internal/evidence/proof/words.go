package proof

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// Words describes the results of proofs in words.
type Words struct {
	ABI     model.ABIInfo
	Address func(place uint32, pc uint64) string
	Row     string // the name for a row: FRE, or row of CFI
}

// Contradiction describes what a row says, what the code says, and the instructions that prove the row wrong. In
// parentheses, it adds more notes.
func (t Words) Contradiction(w *Wrong, more ...string) string {
	var b strings.Builder
	if w.Kind == Inside {
		fmt.Fprintf(&b, "the %s starts at %s, inside an instruction", t.Row, t.Address(w.Range.Place, w.At))
	} else {
		source := "FRE"
		if t.Row != source {
			source = "CFI"
		}
		fmt.Fprintf(&b, "%s from %s to %s is %s in the %s, but %s", name(w.Kind), t.Address(w.Range.Place, w.Start), t.Address(w.Range.Place, w.End), t.rowText(w), source, t.codeText(w))
		if w.Beside && !w.Leads {
			fmt.Fprintf(&b, " after the preceding %s", t.Row)
		}
	}
	notes := t.Proof(w)
	switch w.Shift {
	case Early:
		notes = append(notes, "the "+t.Row+" is one instruction early")
	case Late:
		notes = append(notes, "the next "+t.Row+" is one instruction late")
	}
	if w.More > 0 {
		notes = append(notes, fmt.Sprintf("one of %d wrong %ss", w.More+1, t.Row))
	}
	if notes = append(notes, more...); w.Restored {
		notes = append(notes, "callers have saved FP")
	}
	if notes != nil {
		fmt.Fprintf(&b, " (%s)", strings.Join(notes, "; "))
	}
	return b.String()
}

// Proof describes the instructions that prove a contradiction, with their addresses and bytes.
func (t Words) Proof(w *Wrong) []string {
	var all []string
	for _, n := range w.Insns {
		text := fmt.Sprintf("%s: %x", t.Address(w.Range.Place, n.PC), n.Bytes)
		if insn := n.Text(&t.ABI); insn != "" {
			text += fmt.Sprintf(" %q", insn)
		}
		all = append(all, text)
	}
	return all
}

func name(k Aspect) string {
	switch k {
	case WrongCFA:
		return "the CFA"
	case WrongFP, StaleFP:
		return "FP"
	}
	return "RA"
}

// rowText writes what the row says.
func (t Words) rowText(w *Wrong) string {
	if w.Kind == WrongSigning {
		return signed(!w.Got.Signed, w.Got.KeyB)
	}
	return w.Says.Format(t.ABI)
}

func signed(yes, keyB bool) string {
	if yes && keyB {
		return "signed with key B"
	}
	return Signed(yes)
}

// Signed says in words whether RA is signed.
func Signed(yes bool) string {
	if yes {
		return "signed"
	}
	return "not signed"
}

// Key returns the name of the key with which return addresses are signed.
func Key(b bool) string {
	if b {
		return "B"
	}
	return "A"
}

// codeText writes what the code says.
func (t Words) codeText(w *Wrong) string {
	switch v := w.Says; {
	case w.Leads:
		return fmt.Sprintf("%s in the %s at the target of a jump", w.Truth.Format(t.ABI), t.Row)
	case w.Kind == WrongSigning:
		return signed(w.Got.Signed, w.Got.KeyB) + " in the code"
	case w.Truth.Kind != model.Invalid:
		return w.Truth.Format(t.ABI) + " in the code"
	case w.Kind == WrongCFA && w.Exact && w.By > 0:
		return fmt.Sprintf("%d bytes lower in the code", w.By)
	case w.Kind == WrongCFA && w.Exact:
		return fmt.Sprintf("%d bytes higher in the code", -w.By)
	case v.Kind == model.InRegister && !v.Deref:
		return fmt.Sprintf("%s has %s", t.ABI.RegName(v.Reg), t.value(w.Got))
	case v.Kind == model.Unchanged && w.Kind == WrongFP:
		return fmt.Sprintf("%s has %s", t.ABI.RegName(t.ABI.FP), t.value(w.Got))
	case v.Kind == model.Unchanged:
		return fmt.Sprintf("%s has %s", t.ABI.RegName(t.ABI.RA), t.value(w.Got))
	}
	return "the code has " + t.value(w.Got)
}

// value writes a value of the code.
func (t Words) value(v Value) string {
	offset := ""
	if v.Off != 0 {
		offset = fmt.Sprintf("%+d", v.Off)
	}
	switch {
	case v.Base == CFA:
		return "the address CFA" + offset
	case v.Base == Entry && uint32(v.Reg) == t.ABI.RA:
		return "the return address" + offset
	case v.Base == Entry:
		return "the caller's " + t.ABI.RegName(uint32(v.Reg)) + offset
	case v.Base == Aligned:
		return "an aligned stack address"
	case v.Base == Moving, v.Base == Moved:
		return "a varying address"
	case v.Base == Stack:
		return "a lower address"
	case v.Base == Mixed:
		return "another value on some path"
	}
	return "another value"
}
