package reader

import (
	"math"

	"github.com/sframe-lint/sframe-lint/model"
)

// entry reads the i-th FDE.
func (w *part) entry(i int) (e model.Entry) {
	e.Read(&w.d.info, w.fdes[i*w.entrySize:], w.fres, w.big)
	return e
}

// fde walks the i-th entry of the FDE sub-section and the rows it points to.
func (w *part) fde(i int) {
	e := w.entry(i)
	w.steps++
	from := int64(e.StartFREOff)
	end := from
	var decoded uint32
	w.traits = 0
	w.start(i, e.RawStart, uint64(e.Size))
	if !e.HasAttr {
		w.noAttr(i)
	} else {
		end += int64(w.attr)
		if e.NumFREs > 0 {
			width := model.FREType(e.Info & model.InfoFRETypeMask).Width()
			switch {
			case width == 0 || end >= int64(len(w.fres)):
				w.noRows(i, end)
			case w.budget <= 0 && end < w.top:
				decoded, end = w.rowsAgain(i, &e, end, width)
			default:
				begin := end
				decoded, end = w.rows(i, min(e.NumFREs, math.MaxInt32), int(end), width, model.RowClass(e.Info, e.Info2, w.flex), e.Extent())
				w.budget -= end - begin
				w.top = max(w.top, end)
			}
		}
		if kind := model.KindKey(e.Info, e.Info2, e.RepSize); !w.sv.Recent(model.KindList, kind) {
			w.sv.Record(model.KindList, kind, i, 0, 0)
		}
	}
	w.sv.Rows(e.NumFREs, decoded)
	if w.counts != nil {
		w.counts = append(w.counts, decoded)
	}
	if w.traits != 0 || decoded != e.NumFREs || e.NumFREs == 0 || e.Size == 0 || e.Padding != 0 || e.Info&model.InfoPCTypeBit != 0 {
		w.note(i, &e, decoded)
	}
	if from == w.runEnd {
		w.runEnd = end
	} else if end > from {
		w.endRun()
		w.runStart, w.runEnd = from, end
	}
}

// endRun keeps the run of adjacent bytes that FDEs claim.
func (w *part) endRun() {
	if w.runEnd > w.runStart {
		w.runs = append(w.runs, model.Span{Off: w.runStart, Len: w.runEnd - w.runStart})
	}
}

// note keeps the traits of an FDE that is not plain.
func (w *part) note(i int, e *model.Entry, decoded uint32) {
	missing := decoded != e.NumFREs || !e.HasAttr
	w.sv.Note(w.traits|traitsOf(e, missing), i)
	if missing && w.counts == nil {
		w.keepCounts(i)
		w.counts = append(w.counts, decoded)
	}
}

// traitsOf returns what an FDE shows without its rows.
func traitsOf(e *model.Entry, missing bool) (t model.Trait) {
	for _, x := range [...]struct {
		trait model.Trait
		holds bool
	}{
		{model.NoRows, e.NumFREs == 0},
		{model.EmptyFunction, e.Size == 0},
		{model.PaddingUsed, e.Padding != 0},
		{model.Masked, e.HasAttr && e.Info&model.InfoPCTypeBit != 0},
		{model.RowsMissing, missing},
	} {
		if x.holds {
			t |= x.trait
		}
	}
	return t
}

// keepCounts starts to keep the counts of rows: those of the FDEs before
// i are as claimed.
func (w *part) keepCounts(i int) {
	w.counts = make([]uint32, 0, w.hi-w.lo)
	for j := w.lo; j < i; j++ {
		w.counts = append(w.counts, w.entry(j).NumFREs)
	}
}

// start finds where the function begins ("The SFrame FDE", start address)
// and compares it with the previous one.
func (w *part) start(i int, rawStart int64, size uint64) {
	field := w.base + int64(i*w.entrySize)
	start, place := w.addr+uint64(rawStart), uint32(0)
	if w.pcrel {
		start += uint64(field)
	}
	if w.relocatable {
		start, place = w.startOf(field)
	}
	if !w.any {
		w.any = true
		w.first, w.firstSize = model.Start{Addr: start, Place: place}, size
		w.prevStart, w.prevSize, w.prevPlace = start, size, place
		return
	}
	w.order(start, size, place)
}

// startOf asks the relocations where the function begins.
func (w *part) startOf(field int64) (start uint64, place uint32) {
	var s model.Start
	if w.d.opts.Start != nil {
		s = w.d.opts.Start(field, w.d.info.StartWidth)
	}
	w.starts = append(w.starts, s)
	if !s.OK {
		w.traits |= model.FunctionUnknown
	}
	return s.Addr, s.Place
}

// order compares a function with the previous one.
func (w *part) order(start, size uint64, place uint32) {
	if place < w.prevPlace || place == w.prevPlace && start < w.prevStart {
		w.ordered = false
	}
	if place == w.prevPlace && (start-w.prevStart < w.prevSize || start == w.prevStart) {
		w.disjoint = false
	}
	w.prevStart, w.prevSize, w.prevPlace = start, size, place
}

// noAttr reports an offset that does not point to a whole attribute.
func (w *part) noAttr(i int) {
	e := w.entry(i)
	code := AttrTruncated
	if int64(e.StartFREOff) >= int64(len(w.fres)) {
		code = FREOffBeyond
	}
	w.log.add(Fault{Code: code, Span: w.span(i, model.FDEStartFREOff), FDE: i, FRE: -1,
		Want: uint64(len(w.fres)), Got: uint64(e.StartFREOff)})
}

// span returns the bytes of a field of the i-th FDE.
func (w *part) span(i int, f model.FDEField) model.Span {
	at, base := w.d.info.Field(f), w.base+int64(i*w.entrySize)
	if at.Attr {
		base = w.d.fres.Off + int64(w.entry(i).StartFREOff)
	}
	return model.Span{Off: base + at.Off, Len: at.Len}
}
