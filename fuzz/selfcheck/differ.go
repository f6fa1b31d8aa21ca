package selfcheck

import (
	"bytes"
	"fmt"

	"github.com/sframe-lint/sframe-lint/generator"
)

// differ returns the first thing in which two plans mean something else, ""
// where there is none.
func differ(p, q *generator.Plan) string {
	switch {
	case p.Version != q.Version || p.ABI != q.ABI || p.BigEndian != q.BigEndian || p.Flags != q.Flags ||
		p.Addr != q.Addr || p.FixedFP != q.FixedFP || p.FixedRA != q.FixedRA || !bytes.Equal(p.Aux, q.Aux):
		return "the header"
	case len(p.Funcs) != len(q.Funcs):
		return fmt.Sprintf("%d functions, %d functions", len(p.Funcs), len(q.Funcs))
	}
	for i := range p.Funcs {
		f, g := &p.Funcs[i], &q.Funcs[i]
		if f.Start != g.Start || f.Size != g.Size || f.PCType != g.PCType || f.FDEType != g.FDEType ||
			f.Place != g.Place || f.Unknown != g.Unknown ||
			f.PauthKey != g.PauthKey || f.Signal != g.Signal || f.RepSize != g.RepSize || len(f.Rows) != len(g.Rows) {
			return fmt.Sprintf("FDE %d", i)
		}
		for j := range f.Rows {
			if r, o := &f.Rows[j], &g.Rows[j]; r.Start != o.Start || r.Mangled != o.Mangled || r.Rules != o.Rules {
				return fmt.Sprintf("FDE %d FRE %d", i, j)
			}
		}
	}
	return ""
}
