package model

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
)

// Kind is how a value of the caller is recovered.
type Kind uint8

// Kinds of recovery.
const (
	Invalid    Kind = iota // the data words are not valid
	Undefined              // the value does not exist: an outermost frame
	Unchanged              // the value is the current one
	InRegister             // Reg + Offset, or the word at that address
	FromCFA                // CFA + Offset, or the word at that address
)

// Recovery is a rule that recovers one value. It can express the rules of each ABI and FDE type.
type Recovery struct {
	Kind   Kind
	Deref  bool   // the value is the word in memory at that address
	Reg    uint32 // DWARF number, InRegister only
	Offset int64  // bytes, InRegister and FromCFA
}

// Row has the three recovery rules of an FRE: for the CFA and for the caller's RA and FP.
type Row struct {
	CFA, RA, FP Recovery
}

// Outermost reports whether the row ends a stack trace.
func (r Row) Outermost() bool { return r.RA.Kind == Undefined }

// Valid reports whether all three recovery rules are valid.
func (r Row) Valid() bool {
	return r.CFA.Kind != Invalid && r.RA.Kind != Invalid && r.FP.Kind != Invalid
}

// Row derives the recovery rules of the FRE from its data words.
func (r FRE) Row() (row Row) {
	s, n := r.s, r.NumWords()
	switch {
	case n == 0:
		if s.format.Errata2 {
			undefined := Recovery{Kind: Undefined}
			row = Row{undefined, undefined, undefined}
		}
		return row
	case r.fdeType == SFRAME_FDE_TYPE_FLEX:
		return r.flexRow()
	case !s.abi.known() || r.fdeType != SFRAME_FDE_TYPE_DEFAULT:
		return row
	}
	abi, words := s.abi, r.firstWords()
	row.CFA = Recovery{Kind: InRegister, Reg: abi.SP, Offset: int64(words[0])*abi.CFAScale + abi.CFAAdjust}
	if r.Base() == SFRAME_BASE_REG_FP {
		row.CFA.Reg = abi.FP
	}
	row.RA, row.FP = s.ra, s.fp
	k := 1
	if abi.tracksRA() {
		if n > 1 {
			row.RA = s.slot(words[1], abi.RAPadding)
		}
		k++
	}
	if n > k {
		row.FP = s.slot(words[k], false)
	}
	return row
}

// firstWords returns three data words as Word does; those that the FRE does not have are any number.
func (r *FRE) firstWords() (words [3]int32) {
	if r.WordSize() == SFRAME_FRE_DATAWORD_1B {
		v := number.Window(r.s.fres.b[int(r.at)+int(r.width)+1:])
		return [...]int32{int32(int8(v)), int32(int8(v >> 8)), int32(int8(v >> 16))}
	}
	for k := range min(r.NumWords(), len(words)) {
		words[k] = r.Word(k)
	}
	return words
}

// slot returns what an RA or FP word of a default-type row says.
func (s *Section) slot(w int32, padding bool) Recovery {
	switch {
	case padding && w == SFRAME_FRE_RA_OFFSET_INVALID:
		return Recovery{Kind: Unchanged}
	case s.abi.LSBRegs && s.format.WordRegs && w&1 != 0:
		return Recovery{Kind: InRegister, Reg: uint32(w >> 1)}
	}
	return Recovery{Kind: FromCFA, Deref: true, Offset: int64(w)}
}

// flexRow reads the words as pairs for CFA, RA and FP, in which a single 0
// means the default of RA or FP.
func (r FRE) flexRow() Row {
	row := Row{RA: r.s.ra, FP: r.s.fp}
	k := 0
	row.CFA, k = r.flexValue(FlexCFA, k, Recovery{Kind: Invalid})
	if row.CFA.Kind != InRegister {
		row.CFA = Recovery{Kind: Invalid}
	} else {
		// s390x scales the CFA's offset word here too.
		row.CFA.Offset = row.CFA.Offset*r.s.abi.CFAScale + r.s.abi.CFAAdjust
	}
	row.RA, k = r.flexValue(FlexRA, k, row.RA)
	row.FP, _ = r.flexValue(FlexFP, k, row.FP)
	return row
}

// flexValue returns the value of the entity that starts at word k, and where
// the next one starts.
func (r FRE) flexValue(role FlexRole, k int, absent Recovery) (Recovery, int) {
	if k >= r.NumWords() {
		return absent, k
	}
	e, k := r.FlexEntity(role, k)
	switch {
	case e.Padding():
		return absent, k
	case !e.Whole:
		return Recovery{Kind: Invalid}, k
	case e.RegP():
		return Recovery{Kind: InRegister, Deref: e.DerefP(), Reg: e.Reg(), Offset: int64(e.Offset)}, k
	}
	return Recovery{Kind: FromCFA, Deref: e.DerefP(), Offset: int64(e.Offset)}, k
}

// Format writes the recovery in words, with the register names of the ABI:
// "rsp+8", "*(CFA-16)", "unchanged", "undefined".
func (v Recovery) Format(abi ABIInfo) string {
	var base string
	switch v.Kind {
	case Undefined:
		return "undefined"
	case Unchanged:
		return "unchanged"
	case InRegister:
		base = abi.RegName(v.Reg)
	case FromCFA:
		base = "CFA"
	default:
		return "invalid"
	}
	if v.Offset != 0 {
		base += fmt.Sprintf("%+d", v.Offset)
	}
	if v.Deref {
		return "*(" + base + ")"
	}
	return base
}
