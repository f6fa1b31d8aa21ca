package generator

import (
	"slices"
)

// corners are the ends of 8, 16 and 32 bits, signed and not, and their neighbours.
var corners = []int64{
	0, 1, 2, 3, 126, 127, 128, 129, 254, 255, 256, 257, 32766, 32767, 32768, 32769, 65534, 65535, 65536, 65537,
	1<<31 - 2, 1<<31 - 1, 1 << 31, 1<<31 + 1, 1<<32 - 2, 1<<32 - 1,
}

// corner draws one of the corners from lo to hi and negated ones, rounded to a multiple
// of a; ok is false if there is none.
func (g *maker) corner(lo, hi, a int64) (v int64, ok bool) {
	var fit []int64
	add := func(c int64) {
		if c -= c % a; c >= lo && c <= hi {
			fit = append(fit, c)
		}
	}
	for _, c := range corners {
		add(c)
		add(-c)
	}
	if len(fit) == 0 {
		return 0, false
	}
	return fit[g.rnd.IntN(len(fit))], true
}

// word draws a corner of a data word, as an offset of the given scale.
func (g *maker) word(scale int64) int64 {
	v, _ := g.corner(-1<<31, 1<<31-1, 1)
	return v * scale
}

// far gives functions sizes, rows and starts at the ends of their fields, as far as the
// address space has room. The order of the functions stays.
func (g *maker) far(size int64) {
	order := g.p.byStart()
	for k, i := range order {
		if f := &g.p.Funcs[i]; g.chance(g.c.Wide) && g.chance(30) {
			g.stretch(f, g.free(f, order[k+1:], size))
		}
	}
	if len(order) > 0 && g.chance(g.c.Wide) && g.chance(30) {
		g.outward(order, size)
	}
}

// free returns how many bytes a function can have before the next one, in the order of
// the starts, or the section.
func (g *maker) free(f *Func, next []int, size int64) int64 {
	room := ^f.Start // not the last address
	if len(next) > 0 {
		room = g.p.Funcs[next[0]].Start - f.Start
	}
	if f.Start < g.p.Addr+uint64(size) {
		room = min(room, g.p.Addr-f.Start)
	}
	return int64(min(room, 1<<32-1))
}

// stretch gives a function a size of up to room bytes, and its last row a start.
func (g *maker) stretch(f *Func, room int64) {
	least := int64(1)
	if n := len(f.Rows); n > 0 {
		least = max(least, int64(f.Rows[n-1].Start))
	}
	least = max(least, int64(f.RepSize))
	a := int64(1)
	if g.chance(70) {
		a = g.abi.MinInsn
	}
	lo := least
	if g.chance(50) {
		lo = max(lo, min(room, 1<<31-1<<8))
	}
	v, ok := g.corner(lo, room, a)
	if !ok {
		return
	}
	was := f.Size
	if f.Size = uint32(v); g.p.validEdit(f) != nil {
		f.Size = was
		return
	}
	for range 2 {
		g.tryEdit(f, editRowStart)
	}
}

// outward moves the first or last function so that its start field has a corner.
func (g *maker) outward(order []int, size int64) {
	up := g.chance(50)
	i := order[0]
	if up {
		i = order[len(order)-1]
	}
	f := &g.p.Funcs[i]
	e := &encoder{p: g.p, l: &Layout{FDEOff: g.p.Style.FDEGap}}
	base := f.Start - uint64(g.p.rawStart(f, e.entryOff(i)))
	raws := []int64{1<<31 - 1, 1<<31 - 2, 1 << 31, 1<<31 + 1, 1<<32 - 1, 1 << 32, 1 << 62, 1<<63 - 2, 1<<63 - 1}
	if g.p.Version.Info().StartWidth == 4 {
		raws = raws[:2]
	}
	raw := raws[g.rnd.IntN(len(raws))]
	a := uint64(g.abi.MinInsn)
	to := (base + uint64(raw)) / a * a
	if up {
		if raw > 0 && to >= base && to > f.Start && to >= g.p.Addr+uint64(size) && to+uint64(f.Size) > to {
			f.Start = to
		}
		return
	}
	if raw == 1<<31-1 || raw == 1<<63-1 {
		raw = -raw - 1
	} else {
		raw = -raw
	}
	to = (base + uint64(raw) + a - 1) / a * a
	end := to + uint64(f.Size)
	if to < base && to < f.Start && end >= to && end <= min(f.Start, g.p.Addr) {
		f.Start = to
	}
}

// share gives the function the FREs of the previous one.
func (g *maker) share(f *Func) {
	prev := &g.p.Funcs[len(g.p.Funcs)-1]
	name := f.Name
	*f = *prev
	f.Name, f.Rows = name, slices.Clone(prev.Rows)
}

// shares reports whether the function at index i may be written with the FREs of the
// previous one, whose bytes are the same.
func (p *Plan) shares(i int) bool {
	if i == 0 {
		return false
	}
	f, g := &p.Funcs[i-1], &p.Funcs[i]
	attr := p.Version.Info().AttrSize == 0 || // else these are in the FREs' bytes
		f.PCType == g.PCType && f.PauthKey == g.PauthKey && f.Signal == g.Signal && f.RepSize == g.RepSize
	return attr && f.FDEType == g.FDEType && len(f.Rows) > 0 && slices.EqualFunc(f.Rows, g.Rows, func(a, b Row) bool {
		return a.Start == b.Start && a.Mangled == b.Mangled && a.Rules == b.Rules && a.Base == b.Base && slices.Equal(a.Words, b.Words)
	})
}
