package model

import (
	"bytes"
	"fmt"
	"slices"
)

// Diff returns the first thing in which two sections differ, in words, or
// "" where they are equal in everything: fields, places, rows and words.
func Diff(a, b *Section) string {
	switch {
	case a.header != b.header:
		return fmt.Sprintf("headers differ: %+v, %+v", a.header, b.header)
	case a.big != b.big:
		return "byte orders differ"
	case a.addr != b.addr:
		return fmt.Sprintf("addresses differ: 0x%x, 0x%x", a.addr, b.addr)
	case a.size != b.size:
		return fmt.Sprintf("sizes differ: %d, %d", a.size, b.size)
	case !bytes.Equal(a.aux, b.aux):
		return fmt.Sprintf("auxiliary headers differ: %x, %x", a.aux, b.aux)
	case !slices.Equal(a.gaps, b.gaps):
		return fmt.Sprintf("gaps differ: %v, %v", a.gaps, b.gaps)
	case len(a.fdes) != len(b.fdes):
		return fmt.Sprintf("%d FDEs, %d FDEs", len(a.fdes), len(b.fdes))
	}
	for i := range a.fdes {
		if d := diffFDE(a.FDE(i), b.FDE(i)); d != "" {
			return fmt.Sprintf("FDE %d: %s", i, d)
		}
	}
	return ""
}

func diffFDE(f, g FDE) string {
	x, y := *f.rec, *g.rec
	x.firstFRE, y.firstFRE = 0, 0
	if x != y {
		return fmt.Sprintf("%+v, %+v", x, y)
	}
	var v, w []int32
	for j := range f.NumFREs() {
		p, q := f.FRE(j), g.FRE(j)
		v, w = p.Words(v[:0]), q.Words(w[:0])
		if p.rec.start != q.rec.start || p.rec.off != q.rec.off || p.rec.info != q.rec.info || !slices.Equal(v, w) {
			return fmt.Sprintf("FRE %d: start 0x%x info 0x%02x at 0x%x words %v, start 0x%x info 0x%02x at 0x%x words %v",
				j, p.rec.start, p.rec.info, p.rec.off, v, q.rec.start, q.rec.info, q.rec.off, w)
		}
	}
	return ""
}
