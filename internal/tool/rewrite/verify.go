package rewrite

import (
	"fmt"
	"iter"

	"github.com/sframe-lint/sframe-lint/model"
)

// verify compares the section that was written with the sections that it stands for.
func (b *builder) verify() error {
	n := -1 // of the FDE that was written
	for i, e := range b.entries {
		if b.begins[i/64]>>(i%64)&1 != 0 {
			n++
		}
		g := b.res.Section.FDE(n)
		p, piece, k := b.at(e)
		f := p.FDE(k)
		if err := b.equal(&f, &g, b.startOf(e)); err != nil {
			return fmt.Errorf("%sFDE %d: %w", b.pieceName(piece), k, err)
		}
	}
	return nil
}

// equal returns an error unless g says of the function of f what f says.
func (b *builder) equal(f, g *model.FDE, start uint64) error {
	off := uint64(0)
	if !b.Relocatable {
		off = start - g.Start()
	}
	switch {
	case off+uint64(f.Size()) > uint64(g.Size()):
		return fmt.Errorf("the function at 0x%x is not covered", start)
	case f.PCType() != g.PCType() || f.RepSize() != g.RepSize() || f.Signal() != g.Signal() || f.PauthKey() != g.PauthKey():
		return fmt.Errorf("its attributes differ")
	case off > 0 && (f.PCType() != model.SFRAME_FDE_PCTYPE_MASK || off%uint64(max(f.RepSize(), 1)) != 0):
		return fmt.Errorf("the function at 0x%x starts in another one", start)
	}
	next, stop := iter.Pull(stretches(g))
	defer stop()
	for x := range stretches(f) {
		if y, ok := next(); !ok || x != y {
			return fmt.Errorf("the FRE at +0x%x differs", x.start)
		}
	}
	if y, ok := next(); ok {
		return fmt.Errorf("the FRE at +0x%x is new", y.start)
	}
	return nil
}

// stretch is a run of PCs with the same recovery rules.
type stretch struct {
	start   uint32
	row     model.Row
	mangled bool
}

// stretches visits the runs of PCs of an FDE.
func stretches(f *model.FDE) iter.Seq[stretch] {
	return func(yield func(stretch) bool) {
		var prev stretch
		for r := range f.FREs() {
			x := stretch{r.Start(), r.Row(), r.MangledRA()}
			if r.Index() > 0 && x.row == prev.row && x.mangled == prev.mangled && x.start >= prev.start {
				continue
			}
			prev = x
			if !yield(x) {
				return
			}
		}
	}
}
