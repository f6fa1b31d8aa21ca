package generator

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// String describes the plan, with a line for each function and row.
func (p *Plan) String() string {
	var b strings.Builder
	abi := p.ABIInfo()
	fmt.Fprintf(&b, "%v %s flags 0x%x at 0x%x, %d bytes of auxiliary header, style %+v\n",
		p.Version, abi.Name, uint8(p.Flags), p.Addr, len(p.Aux), p.Style)
	for i := range p.Funcs {
		f := &p.Funcs[i]
		fmt.Fprintf(&b, "  %s 0x%x size 0x%x", f.Name, f.Start, f.Size)
		if f.PCType == model.SFRAME_FDE_PCTYPE_MASK {
			fmt.Fprintf(&b, " stubs of %d", f.RepSize)
		}
		if f.FDEType != model.SFRAME_FDE_TYPE_DEFAULT {
			fmt.Fprintf(&b, " %v", f.FDEType)
		}
		if f.Signal {
			b.WriteString(" signal frame")
		}
		if f.PauthKey != model.SFRAME_AARCH64_PAUTH_KEY_A {
			b.WriteString(" key B")
		}
		b.WriteByte('\n')
		for j := range f.Rows {
			r := &f.Rows[j]
			fmt.Fprintf(&b, "    +0x%x CFA %s, RA %s, FP %s", r.Start,
				r.Rules.CFA.Format(abi), r.Rules.RA.Format(abi), r.Rules.FP.Format(abi))
			if r.Mangled {
				b.WriteString(", signed")
			}
			if r.Words != nil {
				fmt.Fprintf(&b, ", words %d", r.Words)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
