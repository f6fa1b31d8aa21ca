package breaks

import (
	"bytes"
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

const (
	arThinMagic  = "!<thin>\n"
	arHeaderSize = 60
)

// Fields of a member's header.
var (
	arSize = model.Span{Off: 48, Len: 10}
	arEnd  = model.Span{Off: 58, Len: 2}
)

// inArchiveOf makes breaks that change the archive around the object.
func inArchiveOf(do func(d *draft) model.Span) func(*Subject) []site {
	return onlySite(func(s *Subject) bool { return s.container == Archive && !s.outer }, func(d *draft) anchor {
		d.archive, d.outer, d.sealed = bytes.Clone(d.archive), true, true
		sp := do(d)
		return anchor{inArchive, func(*Subject) model.Span { return sp }}
	})
}

var archiveBreaks = []Break{
	spoiling("member-size", "SF5029", "Writes a member's size that is not a number.", file, header,
		inArchiveOf(func(d *draft) model.Span {
			sp := in(d.at-arHeaderSize, arSize)
			d.archive[sp.Off+d.upTo(0, 2)] = 'x'
			return sp
		})),
	spoiling("member-end", "SF5029", "Ends a member's header with other bytes.", file, header,
		inArchiveOf(func(d *draft) model.Span {
			sp := in(d.at-arHeaderSize, arEnd)
			d.archive[sp.Off+d.upTo(0, 1)] ^= byte(d.upTo(1, 255))
			return sp
		})),
	fault("member-beyond", "SF5029", "Makes the last member larger than the rest of the archive.", file|end,
		inArchiveOf(func(d *draft) model.Span {
			sp := in(d.at-arHeaderSize, arSize)
			copy(d.archive[sp.Off:], fmt.Sprintf("%-10d", int64(len(d.object))+d.upTo(2, 1000)))
			return sp
		})),
	spoiling("thin", "SF5030", "Makes the archive a thin one, whose only member does not exist.", file, header,
		inArchiveOf(func(d *draft) model.Span {
			name := fmt.Sprintf("gone%d.o/", d.upTo(0, 1<<20))
			d.archive = fmt.Appendf([]byte(arThinMagic), "%-16s%-12d%-6d%-6d%-8s%-10d`\n", name, 0, 0, 0, "100644", len(d.object))
			return model.Span{Off: int64(len(arThinMagic)), Len: arHeaderSize}
		})),
}
