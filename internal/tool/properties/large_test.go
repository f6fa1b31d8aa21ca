package properties

import (
	"bytes"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/testkit/breaktest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// One section in largeEvery has largeFuncs functions, so that the reader reads
// and walks it in parts.
const largeEvery, largeFuncs = 5000, 70000

// large makes a round trip with a large section of few rows, and damages it: in
// some places, and in so many that the list of faults is cut.
func (r *run) large() {
	conf := r.conf
	if uint64(conf.Seed)%largeEvery != 0 {
		return
	}
	c := generator.Default()
	c.Seed, c.Version, c.ABI, c.Sorted, c.Addr = conf.Seed, conf.Version, conf.ABI, conf.Sorted, 1<<28
	c.Funcs, c.Rows, c.FuncSize, c.Gap = largeFuncs, 2, 64, 16
	p, err := generator.Generate(c)
	if err != nil {
		r.fail("%v", err)
		return
	}
	r.p, r.recipe.Config = p, c
	r.roundTrip()
	b, err := generator.Encode(p)
	if err != nil {
		return
	}
	if c := breaktest.Complaints(r.lint(b, p.Addr), rules.Error); c != "" {
		r.fail("errors in a valid section:%s", c)
	}
	for range 4 {
		r.stats.Damaged++
		r.m.Max = len(b) + 1<<10
		r.lint(r.m.Blind(b, 8), p.Addr)
	}
	s, _ := reader.DecodeSection(b, reader.SectionOptions{Addr: p.Addr})
	if s == nil {
		return
	}
	bad := bytes.Clone(b)
	fdes := s.FDESubsection()
	for i := range bad[fdes.Off:fdes.End()] {
		bad[fdes.Off+int64(i)] ^= byte(r.m.Rand.IntN(256))
	}
	r.stats.Damaged++
	// The parts are walked concurrently and end in any order.
	if once, twice := list(r.lint(bad, p.Addr)), list(r.lint(bad, p.Addr)); once != twice {
		r.fail("linted twice:\n%s\nthen\n%s", once, twice)
	}
}
