package model

import "fmt"

// Words are the data words of an FRE and the base bit of its info byte.
type Words struct {
	N       int
	Word    [MaxWords]int64
	Base    BaseReg
	control uint16 // the words that are control words: their value fills the word
}

func (l *Words) add(v int64) {
	l.Word[l.N] = v
	l.N++
}

func (l *Words) addControl(v int64) {
	l.SetControl(l.N)
	l.add(v)
}

// SetControl marks the k-th word as a control word, which is unsigned.
func (l *Words) SetControl(k int) { l.control |= 1 << k }

// Size returns the smallest word size that can hold every word. It reports false if no size can.
func (l *Words) Size() (WordSize, bool) {
	for s := SFRAME_FRE_DATAWORD_1B; s <= SFRAME_FRE_DATAWORD_4B; s++ {
		if l.Fit(s) {
			return s, true
		}
	}
	return 0, false
}

// Fit reports whether a word size can hold every word.
func (l *Words) Fit(s WordSize) bool {
	bits := 8 * s.Width()
	for k, v := range l.Word[:l.N] {
		if l.control>>k&1 == 0 {
			v ^= v >> 63 // bits that differ from the sign
			v <<= 1
		}
		if v>>bits != 0 || bits == 0 {
			return false
		}
	}
	return true
}

// DataWords returns the data words of the FRE without interpretation.
func (r FRE) DataWords() Words {
	l := Words{Base: r.Base()}
	for e := range r.Entities() {
		if l.addControl(int64(e.Control)); e.Whole {
			l.add(int64(e.Offset))
		}
	}
	for l.N < r.NumWords() {
		l.add(int64(r.Word(l.N)))
	}
	return l
}

// Absent returns the recovery rules for RA and FP that apply if an FRE has no words for them.
func (h *Header) Absent() (ra, fp Recovery) { return h.absent(LookupABI(h.ABI).TracksRA()) }

func (h *Header) absent(tracksRA bool) (ra, fp Recovery) {
	ra, fp = Recovery{Kind: Unchanged}, Recovery{Kind: Unchanged}
	if !tracksRA {
		ra = Recovery{Kind: FromCFA, Deref: true, Offset: int64(h.FixedRAOffset)}
	}
	if h.FixedFPOffset != 0 {
		fp = Recovery{Kind: FromCFA, Deref: true, Offset: int64(h.FixedFPOffset)}
	}
	return ra, fp
}

// Words returns the data words that encode the recovery rules of a row; it is the inverse of [FRE.Row]. It returns an
// error if words of this FDE type cannot encode the rules.
func (h *Header) Words(t FDEType, row Row) (Words, error) {
	e := encoder{h: h, abi: LookupABI(h.ABI)}
	if row.CFA.Kind == Undefined && row.RA.Kind == Undefined && row.FP.Kind == Undefined {
		if !h.Version.Errata2() {
			e.err = fmt.Errorf("version %d can't express an undefined RA", h.Version)
		}
		return e.Words, e.err
	}
	absentRA, absentFP := h.absent(e.abi.TracksRA())
	ra, fp := row.RA != absentRA, row.FP != absentFP
	switch {
	case !row.Valid():
		e.err = fmt.Errorf("its data words have no meaning")
	case row.CFA.Kind != InRegister:
		e.refuse("CFA", row.CFA, "its base must be a register")
	case t == SFRAME_FDE_TYPE_FLEX:
		e.flex(row, ra, fp)
	default:
		e.standard(row, ra, fp)
	}
	return e.Words, e.err
}

// encoder makes the words of rules.
type encoder struct {
	Words
	h   *Header
	abi ABIInfo
	err error
}

func (e *encoder) refuse(what string, v Recovery, why string) {
	if e.err == nil {
		e.err = fmt.Errorf("version %d can't express that %s is %s: %s", e.h.Version, what, v.Format(e.abi), why)
	}
}

// cfa adds the offset word of the CFA, which s390x scales.
func (e *encoder) cfa(v Recovery) {
	off := v.Offset - e.abi.CFAAdjust
	if off%e.abi.CFAScale != 0 {
		e.refuse("CFA", v, fmt.Sprintf("its offset must be a multiple of %d", e.abi.CFAScale))
	}
	e.add(off / e.abi.CFAScale)
}

// standard adds the words of the default type ("Default FDE Type Interpretation"). ra and fp say whether RA and FP need words.
func (e *encoder) standard(row Row, ra, fp bool) {
	switch cfa := row.CFA; {
	case cfa.Deref:
		e.refuse("CFA", cfa, "it must be a register and an offset")
	case cfa.Reg == e.abi.SP:
		e.Base = SFRAME_BASE_REG_SP
	case cfa.Reg != e.abi.FP:
		e.refuse("CFA", cfa, "its base must be SP or FP")
	}
	e.cfa(row.CFA)
	switch {
	case ra && !e.abi.TracksRA():
		e.refuse("RA", row.RA, "it is fixed by the ABI")
	case ra:
		if e.slot("RA", row.RA); e.abi.RAPadding && e.Word[e.N-1] == SFRAME_FRE_RA_OFFSET_INVALID {
			e.refuse("RA", row.RA, "its word would be padding")
		}
	case fp && e.abi.RAPadding:
		e.add(SFRAME_FRE_RA_OFFSET_INVALID)
	case fp && e.abi.TracksRA():
		e.refuse("FP", row.FP, "RA must be saved too")
	}
	if fp {
		e.slot("FP", row.FP)
	}
}

// slot adds the word for a value that is saved in the frame or, in version 2 on some ABIs, in a register.
func (e *encoder) slot(what string, v Recovery) {
	lsb := e.abi.LSBRegs && e.h.Version.Info().WordRegs
	switch {
	case v.Kind == FromCFA && v.Deref && lsb && v.Offset&1 != 0:
		e.refuse(what, v, "an odd word is a register")
	case v.Kind == InRegister && lsb && !v.Deref && v.Offset == 0:
		v.Offset = int64(v.Reg)<<1 | 1
	case v.Kind != FromCFA || !v.Deref:
		e.refuse(what, v, "it must be in a slot of the frame")
	}
	e.add(v.Offset)
}

// flex adds the words of the flexible type ("Flexible FDE Type Interpretation"). A default value needs no pair.
func (e *encoder) flex(row Row, ra, fp bool) {
	e.addControl(control(row.CFA))
	e.cfa(row.CFA)
	if ra {
		e.pair("RA", row.RA)
	} else if fp {
		e.addControl(0)
	}
	if fp {
		e.pair("FP", row.FP)
	}
}

// pair adds the control and the offset word of RA or FP.
func (e *encoder) pair(what string, v Recovery) {
	switch {
	case v.Kind == FromCFA && !v.Deref:
		e.refuse(what, v, "its control word would be padding")
	case v.Kind != FromCFA && v.Kind != InRegister:
		e.refuse(what, v, "no pair of words says so")
	}
	e.addControl(control(v))
	e.add(v.Offset)
}

// control returns the control word of a rule.
func control(v Recovery) int64 {
	c := int64(0)
	if v.Kind == InRegister {
		c = int64(v.Reg)<<FlexRegShift | FlexRegP
	}
	if v.Deref {
		c |= FlexDerefP
	}
	return c
}
