package selfcheck

import (
	"bytes"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/reader"
)

// damage changes the section and files around it, and sees that nothing
// panics, that what can be described is written again as it was, and that
// look-ups in the files agree with a scan.
func (r *run) damage() {
	b, err := generator.Encode(r.p)
	if err != nil {
		return
	}
	for _, change := range []func([]byte, int) []byte{r.m.Blind, r.m.Section} {
		bad := change(b, 8)
		r.stats.Damaged++
		r.lint(bad, r.p.Addr)
		s, _ := reader.DecodeSection(bad, reader.SectionOptions{Addr: r.p.Addr})
		if s == nil {
			continue
		}
		r.tiled(s)
		if again, err := generator.EncodeModel(s); err == nil && !bytes.Equal(again, bad) {
			r.fail("a damaged section is written as another one")
		}
	}
	kind := wraps[r.m.Rand.IntN(len(wraps))]
	f, err := kind.wrap(r.p)
	if err != nil {
		return
	}
	for _, change := range []func([]byte, int) []byte{r.m.Blind, r.m.File} {
		bad := change(f.Bytes, 8)
		r.stats.Damaged++
		r.lint(bad, 0)
		r.query(bad)
	}
	r.stats.Damaged++
	r.lint(r.m.File(r.dialect(f).bytes, 8), 0)
}
