package main

import (
	"reflect"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/scripts/internal/harness"
)

// changes returns the addresses of the functions that differ between two plans,
// before and after.
func changes(a, b *generator.Plan) (out harness.Ranges) {
	only := func(p, q *generator.Plan) {
		have := map[uint64][]*generator.Func{}
		for i := range q.Funcs {
			have[q.Funcs[i].Start] = append(have[q.Funcs[i].Start], &q.Funcs[i])
		}
		for i := range p.Funcs {
			f := &p.Funcs[i]
			same := false
			for _, g := range have[f.Start] {
				same = same || reflect.DeepEqual(f, g)
			}
			if !same {
				out = append(out, harness.Span(f.Start, f.Size))
			}
		}
	}
	only(a, b)
	only(b, a)
	return out
}
