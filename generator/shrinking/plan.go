package shrinking

import "github.com/sframe-lint/sframe-lint/generator"

// Plan makes a plan simpler as long as try says that it will do. Where the
// plan does not do when it is written without its layout, no other will be
// tried: the layout is what matters then. It tells whether anything has
// become of it.
func Plan(p *generator.Plan, try func(*generator.Plan) bool) (*generator.Plan, bool) {
	plain := p.Clone()
	plain.Layout = nil
	if !try(plain) {
		return p, false
	}
	return generator.Shrink(plain, try), true
}
