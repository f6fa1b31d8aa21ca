package generator

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

// Suspicious returns the first thing in a valid plan that a linter would report
// as suspicious or as larger than needed, nil if there is none. It does not check
// the size of a plan with a layout.
func Suspicious(p *Plan) error {
	if p.Layout == nil && p.Style != (Style{}) {
		return fmt.Errorf("the section is not written in the smallest way")
	}
	if p.FixedFP != p.ABIInfo().FixedFP || p.Version.Info().NeedFlags&^p.Flags != 0 {
		return fmt.Errorf("a header that no producer writes")
	}
	if !p.Relocatable && len(p.Funcs) > 0 && p.Flags&model.SFRAME_F_FDE_SORTED == 0 {
		return fmt.Errorf("not sorted")
	}
	return p.suspiciousFuncs()
}
