package reader

import (
	"math"

	"github.com/sframe-lint/sframe-lint/internal/number"
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

// attrRead is the bytes of the attribute that the walk reads: those up to rep_size.
const attrRead = 5

// entry reads the i-th FDE and, in V3, its attribute.
func (w *part) entry(i int) (e entrySpec) {
	n, big := w.entrySize, w.big
	b := w.fdes[i*n : i*n+n]
	e.field = w.base + int64(i*n)
	if w.attr == 0 {
		e.rawStart = int64(int32(number.U32(b, big)))
		e.size, e.freOff, e.claimed = number.U32(b[4:], big), number.U32(b[8:], big), number.U32(b[12:], big)
		e.info, e.hasAttr = b[16], true
		if w.stubs {
			e.rep, e.padding = b[17], number.U16(b[18:], big)
		}
		return e
	}
	b = b[:16]
	e.rawStart = int64(number.U64(b, big))
	e.size, e.freOff = number.U32(b[8:], big), number.U32(b[12:], big)
	off := int64(e.freOff)
	if off <= int64(len(w.fres)-w.attr) {
		a := w.fres[off : off+attrRead]
		e.hasAttr, e.claimed = true, uint32(number.U16(a, big))
		e.info, e.info2, e.rep = a[2], a[3], a[4]
	}
	return e
}

// extent is the code that the rows describe: a stub of a MASK FDE, else the
// function.
func extent(info, rep uint8, size uint32) uint32 {
	if info&model.InfoPCTypeBit != 0 && rep != 0 {
		return min(uint32(rep), size)
	}
	return size
}

// fde walks the i-th entry of the FDE sub-section and the rows it points to. It reads the
// entry as the method entry does, but keeps the fields in registers.
func (w *part) fde(i int) {
	n, big := w.entrySize, w.big
	b := w.fdes[i*n : i*n+n]
	field := w.base + int64(i*n)
	var rawStart, from, end int64
	var size, claimed, decoded uint32
	var info, info2, rep uint8
	var lastKey uint64
	hasAttr, plain := true, true
	if w.attr > 0 {
		b = b[:16]
		rawStart, size, from = int64(number.U64(b, big)), number.U32(b[8:], big), int64(number.U32(b[12:], big))
		end = from + int64(w.attr)
		if hasAttr = end <= int64(len(w.fres)); hasAttr {
			a := w.fres[from : from+attrRead]
			claimed, info, info2, rep = uint32(number.U16(a, big)), a[2], a[3], a[4]
		}
	} else {
		b = b[:17:n]
		rawStart, size, from, claimed = int64(int32(number.U32(b, big))), number.U32(b[4:], big), int64(number.U32(b[8:], big)), number.U32(b[12:], big)
		end, info = from, b[16]
		if w.stubs {
			b = b[:20]
			rep, plain = b[17], b[18]|b[19] == 0
		}
	}
	w.traits = 0
	w.start(field, rawStart, uint64(size))
	if !hasAttr {
		w.noAttr(i)
		end = from
	} else {
		if claimed > 0 {
			width := model.FREType(info & model.InfoFRETypeMask).Width()
			if width == 0 || end >= int64(len(w.fres)) || w.budget <= 0 && end < w.top {
				w.noRows(i, end)
			} else {
				begin := end
				decoded, end, lastKey = w.rows(i, min(claimed, math.MaxInt32), int(end), width, model.RowClass(info, info2, w.flex), extent(info, rep, size))
				w.budget -= end - begin
				w.top = max(w.top, end)
			}
		}
		if kind := model.KindKey(info, info2, rep); !w.sv.Recent(model.KindList, kind) {
			w.sv.See(model.KindList, kind, i, 0, 0)
		}
	}
	w.sv.End(lastKey)
	w.sv.Rows(claimed, decoded)
	if w.counts != nil {
		w.counts = append(w.counts, decoded)
	}
	if w.traits != 0 || decoded != claimed || claimed == 0 || size == 0 || !plain || info&model.InfoPCTypeBit != 0 {
		w.note(i, decoded)
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
func (w *part) note(i int, decoded uint32) {
	e := w.entry(i)
	missing := decoded != e.claimed || !e.hasAttr
	w.sv.Note(w.traits|e.traits(missing), i)
	if missing && w.counts == nil {
		w.keepCounts(i)
		w.counts = append(w.counts, decoded)
	}
}

// traits returns what an FDE shows without its rows.
func (e *entrySpec) traits(missing bool) (t model.Trait) {
	for _, x := range [...]struct {
		trait model.Trait
		holds bool
	}{
		{model.NoRows, e.claimed == 0},
		{model.EmptyFunction, e.size == 0},
		{model.PaddingUsed, e.padding != 0},
		{model.Masked, e.hasAttr && e.info&model.InfoPCTypeBit != 0},
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
		w.counts = append(w.counts, w.entry(j).claimed)
	}
}

// start finds where the function begins ("The SFrame FDE", start address)
// and compares it with the previous one.
func (w *part) start(field, rawStart int64, size uint64) {
	start, place := w.addr+uint64(rawStart), uint32(0)
	if w.pcrel {
		start += uint64(field)
	}
	if w.relocatable {
		start, place = w.relocated(field)
	}
	if !w.any {
		w.any = true
		w.first, w.firstSize = model.Start{Addr: start, Place: place}, size
		w.prevStart, w.prevSize, w.prevPlace = start, size, place
		return
	}
	w.order(start, size, place)
}

// relocated asks the relocations where the function begins.
func (w *part) relocated(field int64) (start uint64, place uint32) {
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
	if int64(e.freOff) >= int64(len(w.fres)) {
		code = FREOffBeyond
	}
	w.log.add(Fault{Code: code, Span: w.span(&e, model.FDEStartFREOff), FDE: i, FRE: -1,
		Want: uint64(len(w.fres)), Got: uint64(e.freOff)})
}

// span returns the bytes of a field of the FDE.
func (w *part) span(e *entrySpec, f model.FDEField) model.Span {
	at, base := w.d.info.Field(f), e.field
	if at.Attr {
		base = w.d.fres.Off + int64(e.freOff)
	}
	return model.Span{Off: base + at.Off, Len: at.Len}
}
