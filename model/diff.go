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
	case a.Size() != b.Size():
		return fmt.Sprintf("sizes differ: %d, %d", a.Size(), b.Size())
	case !bytes.Equal(a.Aux(), b.Aux()):
		return fmt.Sprintf("auxiliary headers differ: %x, %x", a.Aux(), b.Aux())
	case !slices.Equal(a.gaps, b.gaps):
		return fmt.Sprintf("gaps differ: %v, %v", a.gaps, b.gaps)
	case a.NumFDEs() != b.NumFDEs():
		return fmt.Sprintf("%d FDEs, %d FDEs", a.NumFDEs(), b.NumFDEs())
	}
	for i := range a.NumFDEs() {
		if d := diffFDE(a.FDE(i), b.FDE(i)); d != "" {
			return fmt.Sprintf("FDE %d: %s", i, d)
		}
	}
	return ""
}

func diffFDE(f, g FDE) string {
	x, y := f, g
	x.s, y.s = nil, nil
	if x != y {
		return fmt.Sprintf("%+v, %+v", x, y)
	}
	p, more := f.first()
	q, _ := g.first()
	for more {
		v, w := p.Words(nil), q.Words(nil)
		if p.start != q.start || p.at != q.at || p.info != q.info || !slices.Equal(v, w) {
			return fmt.Sprintf("FRE %d: start 0x%x info 0x%02x at 0x%x words %v, start 0x%x info 0x%02x at 0x%x words %v",
				p.idx, p.start, p.info, p.at, v, q.start, q.info, q.at, w)
		}
		p, more = p.Next()
		q, _ = q.Next()
	}
	return ""
}
