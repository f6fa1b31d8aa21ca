package generator

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

// Valid returns an error if a plan violates the format. It gives the same result as the linter's rules for the plan's
// bytes, but does not encode the plan.
func Valid(p *Plan) error {
	if err := validSection(p); err != nil {
		return err
	}
	for i := range p.Funcs {
		if err := p.validEdit(&p.Funcs[i]); err != nil {
			return fmt.Errorf("FDE %d: %w", i, err)
		}
	}
	return nil
}

// validEdit returns an error if the function, wherever it is, is not valid.
func (p *Plan) validEdit(f *Func) error {
	if err := p.validFunc(f); err != nil {
		return err
	}
	for j := range f.Rows {
		if err := p.validRow(f, j); err != nil {
			return fmt.Errorf("FRE %d: %w", j, err)
		}
	}
	return nil
}

func validSection(p *Plan) error {
	abi := p.ABIInfo()
	sorted := p.Flags&model.SFRAME_F_FDE_SORTED != 0
	switch {
	case !p.Version.Known() || !abi.InVersion(p.Version):
		return fmt.Errorf("%v with ABI %d", p.Version, p.ABI)
	case p.BigEndian != abi.Big:
		return fmt.Errorf("the byte order is not that of %s", abi.Name)
	case p.Flags&^model.DefinedFlags(p.Version) != 0:
		return fmt.Errorf("flags 0x%x", uint8(p.Flags))
	case sorted && !p.ascending():
		return fmt.Errorf("SORTED, but the starts do not ascend")
	case p.FixedFP != abi.FixedFP && abi.TracksRA() || p.FixedRA != abi.FixedRA:
		return fmt.Errorf("fixed offsets %d and %d", p.FixedFP, p.FixedRA)
	}
	return p.disjoint()
}

// disjoint returns an error if two functions share a byte or a start.
func (p *Plan) disjoint() error {
	order := p.byStart()
	for k := 1; k < len(order); k++ {
		f, g := &p.Funcs[order[k-1]], &p.Funcs[order[k]]
		if f.Place == g.Place && (g.Start-f.Start < uint64(f.Size) || g.Start == f.Start) {
			return fmt.Errorf("FDEs %d and %d overlap", order[k-1], order[k])
		}
	}
	return nil
}

func (p *Plan) validFunc(f *Func) error {
	mask := f.PCType == model.SFRAME_FDE_PCTYPE_MASK
	version := p.Version.Info()
	abi := p.ABIInfo()
	switch {
	case f.Start+uint64(f.Size) < f.Start:
		return fmt.Errorf("the function wraps around")
	case f.Start%uint64(abi.MinInsn) != 0:
		return fmt.Errorf("start 0x%x is inside an instruction", f.Start)
	case f.Unknown:
		return fmt.Errorf("the start is unknown")
	case mask && f.RepSize == 0 && version.Stubs:
		return fmt.Errorf("stubs of 0 bytes")
	case uint32(f.RepSize) > f.Size:
		return fmt.Errorf("stubs of %d bytes in %d", f.RepSize, f.Size)
	case f.RepSize != 0 && !version.Stubs:
		return fmt.Errorf("rep_size in %v", p.Version)
	case f.PauthKey != 0 && !abi.Pauth:
		return fmt.Errorf("key B on %s", abi.Name)
	case f.Signal && !version.Signal:
		return fmt.Errorf("signal frame in %v", p.Version)
	case f.FDEType > model.SFRAME_FDE_TYPE_FLEX || f.FDEType != 0 && !version.Flex:
		return fmt.Errorf("FDE type %d", f.FDEType)
	case len(f.Rows) == 0 && f.FDEType != model.SFRAME_FDE_TYPE_DEFAULT:
		return fmt.Errorf("no rows of FDE type %d", f.FDEType)
	case version.MaxFREs < uint32(len(f.Rows)):
		return fmt.Errorf("%d rows", len(f.Rows))
	}
	return nil
}

func (p *Plan) validRow(f *Func, j int) error {
	r := &f.Rows[j]
	switch {
	case j > 0 && r.Start <= f.Rows[j-1].Start:
		return fmt.Errorf("start 0x%x is not after 0x%x", r.Start, f.Rows[j-1].Start)
	case r.Start > f.Extent() || r.Start == f.Extent() && f.PCType == model.SFRAME_FDE_PCTYPE_MASK && f.RepSize != 0:
		return fmt.Errorf("start 0x%x is beyond 0x%x bytes", r.Start, f.Extent())
	case int64(r.Start)%p.ABIInfo().MinInsn != 0:
		return fmt.Errorf("start 0x%x is inside an instruction", r.Start)
	case r.Mangled && !p.ABIInfo().Pauth:
		return fmt.Errorf("signed return address on %s", p.ABIInfo().Name)
	case !r.Rules.Valid():
		return fmt.Errorf("the rules are invalid")
	}
	if _, _, err := p.sizedWords(f.FDEType, r); err != nil {
		return err
	}
	return p.validRules(r.Rules)
}

// validRules checks registers and alignment, which the format and the ABI limit.
func (p *Plan) validRules(r model.Row) error {
	abi := p.ABIInfo()
	if r.CFA.Kind == model.InRegister && r.CFA.Reg >= abi.AddrRegs {
		return p.inexpressible("CFA", r.CFA, "no base")
	}
	for _, v := range []model.Recovery{r.RA, r.FP} {
		switch {
		case v.Kind == model.InRegister && v.Deref && v.Reg >= abi.AddrRegs:
			return p.inexpressible("RA or FP", v, "no base")
		case v.Kind == model.InRegister && v.Reg >= abi.HoldRegs:
			return p.inexpressible("RA or FP", v, "no register")
		case v.Deref && v.Offset%abi.SlotAlign != 0 && abi.LSBRegs: // s390x
			return p.inexpressible("RA or FP", v, "not aligned")
		}
	}
	return nil
}
