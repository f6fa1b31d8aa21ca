package generator

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

// wordList are a row's data words, without a heap allocation.
type wordList struct {
	n int
	w [model.MaxWords]int64
	// unsigned marks control words: their value fills the word.
	unsigned uint16
}

func (l *wordList) add(v int64) {
	l.w[l.n] = v
	l.n++
}

func (l *wordList) addControl(v int64) {
	l.unsigned |= 1 << l.n
	l.add(v)
}

// size returns the smallest word size that holds every word.
func (l *wordList) size() (model.WordSize, error) {
	for s := model.SFRAME_FRE_DATAWORD_1B; s <= model.SFRAME_FRE_DATAWORD_4B; s++ {
		if l.fits(s) {
			return s, nil
		}
	}
	return 0, fmt.Errorf("data words %d do not fit 4 bytes", l.w[:l.n])
}

func (l *wordList) fits(s model.WordSize) bool {
	bits := 8 * s.Width()
	if bits == 0 {
		return l.n == 0
	}
	for k, v := range l.w[:l.n] {
		lo, hi := -int64(1)<<(bits-1), int64(1)<<(bits-1)
		if l.unsigned>>k&1 != 0 {
			lo, hi = 0, int64(1)<<bits
		}
		if v < lo || v >= hi {
			return false
		}
	}
	return true
}

// rowWords returns the row's data words and the base bit that goes with
// them.
func (p *Plan) rowWords(t model.FDEType, r *Row) (l wordList, base model.BaseReg, err error) {
	if r.Words != nil {
		return rawWords(t, r)
	}
	if outermost(r.Rules) {
		if !p.Version.Errata2() {
			return l, 0, fmt.Errorf("%v cannot express an undefined RA", p.Version)
		}
		return l, model.SFRAME_BASE_REG_FP, nil
	}
	switch t {
	case model.SFRAME_FDE_TYPE_FLEX:
		return p.flexWords(r)
	case model.SFRAME_FDE_TYPE_DEFAULT:
		return p.defaultWords(r)
	}
	return l, 0, fmt.Errorf("FDE type %d has no known words", t)
}

// lastWords has the data words of the last two rows with different rules: rows often alternate.
type lastWords struct {
	rows  [2]*Row
	words [2]wordList
	sizes [2]model.WordSize
	base  [2]model.BaseReg
	last  int
}

// of returns the index in l of the words of a row.
func (l *lastWords) of(p *Plan, t model.FDEType, r *Row) (int, error) {
	for k, s := range l.rows {
		if s != nil && r.wordsOf(s) {
			return k, nil
		}
	}
	k := 1 - l.last
	words, base, err := p.rowWords(t, r)
	if err != nil {
		return 0, err
	}
	size, err := words.size()
	if err != nil {
		return 0, err
	}
	l.rows[k], l.words[k], l.sizes[k], l.base[k], l.last = r, words, size, base, k
	return k, nil
}

// wordsOf reports whether a row has the data words of another one because their rules are the same.
func (r *Row) wordsOf(s *Row) bool { return r.Words == nil && s.Words == nil && r.Rules == s.Rules }

func rawWords(t model.FDEType, r *Row) (l wordList, base model.BaseReg, err error) {
	if len(r.Words) > model.MaxWords {
		return l, 0, fmt.Errorf("%d data words; the info byte has room for %d", len(r.Words), model.MaxWords)
	}
	l.n = copy(l.w[:], r.Words)
	if t == model.SFRAME_FDE_TYPE_FLEX {
		controls(r.Words, func(k int) { l.unsigned |= 1 << k })
	}
	return l, r.Base, nil
}

func outermost(r model.Row) bool {
	return r.CFA.Kind == model.Undefined && r.RA.Kind == model.Undefined && r.FP.Kind == model.Undefined
}

// defaultWords returns the words of a default-type row
// ("Default FDE Type Interpretation").
func (p *Plan) defaultWords(r *Row) (l wordList, base model.BaseReg, err error) {
	abi, cfa := p.ABIInfo(), r.Rules.CFA
	if !abi.Known() {
		return l, 0, fmt.Errorf("%s has no known rows", abi.Name)
	}
	switch {
	case cfa.Kind != model.InRegister || cfa.Deref:
		return l, 0, p.inexpressible("CFA", cfa, "it must be a register and an offset")
	case cfa.Reg == abi.SP:
		base = model.SFRAME_BASE_REG_SP
	case cfa.Reg != abi.FP:
		return l, 0, p.inexpressible("CFA", cfa, "its base must be SP or FP")
	}
	if err = p.addCFAOffset(&l, cfa); err != nil {
		return l, 0, err
	}
	if err = p.addSlots(&l, r.Rules); err != nil {
		return l, 0, err
	}
	if !abi.ValidWords(p.Version, l.n) {
		return l, 0, fmt.Errorf("%s has no row of %d words", abi.Name, l.n)
	}
	return l, base, nil
}

