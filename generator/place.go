package generator

import (
	"fmt"
	"math"
	"sort"

	"github.com/sframe-lint/sframe-lint/model"
)

// margin is kept free of what a start field reaches, in bytes: starts count
// from their fields, and the section itself has a size.
const margin = 1 << 16

// place gives the functions their addresses and settles their order.
func (g *maker) place() error {
	l, err := Arrange(g.p)
	if err != nil {
		return err
	}
	span := g.spread(l.Size)
	if err := g.move(l.Size, span); err != nil {
		return err
	}
	if g.c.Sorted == 0 {
		g.shuffle()
	}
	if g.p.ascending() {
		g.p.Flags |= model.SFRAME_F_FDE_SORTED
	}
	return nil
}

// spread lays the functions out from 0 on and returns their span.
func (g *maker) spread(size int64) int64 {
	total, n := int64(0), int64(len(g.p.Funcs))
	for i := range g.p.Funcs {
		total += int64(g.p.Funcs[i].Size) + 16
	}
	gap := g.c.Gap
	if n > 0 {
		gap = max(0, min(gap, (g.reach(size)-total)/n))
	}
	end := int64(0)
	for i := range g.p.Funcs {
		f := &g.p.Funcs[i]
		between, to := int64(0), g.abi.MinInsn
		if gap > 0 {
			between, to = g.upTo(0, gap), 16
		}
		f.Start = uint64(align(end+between, to, math.MaxInt64))
		end = int64(f.Start) + int64(f.Size)
	}
	return end
}

// reach is how many bytes the functions may span.
func (g *maker) reach(size int64) int64 {
	d := g.c.Distance
	if g.p.Version == model.SFRAME_VERSION_3 {
		if d < 0 {
			return g.c.Addr + d
		}
		return 1 << 60
	}
	if d < 0 {
		return min(1<<31-size-margin+d, g.c.Addr+d)
	}
	return 1<<31 - size - margin - d
}

// move puts the functions at their distance from the section.
func (g *maker) move(size, span int64) error {
	if len(g.p.Funcs) == 0 {
		return nil
	}
	addr, at := int64(g.p.Addr), int64(0)
	if g.c.Distance >= 0 {
		at = align(addr+size+g.c.Distance, 16, math.MaxInt64)
	} else {
		at = (addr+g.c.Distance-span)/16*16 - 16
		if at < 0 {
			return fmt.Errorf("addr 0x%x has no room for functions of %d bytes at distance %d", g.c.Addr, span, g.c.Distance)
		}
	}
	for i := range g.p.Funcs {
		g.p.Funcs[i].Start += uint64(at)
	}
	e := &encoder{p: g.p, l: &Layout{FDEOff: g.p.Style.FDEGap}}
	for i := range g.p.Funcs {
		raw := g.p.rawStart(&g.p.Funcs[i], e.entryOff(i))
		if g.p.Version != model.SFRAME_VERSION_3 && raw != int64(int32(raw)) {
			return fmt.Errorf("functions of %d bytes at distance %d are out of the reach of V%d", span, g.c.Distance, g.c.Version)
		}
	}
	return nil
}

// shuffle brings the functions out of order.
func (g *maker) shuffle() {
	fs := g.p.Funcs
	g.rnd.Shuffle(len(fs), func(i, j int) { fs[i], fs[j] = fs[j], fs[i] })
	if n := len(fs); n > 1 && g.p.ascending() {
		fs[0], fs[n-1] = fs[n-1], fs[0]
	}
}

// ascending tells whether the functions of a linked file stand in the order
// of their starts, which is what the SORTED flag says.
func (p *Plan) ascending() bool {
	return !p.Relocatable && sort.SliceIsSorted(p.Funcs, func(i, j int) bool { return p.Funcs[i].Start < p.Funcs[j].Start })
}
