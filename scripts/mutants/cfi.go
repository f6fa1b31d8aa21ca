package main

import (
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/scripts/internal/harness"
)

// Instructions of call frame information, and operations of its expressions (DWARF 5, 7.24
// and 7.7.1).
const (
	advanceLoc4       = 0x04
	undefinedRule     = 0x07
	sameValue         = 0x08
	registerRule      = 0x09
	defCFAExpression  = 0x0f
	expressionRule    = 0x10
	offsetExtendedSF  = 0x11
	defCFASF          = 0x12
	valOffsetSF       = 0x15
	valExpressionRule = 0x16
	negateRAState     = 0x2d
	opDeref           = 0x06
	opBregx           = 0x92
)

// cfi writes an .eh_frame section. Both alignment factors are 1.
type cfi struct {
	abi model.ABIInfo
	b   []byte
}

// cfiOf returns an .eh_frame section that states the same as a section, as the assembler writes
// both from the same directives. It leaves out stubs, whose FREs and CFI linkers write.
func cfiOf(s *model.Section) []byte {
	w := &cfi{abi: s.ABI()}
	cies := map[string]int{}
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		if f.PCType() != model.SFRAME_FDE_PCTYPE_INC || f.NumFREs() == 0 {
			continue
		}
		augmentation := "zR"
		if f.Signal() {
			augmentation += "S"
		}
		if f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B {
			augmentation += "B"
		}
		at, ok := cies[augmentation]
		if !ok {
			at = len(w.b)
			cies[augmentation] = at
			w.cie(augmentation)
		}
		w.fde(f, at)
	}
	return w.u32(0)
}

func (w *cfi) order() binary.AppendByteOrder {
	if w.abi.Big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func (w *cfi) u32(v uint32) []byte {
	w.b = w.order().AppendUint32(w.b, v)
	return w.b
}

func (w *cfi) u64(v uint64) { w.b = w.order().AppendUint64(w.b, v) }

func (w *cfi) add(b ...byte) { w.b = append(w.b, b...) }

// entry writes an entry with its length and its identifier: 0, or the distance to a CIE.
func (w *cfi) entry(cie int, contents func()) {
	at := len(w.b)
	w.u32(0)
	if cie >= 0 {
		cie = len(w.b) - cie
	} else {
		cie = 0
	}
	w.u32(uint32(cie))
	contents()
	for (len(w.b)-at)%8 != 4 { // DW_CFA_nop
		w.add(0)
	}
	n := uint32(len(w.b) - at - 4)
	copy(w.b[at:], w.order().AppendUint32(nil, n))
}

func (w *cfi) cie(augmentation string) {
	w.entry(-1, func() {
		w.add(1) // version
		w.b = append(w.b, augmentation...)
		w.add(0, 1, 1, byte(w.abi.RA)) // the end of the string, the factors, the column of RA
		w.add(1, 0)                    // the bytes of the augmentation, DW_EH_PE_absptr
		if !w.abi.TracksRA() {
			w.rule(w.abi.RA, slot(int64(w.abi.FixedRA)))
		}
	})
}

func (w *cfi) fde(f model.FDE, cie int) {
	w.entry(cie, func() {
		w.u64(f.Start())
		w.u64(uint64(f.Size()))
		w.add(0) // bytes of the augmentation
		var mangled bool
		at := uint32(0)
		for r := range f.FREs() {
			if r.Start() > at {
				w.add(advanceLoc4)
				w.u32(r.Start() - at)
				at = r.Start()
			}
			w.row(r.Row())
			if r.NumWords() > 0 && r.MangledRA() != mangled {
				mangled = !mangled
				w.add(negateRAState)
			}
		}
	})
}

// row writes the recovery rules of a row. The CFA of an outermost frame is that of a
// function's entry, as its author leaves it.
func (w *cfi) row(r model.Row) {
	if r.Outermost() {
		w.add(undefinedRule)
		w.uleb(w.abi.RA)
		return
	}
	if v := r.CFA; v.Deref {
		e := expression(v)
		w.add(defCFAExpression, byte(len(e)))
		w.add(e...)
	} else {
		w.add(defCFASF)
		w.uleb(v.Reg)
		w.b = sleb(w.b, v.Offset)
	}
	w.rule(w.abi.RA, r.RA)
	w.rule(w.abi.FP, r.FP)
}

// rule writes how the value of a register is recovered.
func (w *cfi) rule(reg uint32, v model.Recovery) {
	op := func(b byte) {
		w.add(b)
		w.uleb(reg)
	}
	switch {
	case v.Kind == model.Unchanged:
		op(sameValue)
	case v.Kind == model.FromCFA && v.Deref:
		op(offsetExtendedSF)
		w.b = sleb(w.b, v.Offset)
	case v.Kind == model.FromCFA:
		op(valOffsetSF)
		w.b = sleb(w.b, v.Offset)
	case v.Kind == model.InRegister && !v.Deref && v.Offset == 0:
		op(registerRule)
		w.uleb(v.Reg)
	default:
		op(map[bool]byte{true: expressionRule, false: valExpressionRule}[v.Deref])
		v.Deref = false // the rule itself has this
		e := expression(v)
		w.add(byte(len(e)))
		w.add(e...)
	}
}

// expression returns the DWARF expression of a register and an offset, or of the word there.
func expression(v model.Recovery) []byte {
	e := sleb(binary.AppendUvarint([]byte{opBregx}, uint64(v.Reg)), v.Offset)
	if v.Deref {
		e = append(e, opDeref)
	}
	return e
}

func (w *cfi) uleb(v uint32) { w.b = binary.AppendUvarint(w.b, uint64(v)) }

// sleb appends a signed LEB128.
func sleb(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

// hasStubs reports whether a section describes stubs among some addresses.
func hasStubs(s *model.Section, touched harness.Ranges) bool {
	for i := range s.NumFDEs() {
		if f := s.FDE(i); f.PCType() == model.SFRAME_FDE_PCTYPE_MASK && touched.Overlaps(harness.Span(f.Start(), f.Size())) {
			return true
		}
	}
	return false
}
