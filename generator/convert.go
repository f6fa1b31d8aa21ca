package generator

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

// Convert returns the same functions and recovery rules for another version of the format. It drops the layout and
// undefined flags, and sets PCREL in V3. It returns an error if the version cannot express something.
func Convert(p *Plan, v model.Version) (*Plan, error) {
	c := p.Clone()
	c.Version, c.Layout = v, nil
	c.Flags &= model.DefinedFlags(v)
	c.Flags |= v.Info().NeedFlags
	if !c.ABIInfo().InVersion(v) {
		return nil, fmt.Errorf("%v does not support %s", v, c.ABIInfo().Name)
	}
	for i := range c.Funcs {
		f := &c.Funcs[i]
		if f.PCType == model.SFRAME_FDE_PCTYPE_MASK && v != p.Version && !(v.Info().Stubs && p.Version.Info().Stubs) {
			return nil, fmt.Errorf("FDE %d: V1 has no size of stubs", i)
		}
		if len(f.Rows) == 0 && v.Info().OutermostFDE != p.Version.Info().OutermostFDE {
			return nil, fmt.Errorf("FDE %d: a function without rows means something else in %v", i, v)
		}
		for j := range f.Rows {
			if !f.Rows[j].Rules.Valid() {
				return nil, fmt.Errorf("FDE %d: FRE %d: unknown rules", i, j)
			}
			f.Rows[j].Words = nil
		}
		c.FitType(f)
	}
	if _, err := Encode(c); err != nil {
		return nil, fmt.Errorf("%v: %w", v, err)
	}
	return c, nil
}

// FitType sets the default FDE type if it can express all rows of the function. Otherwise, in V3, it sets the
// flexible type.
func (p *Plan) FitType(f *Func) {
	f.FDEType = model.SFRAME_FDE_TYPE_DEFAULT
	if !p.Version.Info().Flex {
		return
	}
	for j := range f.Rows {
		if _, err := p.rowWords(f.FDEType, &f.Rows[j]); err != nil {
			f.FDEType = model.SFRAME_FDE_TYPE_FLEX
			return
		}
	}
}
