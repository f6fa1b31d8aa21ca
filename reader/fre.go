package reader

import (
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/model"
)

// rowsOf walks an FDE's rows, which start at off in the FRE sub-section. It
// returns how many could be had and where they end.
func (w *part) rowsOf(i int, e *entrySpec, off int64) (uint32, int64) {
	if e.claimed == 0 {
		return 0, off
	}
	t := model.FREType(e.info & model.InfoFRETypeMask)
	switch size := int64(len(w.d.fres.buf)); {
	case t.Width() == 0:
		w.log.add(Fault{Code: FRETypeUndefined, Span: w.infoSpan(e), FDE: i, FRE: -1, Got: uint64(t)})
		return 0, off
	case off >= size:
		code := FREOffBeyond
		if w.d.hdr.Version == model.SFRAME_VERSION_3 {
			code = FRETruncated // the attribute itself was there
		}
		w.log.add(Fault{Code: code, Span: w.freOffSpan(e), FDE: i, FRE: -1, Want: uint64(size), Got: uint64(e.freOff)})
		return 0, off
	case w.budget <= 0:
		w.log.add(Fault{Code: FREsShared, Span: w.freOffSpan(e), FDE: i, FRE: -1, Got: uint64(e.freOff)})
		return 0, off
	}
	r := rowWalk{w: w, fde: i, e: e, width: t.Width(), pos: int(off), class: model.RowClass(e.info, e.info2, w.d.hdr.Version)}
	had := r.run()
	w.budget -= int64(r.pos) - off
	return had, int64(r.pos)
}

// rowWalk walks the rows of one FDE. It works on offsets instead of a
// cursor: this is the loop in which all time goes.
type rowWalk struct {
	w     *part
	fde   int
	e     *entrySpec
	width int
	pos   int // in the FRE sub-section
	class uint8
}

func (r *rowWalk) run() uint32 {
	buf, big := r.w.d.fres.buf, r.w.d.fres.big
	sv := &r.w.sv
	extent := r.extent()
	traits, prevKey, prev := model.Trait(0), uint64(0), int64(-1)
	j := 0
	for ; j < int(r.e.claimed); j++ {
		at := r.pos + r.width
		if at >= len(buf) {
			r.truncated(j)
			break
		}
		start := startAt(buf[r.pos:], r.width, big)
		info := buf[at]
		code := info >> model.FREInfoSizeShift & 3
		n := int(info>>model.FREInfoCountShift&model.MaxWords) << code
		at++
		if code == 3 && n > 0 {
			r.undefinedSize(j, at-1, code)
			break
		}
		if n > len(buf)-at {
			r.truncated(j)
			break
		}
		key, short := model.RowKey(buf[at:], n, info, r.class)
		switch {
		case !short:
			sv.LongRow(buf[at:at+n], info, r.class, r.fde, j, r.pos)
			traits |= model.RowsRepeat // not compared: it may
		case key == prevKey:
			traits |= model.RowsRepeat
		default:
			sv.Row(key, r.fde, j, r.pos)
		}
		if int64(start) <= prev {
			traits |= model.RowsUnordered
		}
		if start >= extent {
			traits |= model.RowBeyond
		}
		if j == 0 && start != 0 {
			traits |= model.FirstRowLate
		}
		prevKey, prev = key, int64(start)
		r.pos = at + n
	}
	if r.width > 1 && prev <= narrowerMax(r.width) {
		traits |= model.StartsWide
	}
	sv.Traits |= traits
	return uint32(j)
}

// startAt reads a row's start offset. The caller has seen that it is there.
func startAt(b []byte, width int, big bool) uint32 {
	switch {
	case width == 1:
		return uint32(b[0])
	case width == 2 && big:
		return uint32(binary.BigEndian.Uint16(b))
	case width == 2:
		return uint32(binary.LittleEndian.Uint16(b))
	case big:
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

// extent is the code that the rows describe: a stub of a MASK FDE, else the
// function.
func (r *rowWalk) extent() uint32 {
	if r.e.info&model.InfoPCTypeBit != 0 && r.e.rep != 0 {
		return min(uint32(r.e.rep), r.e.size)
	}
	return r.e.size
}

func (r *rowWalk) truncated(j int) {
	fres := &r.w.d.fres
	r.w.log.add(Fault{Code: FRETruncated,
		Span: model.Span{Off: fres.base + int64(r.pos), Len: int64(len(fres.buf) - r.pos)},
		FDE:  r.fde, FRE: j, Want: uint64(r.e.claimed), Got: uint64(j)})
}

func (r *rowWalk) undefinedSize(j, at int, code uint8) {
	r.w.log.add(Fault{Code: WordSizeUndefined,
		Span: model.Span{Off: r.w.d.fres.base + int64(at), Len: 1},
		FDE:  r.fde, FRE: j, Want: uint64(r.e.claimed), Got: uint64(code)})
}

// narrowerMax is the largest start that the next narrower FRE type holds.
func narrowerMax(width int) int64 {
	if width == 2 {
		return int64(model.SFRAME_FRE_TYPE_ADDR1.MaxStart())
	}
	return int64(model.SFRAME_FRE_TYPE_ADDR2.MaxStart())
}
