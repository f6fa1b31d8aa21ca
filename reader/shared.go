package reader

import (
	"math"

	"github.com/sframe-lint/sframe-lint/model"
)

// block is what the walk found out about rows that several FDEs share.
type block struct {
	rows    uint32
	end     int64
	highest int64 // start
	traits  model.Trait
}

// rowsAgain is rows for FREs that were decoded before, once the FDEs have used the sub-section twice over. In a version with
// attributes, each shared block is decoded once more and remembered; blocks without overlap have at most the bytes of the
// sub-section. Other FDEs have a fault.
func (w *part) rowsAgain(i int, e *model.Entry, begin int64, width int) (decoded uint32, end int64) {
	b, known := w.blocks[begin]
	if w.attr == 0 || !known && w.left <= 0 {
		w.noRows(i, begin)
		return 0, begin
	}
	if !known {
		b.rows, b.end = w.rows(i, min(e.NumFREs, math.MaxInt32), int(begin), width, model.RowClass(e.Info, e.Info2, w.flex), math.MaxUint32)
		b.highest, b.traits = w.highest, w.traits&^model.FunctionUnknown
		w.left -= b.end - begin
		if b.rows == e.NumFREs {
			if w.blocks == nil {
				w.blocks = map[int64]block{}
			}
			w.blocks[begin] = b
		}
	}
	if w.traits |= b.traits; b.rows > 0 && b.highest >= int64(e.Extent()) {
		w.traits |= model.RowBeyond
	}
	return b.rows, b.end
}
