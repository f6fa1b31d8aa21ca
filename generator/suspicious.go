package generator

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

// largeFrame is a CFA offset that no function of a normal program has.
const largeFrame = 1 << 20

// suspiciousFuncs returns the first thing in the functions of a valid plan that a linter would report as
// suspicious or as larger than needed, nil if there is none.
func (p *Plan) suspiciousFuncs() error {
	for i := range p.Funcs {
		if err := p.suspiciousFunc(i); err != nil {
			return fmt.Errorf("FDE %d: %w", i, err)
		}
	}
	return nil
}

func (p *Plan) suspiciousFunc(i int) error {
	f := &p.Funcs[i]
	mask := f.PCType == model.SFRAME_FDE_PCTYPE_MASK
	switch {
	case f.Size == 0 || int64(f.Size)%p.ABIInfo().MinInsn != 0:
		return fmt.Errorf("size %d", f.Size)
	case mask && f.RepSize != 0 && f.Size%uint32(f.RepSize) != 0 || !mask && f.RepSize != 0:
		return fmt.Errorf("stubs of %d bytes", f.RepSize)
	case len(f.Rows) == 0 || outermost(f.Rows[0].Rules):
		return fmt.Errorf("no caller")
	case f.FDEType == model.SFRAME_FDE_TYPE_FLEX && p.fitsDefault(f):
		return fmt.Errorf("flexible without need")
	case i > 0 && mergeable(&p.Funcs[i-1], f):
		return fmt.Errorf("the stubs continue the previous ones")
	case f.Rows[0].Start != 0 || !p.entryState(&f.Rows[0]):
		return fmt.Errorf("the first row is not the state at entry")
	}
	returns, fpSaved := len(f.Rows) == 1 || mask, false
	for j := range f.Rows {
		r := &f.Rows[j]
		fpSaved = fpSaved || r.Rules.FP != p.absentFP()
		returns = returns || j > 0 && p.entryState(r)
		err := p.suspiciousRow(r)
		switch {
		case err != nil:
		case r.Start >= f.Size:
			err = fmt.Errorf("it covers no byte")
		case j > 0 && r.Rules == f.Rows[j-1].Rules && r.Mangled == f.Rows[j-1].Mangled:
			err = fmt.Errorf("the same as the previous row")
		case r.Rules.CFA.Reg == p.ABIInfo().FP && !fpSaved:
			err = fmt.Errorf("FP is the base before it is saved")
		}
		if err != nil {
			return fmt.Errorf("FRE %d: %w", j, err)
		}
	}
	if !returns {
		return fmt.Errorf("the function never returns")
	}
	return nil
}

func (p *Plan) fitsDefault(f *Func) bool {
	c := *f
	p.FitType(&c)
	return c.FDEType == model.SFRAME_FDE_TYPE_DEFAULT
}

func mergeable(f, g *Func) bool {
	return f.PCType == model.SFRAME_FDE_PCTYPE_MASK && g.PCType == model.SFRAME_FDE_PCTYPE_MASK &&
		f.Start+uint64(f.Size) == g.Start
}

// entryState reports whether the row has the state that the ABI defines at a
// function's first instruction.
func (p *Plan) entryState(r *Row) bool {
	abi := p.ABIInfo()
	return !r.Mangled && r.Rules == model.Row{
		CFA: model.Recovery{Kind: model.InRegister, Reg: abi.SP, Offset: abi.EntryCFA},
		RA:  p.absentRA(), FP: p.absentFP(),
	}
}

// suspiciousRow checks a single row: the frame is between SP and CFA, and the
// slots are in it.
func (p *Plan) suspiciousRow(r *Row) error {
	abi, cfa := p.ABIInfo(), r.Rules.CFA
	switch {
	case cfa.Kind != model.InRegister || cfa.Reg != abi.SP && cfa.Reg != abi.FP:
		return fmt.Errorf("CFA base is neither SP nor FP")
	case cfa.Deref:
		return nil
	case cfa.Offset%abi.CFAAlign != 0:
		return fmt.Errorf("CFA offset %d is not aligned", cfa.Offset)
	case cfa.Reg == abi.SP && cfa.Offset < abi.EntryCFA || cfa.Offset < 0 || cfa.Offset > largeFrame:
		return fmt.Errorf("CFA offset %d", cfa.Offset)
	}
	ra, fp := r.Rules.RA, r.Rules.FP
	for _, v := range []model.Recovery{ra, fp} {
		if v.Kind != model.FromCFA {
			continue
		}
		if v.Offset > -abi.SlotAlign || v.Offset%abi.SlotAlign != 0 || cfa.Reg == abi.SP && v.Offset < -cfa.Offset {
			return fmt.Errorf("slot at CFA%+d outside the frame", v.Offset)
		}
	}
	if ra.Kind == fp.Kind && ra == fp && ra.Kind != model.Unchanged {
		return fmt.Errorf("RA and FP in one place")
	}
	return nil
}