// addCFAOffset adds the offset word of the CFA, which s390x scales.
func (p *Plan) addCFAOffset(l *wordList, cfa model.Recovery) error {
	abi := p.ABIInfo()
	off := cfa.Offset - abi.CFAAdjust
	if off%abi.CFAScale != 0 {
		return p.inexpressible("CFA", cfa, fmt.Sprintf("its offset must be a multiple of %d", abi.CFAScale))
	}
	l.add(off / abi.CFAScale)
	return nil
}

// addSlots adds the words for RA and FP, unless they have the meaning of absent
// words.
func (p *Plan) addSlots(l *wordList, rules model.Row) error {
	abi, needFP := p.ABIInfo(), rules.FP != p.absentFP()
	switch {
	case !abi.TracksRA():
		if rules.RA != p.absentRA() {
			return p.inexpressible("RA", rules.RA, "it is fixed by the ABI")
		}
	case rules.RA != p.absentRA():
		w, err := p.slotWord("RA", rules.RA)
		if err == nil && w == model.SFRAME_FRE_RA_OFFSET_INVALID && abi.RAPadding {
			err = p.inexpressible("RA", rules.RA, "its word would be padding")
		}
		if err != nil {
			return err
		}
		l.add(w)
	case needFP && !abi.RAPadding:
		return p.inexpressible("FP", rules.FP, "RA must be saved too")
	case needFP:
		l.add(model.SFRAME_FRE_RA_OFFSET_INVALID)
	}
	if !needFP {
		return nil
	}
	w, err := p.slotWord("FP", rules.FP)
	l.add(w)
	return err
}

// slotWord returns the word for a saved register.
func (p *Plan) slotWord(what string, v model.Recovery) (int64, error) {
	lsb := p.ABIInfo().LSBRegs && p.Version.Info().WordRegs
	switch {
	case v.Kind == model.FromCFA && v.Deref && lsb && v.Offset&1 != 0:
		return 0, p.inexpressible(what, v, "an odd word is a register")
	case v.Kind == model.FromCFA && v.Deref:
		return v.Offset, nil
	case v.Kind == model.InRegister && lsb && !v.Deref && v.Offset == 0:
		return int64(v.Reg)<<1 | 1, nil
	}
	return 0, p.inexpressible(what, v, "it must be in a slot of the frame")
}

// flexWords returns the words of a flexible row ("Flexible FDE Type
// Interpretation"). A default value needs no pair.
func (p *Plan) flexWords(r *Row) (l wordList, base model.BaseReg, err error) {
	rules := r.Rules
	if rules.CFA.Kind != model.InRegister {
		return l, 0, p.inexpressible("CFA", rules.CFA, "its base must be a register")
	}
	l.addControl(control(rules.CFA))
	if err = p.addCFAOffset(&l, rules.CFA); err != nil {
		return l, 0, err
	}
	needFP := rules.FP != p.absentFP()
	switch {
	case rules.RA != p.absentRA():
		err = p.addPair(&l, "RA", rules.RA)
	case needFP:
		l.add(0)
	}
	if err == nil && needFP {
		err = p.addPair(&l, "FP", rules.FP)
	}
	return l, model.SFRAME_BASE_REG_FP, err
}

// addPair adds the control and the offset word of RA or FP.
func (p *Plan) addPair(l *wordList, what string, v model.Recovery) error {
	switch {
	case v.Kind == model.FromCFA && !v.Deref:
		return p.inexpressible(what, v, "its control word would be padding")
	case v.Kind != model.FromCFA && v.Kind != model.InRegister:
		return p.inexpressible(what, v, "no pair of words says so")
	}
	l.addControl(control(v))
	l.add(v.Offset)
	return nil
}

// control returns the control word of a rule that has one.
func control(v model.Recovery) int64 {
	ctl := int64(0)
	if v.Kind == model.InRegister {
		ctl = int64(v.Reg)<<model.FlexRegShift | model.FlexRegP
	}
	if v.Deref {
		ctl |= model.FlexDerefP
	}
	return ctl
}

// absentRA and absentFP are the rules of a row that has no word for the
// register.
func (p *Plan) absentRA() model.Recovery {
	if p.ABIInfo().TracksRA() {
		return model.Recovery{Kind: model.Unchanged}
	}
	return model.Recovery{Kind: model.FromCFA, Deref: true, Offset: int64(p.FixedRA)}
}

func (p *Plan) absentFP() model.Recovery {
	if p.FixedFP == 0 {
		return model.Recovery{Kind: model.Unchanged}
	}
	return model.Recovery{Kind: model.FromCFA, Deref: true, Offset: int64(p.FixedFP)}
}

func (p *Plan) inexpressible(what string, v model.Recovery, why string) error {
	return fmt.Errorf("%s is %s: %s", what, v.Format(p.ABIInfo()), why)
}
