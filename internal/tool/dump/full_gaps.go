package dump

import (
	"bytes"

	"github.com/sframe-lint/sframe-lint/model"
)

// gaps writes the bytes that belong to nothing.
func (d *fullDumper) gaps() {
	gaps := d.sec.Gaps()
	if len(gaps) == 0 {
		return
	}
	d.str("\nBytes that belong to nothing\n")
	for _, g := range gaps {
		if g.NonZero {
			d.printf("  %v, %s\n", g.Span, byteCount(g.Len))
			d.hexLines("    ", g.Span)
		} else {
			d.printf("  %v, %s, all zero\n", g.Span, byteCount(g.Len))
		}
		if !d.spill() {
			return
		}
	}
}

// hexLines writes bytes, 16 on a line; a star stands for lines that repeat the
// previous one.
func (d *fullDumper) hexLines(indent string, sp model.Span) {
	const perLine = 16
	var prev []byte
	starred := false
	for off := sp.Off; off < sp.End(); off += perLine {
		here := model.Span{Off: off, Len: min(perLine, sp.End()-off)}
		line := d.s.Data[here.Off:here.End()]
		if bytes.Equal(line, prev) && here.End() < sp.End() {
			if !starred {
				d.str(indent)
				d.str("*\n")
			}
			starred = true
			continue
		}
		prev, starred = line, false
		d.str(indent)
		d.offset(off)
		d.str("  ")
		d.span(here)
		d.str("\n")
		if !d.spill() {
			return
		}
	}
}
