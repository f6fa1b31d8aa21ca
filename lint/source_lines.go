package lint

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/lines"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Lines are the source lines of an object's code, by debug information.
type Lines struct {
	runs []codeRun
	next int // callers mostly ask for one instruction after the other
}

// codeRun is code that one line has.
type codeRun struct {
	lines.PC
	end uint64
	lines.Line
}

// runCost is about the bytes of memory that a run takes.
const runCost = 64

// LinesOf returns the source lines of an object, while it is visited; nil if it has none. path is its file, "" if it
// is not a file by itself: see [Sources.DebugFiles].
func (s *Sources) LinesOf(o *reader.Object, path string) *Lines {
	if o.ELF == nil {
		return nil
	}
	all := &Lines{}
	from := newSources(s)
	paths := map[string]string{}
	from.debugOf(o, path, func(debug *reader.Object) {
		held := 0
		lines.Each(lines.Sources{Object: o, Debug: debug}, func(pc lines.PC, end uint64, l lines.Line) {
			if len(all.runs) == held {
				if o.Hold(1024*runCost) != nil {
					return
				}
				held += 1024
			}
			shown, ok := paths[l.File]
			if !ok && l.File != "" {
				shown = from.path(l.File)
				paths[l.File] = shown
			}
			l.File = shown
			all.runs = append(all.runs, codeRun{pc, end, l})
		})
	})
	if len(all.runs) == 0 {
		return nil
	}
	slices.SortStableFunc(all.runs, func(a, b codeRun) int { return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Addr, b.Addr)) })
	return all
}

// At returns the line of an instruction, "" and 0 if it is not known. In a relocatable file pc is an offset in
// the section with index place.
func (l *Lines) At(place uint32, pc uint64) (file string, line int) {
	before := func(r *codeRun) bool { return r.Place < place || r.Place == place && r.Addr <= pc }
	n := l.next
	if n > len(l.runs) || n > 0 && !before(&l.runs[n-1]) {
		n, _ = slices.BinarySearchFunc(l.runs, pc, func(r codeRun, pc uint64) int {
			if before(&r) {
				return -1
			}
			return 1
		})
	}
	for n < len(l.runs) && before(&l.runs[n]) {
		n++
	}
	l.next = n
	for back := 1; back <= 4 && back <= n; back++ {
		if r := &l.runs[n-back]; r.Place == place && pc < r.end {
			return r.File, r.Line.Line
		}
	}
	return "", 0
}
