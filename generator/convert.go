package generator

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

// Convert describes the same functions in another version of the format.
// Every recovery rule is kept, in whatever words the version has for it; the
// layout is not, and flags that the version lacks are dropped. V3 always
// counts starts from their fields, so that flag is set there. It is an error
// where the version has no means to say what the plan says.
func Convert(p *Plan, v model.Version) (*Plan, error) {
	c := p.Clone()
	c.Version, c.Layout = v, nil
	c.Flags &= model.DefinedFlags(v)
	c.Flags |= v.Info().NeedFlags
	if !c.ABIInfo().InVersion(v) {
		return nil, fmt.Errorf("%v does not know %s", v, c.ABIInfo().Name)
	}
	for i := range c.Funcs {
		f := &c.Funcs[i]
		if f.PCType == model.SFRAME_FDE_PCTYPE_MASK && v != p.Version && !(v.Info().Stubs && p.Version.Info().Stubs) {
			return nil, fmt.Errorf("FDE %d: V1 does not say how large a stub is", i)
		}
		if len(f.Rows) == 0 && !v.Info().OutermostFDE {
			return nil, fmt.Errorf("FDE %d: %v has no functions without rows", i, v)
		}
		for j := range f.Rows {
			if !f.Rows[j].Rules.Valid() {
				return nil, fmt.Errorf("FDE %d: FRE %d: its rules are not known", i, j)
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

// FitType gives the function the default FDE type where that can express all
// of its rows, else, in V3, the flexible one.
func (p *Plan) FitType(f *Func) {
	f.FDEType = model.SFRAME_FDE_TYPE_DEFAULT
	if !p.Version.Info().Flex {
		return
	}
	for j := range f.Rows {
		if _, _, err := p.rowWords(f.FDEType, &f.Rows[j]); err != nil {
			f.FDEType = model.SFRAME_FDE_TYPE_FLEX
			return
		}
	}
}
