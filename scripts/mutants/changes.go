package main

import (
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/scripts/internal/subject"
)

// changes returns the addresses of the functions that differ between two plans,
// before and after.
func changes(a, b *generator.Plan) (out subject.Ranges) {
	only := func(p, q *generator.Plan) {
		have := map[uint64][]*generator.Func{}
		for i := range q.Funcs {
			have[q.Funcs[i].Start] = append(have[q.Funcs[i].Start], &q.Funcs[i])
		}
		for i := range p.Funcs {
			f := &p.Funcs[i]
			same := false
			for _, g := range have[f.Start] {
				same = same || alike(f, g)
			}
			if !same {
				out = append(out, subject.Span(f.Start, f.Size))
			}
		}
	}
	only(a, b)
	only(b, a)
	return out
}

// alike reports whether two functions are equal. A row that was changed has no
// words.
func alike(f, g *generator.Func) bool {
	if f.Start != g.Start || f.Size != g.Size || f.PCType != g.PCType || f.FDEType != g.FDEType || f.PauthKey != g.PauthKey ||
		f.Signal != g.Signal || f.RepSize != g.RepSize || len(f.Rows) != len(g.Rows) {
		return false
	}
	for j := range f.Rows {
		r, s := &f.Rows[j], &g.Rows[j]
		if r.Start != s.Start || r.Mangled != s.Mangled || r.Rules != s.Rules || (r.Words == nil) != (s.Words == nil) {
			return false
		}
	}
	return true
}
