package rewrite

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

// wordsOf returns the data words of an FRE that states recovery rules, and its base bit.
func (b *builder) wordsOf(row model.Row, t model.FDEType) (l words, base model.BaseReg, err error) {
	undefined := model.Recovery{Kind: model.Undefined}
	if row == (model.Row{CFA: undefined, RA: undefined, FP: undefined}) {
		if !b.info.Errata2 {
			return l, 0, fmt.Errorf("version %d has no undefined RA", b.head.Version)
		}
		return l, model.SFRAME_BASE_REG_FP, nil
	}
	if !row.Valid() || row.CFA.Kind != model.InRegister {
		return l, 0, fmt.Errorf("its data words have no meaning")
	}
	if t == model.SFRAME_FDE_TYPE_FLEX {
		return b.flexWords(row)
	}
	return b.defaultWords(row)
}

// absent returns the rules for RA and FP of an FRE without words for them.
func (b *builder) absent() (ra, fp model.Recovery) {
	ra, fp = model.Recovery{Kind: model.Unchanged}, model.Recovery{Kind: model.Unchanged}
	if abi := b.abi(); !abi.TracksRA() {
		ra = model.Recovery{Kind: model.FromCFA, Deref: true, Offset: int64(b.head.FixedRAOffset)}
	}
	if b.head.FixedFPOffset != 0 {
		fp = model.Recovery{Kind: model.FromCFA, Deref: true, Offset: int64(b.head.FixedFPOffset)}
	}
	return ra, fp
}

func (b *builder) abi() model.ABIInfo { return model.LookupABI(b.head.ABI) }

// inexpressible is the error for a rule that the words can't express.
func (b *builder) inexpressible(what string, v model.Recovery) error {
	return fmt.Errorf("version %d can't express that %s is %s", b.head.Version, what, v.Format(b.abi()))
}

// addCFA adds the offset of the CFA.
func (b *builder) addCFA(l *words, cfa model.Recovery) error {
	abi := b.abi()
	off := cfa.Offset - abi.CFAAdjust
	if off%abi.CFAScale != 0 {
		return b.inexpressible("CFA", cfa)
	}
	l.add(off / abi.CFAScale)
	return nil
}

// defaultWords returns the words of an FRE of the default type.
func (b *builder) defaultWords(row model.Row) (l words, base model.BaseReg, err error) {
	abi := b.abi()
	absentRA, absentFP := b.absent()
	switch {
	case row.CFA.Deref || row.CFA.Reg != abi.SP && row.CFA.Reg != abi.FP:
		return l, 0, b.inexpressible("CFA", row.CFA)
	case row.CFA.Reg == abi.SP:
		base = model.SFRAME_BASE_REG_SP
	}
	if err := b.addCFA(&l, row.CFA); err != nil {
		return l, 0, err
	}
	needFP := row.FP != absentFP
	if row.RA != absentRA {
		w, ok := b.slot(row.RA)
		if !ok || !abi.TracksRA() || abi.RAPadding && w == model.SFRAME_FRE_RA_OFFSET_INVALID {
			return l, 0, b.inexpressible("RA", row.RA)
		}
		l.add(w)
	} else if needFP && abi.TracksRA() {
		if !abi.RAPadding {
			return l, 0, b.inexpressible("FP", row.FP)
		}
		l.add(model.SFRAME_FRE_RA_OFFSET_INVALID)
	}
	if needFP {
		w, ok := b.slot(row.FP)
		if !ok {
			return l, 0, b.inexpressible("FP", row.FP)
		}
		l.add(w)
	}
	return l, base, nil
}

// slot returns the word for a value that is saved in the frame or, in version 2 on some
// ABIs, in a register. It reports whether there is one.
func (b *builder) slot(v model.Recovery) (int64, bool) {
	odd := b.abi().LSBRegs && b.info.WordRegs
	switch {
	case v.Kind == model.FromCFA && v.Deref && !(odd && v.Offset&1 != 0):
		return v.Offset, true
	case odd && v.Kind == model.InRegister && !v.Deref && v.Offset == 0:
		return int64(v.Reg)<<1 | 1, true
	}
	return 0, false
}

// flexWords returns the words of an FRE of the flexible type.
func (b *builder) flexWords(row model.Row) (l words, base model.BaseReg, err error) {
	l.addControl(control(row.CFA))
	if err := b.addCFA(&l, row.CFA); err != nil {
		return l, 0, err
	}
	pair := func(what string, v model.Recovery) {
		c := control(v)
		if c == 0 || v.Kind != model.FromCFA && v.Kind != model.InRegister {
			err = b.inexpressible(what, v)
			return
		}
		l.addControl(c)
		l.add(v.Offset)
	}
	absentRA, absentFP := b.absent()
	needFP := row.FP != absentFP
	if row.RA != absentRA {
		pair("RA", row.RA)
	} else if needFP {
		l.addControl(0)
	}
	if needFP && err == nil {
		pair("FP", row.FP)
	}
	return l, model.SFRAME_BASE_REG_FP, err
}

// control returns the control word of a rule, 0 if there is none.
func control(v model.Recovery) int64 {
	c := int64(0)
	if v.Kind == model.InRegister {
		c = int64(v.Reg)<<model.FlexRegShift | model.FlexRegP
	}
	if v.Deref {
		c |= model.FlexDerefP
	}
	return c
}
