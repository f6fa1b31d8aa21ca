package reader

import (
	"github.com/sframe-lint/sframe-lint/internal/survey"
	"github.com/sframe-lint/sframe-lint/model"
)

// entrySpec is an FDE's fields as far as the walk needs them.
type entrySpec struct {
	field    int64 // offset of the start field in the section
	rawStart int64
	size     uint32
	freOff   uint32
	claimed  uint32
	info     uint8
	info2    uint8
	rep      uint8
	padding  uint16
	hasAttr  bool
}

// entry reads the i-th FDE and, in V3, its attribute.
func (w *part) entry(i int, e *entrySpec) {
	n, big := w.entrySize, w.big
	b := w.fdes[i*n : i*n+n]
	e.field = w.base + int64(i*n)
	if !w.attr {
		e.rawStart = int64(int32(u32(b, big)))
		e.size, e.freOff, e.claimed = u32(b[4:], big), u32(b[8:], big), u32(b[12:], big)
		e.info, e.hasAttr = b[16], true
		if w.stubs {
			e.rep, e.padding = b[17], u16(b[18:], big)
		}
		return
	}
	b = b[:16]
	e.rawStart = int64(u64(b, big))
	e.size, e.freOff = u32(b[8:], big), u32(b[12:], big)
	off := int64(e.freOff)
	if e.hasAttr = off <= int64(len(w.fres)-model.AttrSize); !e.hasAttr {
		e.claimed, e.info, e.info2, e.rep = 0, 0, 0, 0
		return
	}
	a := w.fres[off : off+model.AttrSize]
	e.claimed = uint32(u16(a, big))
	e.info, e.info2, e.rep = a[2], a[3], a[4]
}

// extent is the code that the rows describe: a stub of a MASK FDE, else the
// function.
func (e *entrySpec) extent() uint32 {
	if e.info&model.InfoPCTypeBit != 0 && e.rep != 0 {
		return min(uint32(e.rep), e.size)
	}
	return e.size
}

// fde walks the i-th entry of the FDE sub-section and the rows it points to.
func (w *part) fde(i int) {
	e := &w.e
	w.traits, w.lastKey = 0, 0
	w.entry(i, e)
	w.start(e)
	decoded := uint32(0)
	end := int64(e.freOff)
	if e.hasAttr {
		if w.attr {
			end += model.AttrSize
		}
		decoded, end = w.rowsOf(i, e, end)
		w.sv.Kind(e.info, e.info2, e.rep, i)
	} else {
		w.noAttr(i, e)
	}
	w.note(i, e, decoded)
	w.sv.End(w.lastKey)
	w.any = true
	if n := len(w.runs); n > 0 && w.runs[n-1].End() == int64(e.freOff) {
		w.runs[n-1].Len += end - int64(e.freOff)
	} else if end > int64(e.freOff) {
		w.runs = append(w.runs, model.Span{Off: int64(e.freOff), Len: end - int64(e.freOff)})
	}
}

// note keeps the sums and traits of an FDE.
func (w *part) note(i int, e *entrySpec, decoded uint32) {
	w.sv.ClaimedRows += uint64(e.claimed)
	w.sv.DecodedRows += uint64(decoded)
	w.sv.MostRows = max(w.sv.MostRows, e.claimed)
	if w.rows != nil {
		w.rows = append(w.rows, decoded)
	}
	missing := decoded != e.claimed || !e.hasAttr
	if w.traits == 0 && !missing && e.claimed > 0 && e.size > 0 && e.padding == 0 && e.info&model.InfoPCTypeBit == 0 {
		return
	}
	w.sv.Note(w.traits|e.traits(missing), i)
	if missing && w.rows == nil {
		w.keepRows(i)
		w.rows = append(w.rows, decoded)
	}
}

// traits returns what an FDE shows without its rows.
func (e *entrySpec) traits(missing bool) (t survey.Trait) {
	for _, x := range [...]struct {
		trait survey.Trait
		holds bool
	}{
		{survey.NoRows, e.claimed == 0},
		{survey.EmptyFunction, e.size == 0},
		{survey.PaddingUsed, e.padding != 0},
		{survey.Masked, e.hasAttr && e.info&model.InfoPCTypeBit != 0},
		{survey.RowsMissing, missing},
	} {
		if x.holds {
			t |= x.trait
		}
	}
	return t
}

// keepRows starts to keep the counts of rows: those of the FDEs before
// i are as claimed.
func (w *part) keepRows(i int) {
	w.rows = make([]uint32, 0, w.hi-w.lo)
	for j := w.lo; j < i; j++ {
		var e entrySpec
		w.entry(j, &e)
		w.rows = append(w.rows, e.claimed)
	}
}

// start finds where the function begins ("The SFrame FDE", start address)
// and compares it with the previous one.
func (w *part) start(e *entrySpec) {
	start, place := w.addr+uint64(e.rawStart), uint32(0)
	if w.pcrel {
		start += uint64(e.field)
	}
	if w.relocatable {
		start, place = w.relocated(e)
	}
	if !w.any {
		w.first, w.firstSize = model.Start{Addr: start, Place: place}, uint64(e.size)
		w.prevStart, w.prevSize, w.prevPlace = start, uint64(e.size), place
		return
	}
	w.order(start, uint64(e.size), place)
}

// relocated asks the relocations where the function begins.
func (w *part) relocated(e *entrySpec) (start uint64, place uint32) {
	var s model.Start
	if w.d.opts.Start != nil {
		s = w.d.opts.Start(e.field, w.d.info.StartWidth)
	}
	w.starts = append(w.starts, s)
	if !s.OK {
		w.traits |= survey.FunctionUnknown
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
func (w *part) noAttr(i int, e *entrySpec) {
	code := AttrTruncated
	if int64(e.freOff) >= int64(len(w.fres)) {
		code = FREOffBeyond
	}
	w.log.add(Fault{Code: code, Span: w.span(e, model.FDEStartFREOff), FDE: i, FRE: -1,
		Want: uint64(len(w.fres)), Got: uint64(e.freOff)})
}

// span returns the bytes of a field of the FDE.
func (w *part) span(e *entrySpec, f model.FDEField) model.Span {
	at, base := w.d.info.Field(f), e.field
	if at.Attr {
		base = w.d.fres.base + int64(e.freOff)
	}
	return model.Span{Off: base + at.Off, Len: at.Len}
}
