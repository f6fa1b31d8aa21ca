package proof

import (
	"github.com/sframe-lint/sframe-lint/budget"
	"github.com/sframe-lint/sframe-lint/ehframe"
	"github.com/sframe-lint/sframe-lint/track"
)

// CFIRows appends the rows of an FDE of call frame information, as far as they are between two
// addresses. What depends on the PC inside a row is left out.
func CFIRows(f *ehframe.FDE, start, end uint64, rows []track.Row) []track.Row {
	for row := range f.Rows() {
		if len(rows) == budget.TrackRows {
			break
		}
		r := track.Row{Start: max(row.Start, start), End: min(row.End, end), Signal: f.CIE.Signal}
		if r.Start >= r.End {
			continue
		}
		r.Signed, r.KeyB = row.Sign&ehframe.RASigned != 0, f.CIE.KeyB
		if got := f.Recover(&row, r.Start); !got.PCDependent {
			r.Row = got.Row
		}
		rows = append(rows, r)
	}
	return rows
}
