package reader

import "github.com/sframe-lint/sframe-lint/model"

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

// manyRows is the number of rows from which model.ManyRows is set.
const manyRows = 60000

// entry reads the next FDE and, in V3, its attribute. The caller has seen
// that the entry is whole.
func (w *part) entry(c *cursor, e *entrySpec) {
	e.field = c.offset()
	if w.d.hdr.Version == model.SFRAME_VERSION_3 {
		e.rawStart = int64(c.u64())
		e.size, e.freOff = c.u32(), c.u32()
		at, whole := w.d.fres.sub(int64(e.freOff), model.AttrSize)
		if whole {
			e.claimed = uint32(at.u16())
			e.info, e.info2, e.rep, e.hasAttr = at.u8(), at.u8(), at.u8(), true
		}
		return
	}
	e.rawStart = int64(int32(c.u32()))
	e.size, e.freOff, e.claimed = c.u32(), c.u32(), c.u32()
	e.info, e.hasAttr = c.u8(), true
	if w.d.hdr.Version == model.SFRAME_VERSION_2 {
		e.rep, e.padding = c.u8(), c.u16()
	}
}

// fde walks the next entry of the FDE sub-section and the rows it leads to.
func (w *part) fde(i int, c *cursor) {
	var e entrySpec
	w.entry(c, &e)
	w.start(&e)
	had := uint32(0)
	end := int64(e.freOff)
	if e.hasAttr {
		if w.d.hdr.Version == model.SFRAME_VERSION_3 {
			end += model.AttrSize
		}
		had, end = w.rowsOf(i, &e, end)
		w.sv.Kind(e.info, e.info2, e.rep, i)
	} else {
		w.noAttr(i, &e)
	}
	w.note(i, &e, had)
	if w.any && int64(e.freOff) != w.dataEnd {
		w.sv.Traits |= model.DataScattered
	}
	if !w.any {
		w.dataStart, w.any = int64(e.freOff), true
	}
	w.dataEnd = end
}

// note keeps the sums and traits of an FDE.
func (w *part) note(i int, e *entrySpec, had uint32) {
	w.sv.ClaimedRows += uint64(e.claimed)
	w.sv.DecodedRows += uint64(had)
	if e.claimed == 0 {
		w.sv.Traits |= model.NoRows
	}
	if e.claimed > manyRows {
		w.sv.Traits |= model.ManyRows
	}
	if e.size == 0 {
		w.sv.Traits |= model.EmptyFunction
	}
	if e.padding != 0 {
		w.sv.Traits |= model.PaddingUsed
	}
	if had != e.claimed || !e.hasAttr {
		w.sv.Traits |= model.RowsMissing
		if w.rows == nil {
			w.keepRows(i)
		}
	}
	if w.rows != nil {
		w.rows = append(w.rows, had)
	}
}

// keepRows starts to keep the counts of rows: those of the FDEs in front of
// i are as claimed.
func (w *part) keepRows(i int) {
	entry := int64(model.FDESize(w.d.hdr.Version))
	c, _ := w.d.fdes.sub(int64(w.lo)*entry, int64(i-w.lo)*entry)
	w.rows = make([]uint32, 0, w.hi-w.lo)
	for range i - w.lo {
		var e entrySpec
		w.entry(&c, &e)
		w.rows = append(w.rows, e.claimed)
	}
}

// start finds where the function begins ("The SFrame FDE", start address)
// and compares it with the one in front.
func (w *part) start(e *entrySpec) {
	var s model.Start
	if w.d.opts.Relocatable {
		if w.d.opts.Start != nil {
			s = w.d.opts.Start(e.field, w.startWidth())
		}
		w.starts = append(w.starts, s)
		if !s.OK {
			w.sv.Traits |= model.FunctionUnknown
		}
	} else {
		s.Addr, s.OK = w.d.opts.Addr+uint64(e.rawStart), true
		if w.d.hdr.Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0 {
			s.Addr += uint64(e.field)
		}
	}
	if !w.any {
		w.first, w.firstSize = s, uint64(e.size)
		w.prevStart, w.prevSize, w.prevPlace = s.Addr, uint64(e.size), s.Place
		return
	}
	w.order(s.Addr, uint64(e.size), s.Place)
}

func (w *part) startWidth() int {
	if w.d.hdr.Version == model.SFRAME_VERSION_3 {
		return 8
	}
	return 4
}

// order compares a function with the one in front of it.
func (w *part) order(start, size uint64, place uint32) {
	if place < w.prevPlace || place == w.prevPlace && start < w.prevStart {
		w.ordered = false
	}
	if place == w.prevPlace && (start-w.prevStart < w.prevSize || start == w.prevStart) {
		w.disjoint = false
	}
	w.prevStart, w.prevSize, w.prevPlace = start, size, place
}

// noAttr blames the offset that leads to no whole attribute.
func (w *part) noAttr(i int, e *entrySpec) {
	code := AttrTruncated
	if int64(e.freOff) >= int64(len(w.d.fres.buf)) {
		code = FREOffBeyond
	}
	w.log.add(Fault{Code: code, Span: w.freOffSpan(e), FDE: i, FRE: -1,
		Want: uint64(len(w.d.fres.buf)), Got: uint64(e.freOff)})
}

// freOffSpan is where the FDE keeps the offset of its rows.
func (w *part) freOffSpan(e *entrySpec) model.Span {
	return model.Span{Off: e.field + int64(w.startWidth()) + 4, Len: 4}
}

// infoSpan is where the FDE keeps its info byte.
func (w *part) infoSpan(e *entrySpec) model.Span {
	if w.d.hdr.Version == model.SFRAME_VERSION_3 {
		return model.Span{Off: w.d.fres.base + int64(e.freOff) + 2, Len: 1}
	}
	return model.Span{Off: e.field + 16, Len: 1}
}
