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
func inArchiveOf(do func(spot) model.Span) sites {
	return onlySite(func(x spot) bool { return x.container == Archive && !x.outer }, func(x spot) anchor {
		x.archive, x.outer, x.sealed = bytes.Clone(x.archive), true, true
		sp := do(x)
		return anchor{scope: inArchive, span: func(spot) model.Span { return sp }}
	})
}

var archiveBreaks = []Break{
	spoiling("member-size", "SF5029", "Writes a member's size that is not a number.", file, header,
		inArchiveOf(func(x spot) model.Span {
			sp := in(x.at-arHeaderSize, arSize)
			x.archive[sp.Off+x.upTo(0, 2)] = 'x'
			return sp
		})),
	spoiling("member-end", "SF5029", "Ends a member's header with other bytes.", file, header,
		inArchiveOf(func(x spot) model.Span {
			sp := in(x.at-arHeaderSize, arEnd)
			x.archive[sp.Off+x.upTo(0, 1)] ^= byte(x.upTo(1, 255))
			return sp
		})),
	fault("member-beyond", "SF5029", "Makes the last member larger than the rest of the archive.", file|end,
		inArchiveOf(func(x spot) model.Span {
			sp := in(x.at-arHeaderSize, arSize)
			copy(x.archive[sp.Off:], fmt.Sprintf("%-10d", int64(len(x.object))+x.upTo(2, 1000)))
			return sp
		})),
	spoiling("thin", "SF5030", "Makes the archive a thin one, whose only member does not exist.", file, header,
		inArchiveOf(func(x spot) model.Span {
			name := fmt.Sprintf("gone%d.o/", x.upTo(0, 1<<20))
			x.archive = fmt.Appendf([]byte(arThinMagic), "%-16s%-12d%-6d%-6d%-8s%-10d`\n", name, 0, 0, 0, "100644", len(x.object))
			return model.Span{Off: int64(len(arThinMagic)), Len: arHeaderSize}
		})),
}
