package shrink

import "github.com/sframe-lint/sframe-lint/generator"

// Plans simplifies plans by the steps of [generator.Shrinks]. If the predicate
// does not hold for a plan without its layout, the layout matters and Plans
// tries nothing else.
func Plans(l *Loop[*generator.Plan]) {
	if l.Value.Layout != nil && !l.Try(canonical(l.Value)) {
		return
	}
	next := generator.Shrinks(l.Value)
	for q := next(); q != nil && !l.Ended(); q = next() {
		if l.Try(q) {
			return
		}
	}
}

// canonical returns the plan without its layout.
func canonical(p *generator.Plan) *generator.Plan {
	q := p.Clone()
	q.Layout = nil
	return q
}
