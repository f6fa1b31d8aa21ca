package selfcheck

import "github.com/sframe-lint/sframe-lint/generator"

// damage changes the section and files around it, and sees that what comes of
// it does no harm.
func (r *run) damage() {
	b, err := generator.Encode(r.p)
	if err != nil {
		return
	}
	for _, change := range []func([]byte, int) []byte{r.m.Blind, r.m.Section} {
		bad := change(b, 8)
		r.stats.Damaged++
		r.hostile(bad, r.p.Addr, r.m.Rand.IntN(8) == 0)
	}
	kind := wraps[r.m.Rand.IntN(len(wraps))]
	f, err := kind.wrap(r.p)
	if err != nil {
		return
	}
	for _, change := range []func([]byte, int) []byte{r.m.Blind, r.m.File} {
		bad := change(f.Bytes, 8)
		r.stats.Damaged++
		r.hostile(bad, 0, r.m.Rand.IntN(8) == 0)
	}
	r.stats.Damaged++
	r.lint(r.m.File(r.dialect(f).bytes, 8), 0)
}
