package crosscheck

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
)

var CFIAgainstCode = rules.New(rules.Rule{
	ID:    "SF6022",
	Needs: rules.CodeReadable | rules.CFIReadable,
	Scope: rules.PerObject,
	OptIn: true,
}, func(c *rules.Context) {
	if c.Object.ELF == nil || !c.Has(rules.CodeReadable) || !c.Has(rules.CFIReadable) {
		return
	}
	frames := evidence.Frames(c)
	if frames == nil {
		return
	}
	var all []proof.Range
	frames.Each(func(place uint32, start, end uint64, _ cfi.FDE) bool {
		all = append(all, proof.Range{Place: place, Start: start, End: end})
		return true
	})
	found, err := cfiProofs(c, frames, all)
	if err != nil && found == nil {
		return // nothing was found before
	}
	t := proof.Words{ABI: c.Object.ELF.ABI(), Address: c.Object.Address, Row: "row"}
	for i := range found.Wrong {
		w := &found.Wrong[i]
		if c.Cut() || w.Kind != proof.Inside && w.At == w.Range.Start && !w.Entered && !w.Inside || inPLT(c, w.Range.Place, w.Start) {
			continue // it may be entered otherwise
		}
		fde, ok := frames.At(all[w.Func].Place, w.Start)
		if !ok {
			continue
		}
		row, _ := fde.RowAt(w.At)
		x := evidence.With(c, t.Correction(w))
		if w.Restored {
			x = x.With(rules.AtMost(rules.Note))
		}
		x.With(rules.AtPC(int(w.Range.Place), w.Start)).File(cfiSpan(frames, &fde, &row), "%s: unwinders recover wrong values there", t.Contradiction(w))
	}
})

// cfiProofs holds the call frame information of functions against their code.
func cfiProofs(c *rules.Context, frames *cfi.Frames, all []proof.Range) (*proof.Found, error) {
	return proof.Of(c.Object, proof.Functions{Ranges: all, Frames: frames, Rows: func(i int, rows []proof.Row) []proof.Row {
		r := all[i]
		fde, ok := frames.At(r.Place, r.Start)
		if !ok {
			return rows
		}
		return proof.CFIRows(&fde, r.Start, r.End, rows)
	}})
}

// cfiSpan returns the bytes of a file with the instructions of a row, or with its FDE.
func cfiSpan(frames *cfi.Frames, fde *cfi.FDE, row *cfi.Row) model.Span {
	sp := fde.Span
	if row.Code.Len > 0 {
		sp = row.Code
	}
	for i := range frames.Sections {
		if s := &frames.Sections[i]; s.Section == fde.Section() && s.Offset >= 0 {
			sp.Off += s.Offset
		}
	}
	return sp
}
