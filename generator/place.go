package generator

import (
	"fmt"
	"math"
	"sort"

	"github.com/sframe-lint/sframe-lint/model"
)

// margin is subtracted from the reach of a start field, in bytes: starts are
// relative to their fields, and the section itself has a size.
const margin = 1 << 16

// place gives the functions their addresses and their order.
func (g *maker) place() error {
	l, err := Arrange(g.p)
	if err != nil {
		return err
	}
	span := g.spread(l.Size)
	if err := g.move(l.Size, span); err != nil {
		return err
	}
	if !g.c.Sorted {
		g.shuffle()
	}
	if err := g.checkReach(span); err != nil {
		return err
	}
	g.moveUp()
	if g.c.Wide > 0 {
		g.far(l.Size + 4*int64(g.p.NumFREs()) + margin)
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
		end = int64(f.Start) + max(int64(f.Size), 1)
	}
	return end
}

// reach returns how many bytes the functions may span.
func (g *maker) reach(size int64) int64 {
	d := g.c.Distance
	if g.p.Version.Info().StartWidth == 8 {
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
	g.shift(g.p.Funcs, at)
	if g.c.Around > 0 {
		g.moveAround(size)
	}
	return nil
}

func (g *maker) shift(fs []Func, by int64) {
	for i := range fs {
		fs[i].Start += uint64(by)
	}
}

// moveAround moves some of the functions to the other side of the section, at the
// same distance, if the address space and the start fields have room.
func (g *maker) moveAround(size int64) {
	fs, addr := g.p.Funcs, int64(g.p.Addr)
	k := len(fs) * int(g.c.Around) / 100
	reach := int64(math.MaxInt64)
	if g.p.Version.Info().StartWidth == 4 {
		reach = 1<<31 - size - margin
	}
	if g.c.Distance < 0 {
		fs = fs[len(fs)-k:]
	} else {
		fs = fs[:k]
	}
	if k == 0 {
		return
	}
	start, end := int64(fs[0].Start), int64(fs[k-1].Start)+int64(fs[k-1].Size)
	to := (addr-g.c.Distance-(end-start))/16*16 - 16
	if g.c.Distance < 0 {
		to = align(addr+size-g.c.Distance, 16, math.MaxInt64)
	}
	if to >= 0 && addr-to < reach && to+end-start-addr < reach {
		g.shift(fs, to-start/16*16)
	}
}

// checkReach checks that the starts are within reach of the start fields.
func (g *maker) checkReach(span int64) error {
	e := &encoder{p: g.p, l: &Layout{FDEOff: g.p.Style.FDEGap}}
	for i := range g.p.Funcs {
		raw := g.p.rawStart(&g.p.Funcs[i], e.entryOff(i))
		if g.p.Version.Info().StartWidth == 4 && raw != int64(int32(raw)) {
			return fmt.Errorf("functions of %d bytes at distance %d are out of the reach of V%d", span, g.c.Distance, g.c.Version)
		}
	}
	return nil
}

// moveUp moves everything into the upper half of the address space if the knob is
// on: to the addresses of the x86-64 Linux kernel if there is room.
func (g *maker) moveUp() {
	if !g.c.High {
		return
	}
	end := g.p.Addr
	for i := range g.p.Funcs {
		end = max(end, g.p.Funcs[i].Start+uint64(g.p.Funcs[i].Size))
	}
	by := uint64(1) << 63
	if end < 1<<30 {
		by = 0xffff_ffff_8000_0000
	}
	g.p.Addr += by
	for i := range g.p.Funcs {
		g.p.Funcs[i].Start += by
	}
}

// shuffle puts the functions out of order.
func (g *maker) shuffle() {
	fs := g.p.Funcs
	g.rnd.Shuffle(len(fs), func(i, j int) { fs[i], fs[j] = fs[j], fs[i] })
	if n := len(fs); n > 1 && g.p.ascending() {
		fs[0], fs[n-1] = fs[n-1], fs[0]
	}
}

// ascending reports whether the functions of a linked file are in the order of
// their starts, as the SORTED flag requires.
func (p *Plan) ascending() bool {
	return !p.Relocatable && sort.SliceIsSorted(p.Funcs, func(i, j int) bool { return p.Funcs[i].Start < p.Funcs[j].Start })
}
