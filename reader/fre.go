package reader

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/sframe-lint/sframe-lint/internal/survey"
	"github.com/sframe-lint/sframe-lint/model"
)

// rowsOf walks an FDE's rows, which start at off in the FRE sub-section. It
// returns how many it decoded and where they end.
func (w *part) rowsOf(i int, e *entrySpec, off int64) (uint32, int64) {
	if e.claimed == 0 {
		return 0, off
	}
	t := model.FREType(e.info & model.InfoFRETypeMask)
	width := t.Width()
	if width == 0 || off >= int64(len(w.fres)) || w.budget <= 0 && off < w.top {
		w.noRows(i, e, off, t)
		return 0, off
	}
	r := &w.row
	r.fde, r.claimed, r.width = i, int(min(e.claimed, math.MaxInt32)), width
	r.class = survey.RowClass(e.info, e.info2, w.flex)
	r.done, r.pos = 0, int(off)
	r.run(e.extent())
	w.budget -= int64(r.pos) - off
	w.top = max(w.top, int64(r.pos))
	return uint32(r.done), int64(r.pos)
}

// noRows reports why not even the first row of an FDE can be decoded.
func (w *part) noRows(i int, e *entrySpec, off int64, t model.FREType) {
	f := Fault{Code: FREsShared, Span: w.span(e, model.FDEStartFREOff), FDE: i, FRE: -1, Got: uint64(e.freOff)}
	switch size := int64(len(w.fres)); {
	case t.Width() == 0:
		f = Fault{Code: FRETypeUndefined, Span: w.span(e, model.FDEInfo), FDE: i, FRE: -1, Got: uint64(t)}
	case off >= size && w.attr: // the attribute itself was there
		f = Fault{Code: FRETruncated, Span: model.Span{Off: w.d.fres.base + off}, FDE: i, FRE: 0, Want: uint64(e.claimed)}
	case off >= size:
		f = Fault{Code: FREOffBeyond, Span: w.span(e, model.FDEStartFREOff), FDE: i, FRE: -1, Want: uint64(size), Got: uint64(e.freOff)}
	}
	w.log.add(f)
}

// rowWalk walks the rows of one FDE.
type rowWalk struct {
	w       *part
	fde     int
	claimed int
	width   int // of the start offsets, bytes
	class   uint8

	done int // rows decoded so far
	pos  int // of the next row in the FRE sub-section
	last int // of the previous row there
}

// window is more than the bytes of any row whose content fits a key: start
// offset, info byte and the bytes that a key is made of.
const window = 16

// infoByte is what an info byte says about the row's data words.
type infoByte struct {
	mask uint64 // selects the words of a key
	size int    // bytes of words; undefinedWords where their size is undefined
}

const undefinedWords = 0xff

var infoBytes = func() (t [256]infoByte) {
	for info := range t {
		n := info >> model.FREInfoCountShift & model.MaxWords
		code := info >> model.FREInfoSizeShift & 3
		t[info] = infoByte{mask: 1<<(8*min(n<<code, survey.KeyBytes)) - 1, size: n << code}
		if code == 3 && n > 0 {
			t[info].size = undefinedWords
		}
	}
	return t
}()

// run is the loop that takes most of the time: it looks at rows through a
// window of fixed size, which avoids most bounds checks, and leaves unusual rows
// to slow.
func (r *rowWalk) run(extent uint32) {
	buf, big, width, class, claimed := r.w.fres, r.w.big, r.width, uint64(r.class), r.claimed
	sv := &r.w.sv
	seen := sv.Seen()
	safe := len(buf) - window
	done, pos, begin := 0, r.pos, r.pos
	var firstKey, prevKey uint64
	first, top, prev := uint32(0), uint32(0), int64(-1)
	repeats, descends := false, false
	for done < claimed {
		var start uint32
		var info uint8
		var words uint64
		t, at := &noInfo, pos
		if at <= safe {
			b := buf[at : at+window : at+window]
			switch width {
			case 1:
				start, info, words = uint32(b[0]), b[1], binary.LittleEndian.Uint64(b[2:])
			case 2:
				start, info, words = uint32(u16(b, big)), b[2], binary.LittleEndian.Uint64(b[3:])
			default:
				start, info, words = u32(b, big), b[4], binary.LittleEndian.Uint64(b[5:])
			}
			t = &infoBytes[info]
		}
		key := words&t.mask<<16 | uint64(info)<<8 | class
		if t.size <= survey.KeyBytes {
			pos += width + 1 + t.size
			if key == prevKey {
				repeats = true
			} else if !seen.Has(key) {
				sv.Row(key, r.fde, done, at)
				seen = sv.Seen()
			}
		} else {
			var ok bool
			r.done, r.pos = done, pos
			if start, key, ok = r.slow(); !ok {
				break
			}
			pos, seen = r.pos, sv.Seen()
		}
		if done == 0 {
			first, firstKey = start, key
		}
		if int64(start) <= prev {
			descends = true
		}
		top = max(top, start)
		r.last, prev, prevKey = at, int64(start), key
		done++
	}
	r.done, r.pos = done, pos
	if done == 0 {
		return
	}
	traits := survey.Trait(0)
	if first != 0 {
		traits |= survey.FirstRowLate
	}
	if repeats {
		traits |= survey.RowsRepeat
	}
	if descends {
		traits |= survey.RowsUnordered
	}
	if top >= extent {
		traits |= survey.RowBeyond
	}
	if width > 1 && prev <= narrowerMax(width) {
		traits |= survey.StartsWide
	}
	r.w.traits |= traits
	if firstKey != 0 {
		sv.First(firstKey, r.fde, begin)
	} else {
		r.longFirst(begin)
	}
	sv.Last(prevKey, r.fde, done-1, r.last)
}

// noInfo stands for the info byte of a row that only slow can look at.
var noInfo = infoByte{size: undefinedWords}

// slow reads a row that is near the end of the sub-section or has many
// words. It says what is wrong where there is no row.
func (r *rowWalk) slow() (start uint32, key uint64, ok bool) {
	buf := r.w.fres
	at := r.pos + r.width
	if at >= len(buf) {
		r.truncated()
		return 0, 0, false
	}
	start = startAt(buf[r.pos:], r.width, r.w.big)
	info := buf[at]
	n := infoBytes[info].size
	at++
	switch {
	case n == undefinedWords:
		r.undefinedSize(at-1, info)
		return 0, 0, false
	case n > len(buf)-at:
		r.truncated()
		return 0, 0, false
	case n <= survey.KeyBytes:
		var tail [8]byte
		copy(tail[:], buf[at:])
		key = survey.RowKey(binary.LittleEndian.Uint64(tail[:]), uint8(n), info, r.class)
		r.w.sv.Row(key, r.fde, r.done, r.pos)
	default:
		r.w.sv.LongRow(buf[at:at+n], info, r.class, r.fde, r.done, r.pos)
	}
	if r.done > 0 && bytes.Equal(buf[r.last+r.width:r.pos], buf[at-1:at+n]) {
		r.w.traits |= survey.RowsRepeat
	}
	r.pos = at + n
	return start, key, true
}

// longFirst records a first row whose content does not fit a key.
func (r *rowWalk) longFirst(begin int) {
	at := begin + r.width
	info := r.w.fres[at]
	r.w.sv.LongFirst(r.w.fres[at+1:at+1+infoBytes[info].size], info, r.class, r.fde, begin)
}

// narrowerMax is the largest start that the next narrower FRE type holds.
func narrowerMax(width int) int64 {
	if width == 2 {
		return int64(model.SFRAME_FRE_TYPE_ADDR1.MaxStart())
	}
	return int64(model.SFRAME_FRE_TYPE_ADDR2.MaxStart())
}

// startAt reads a row's start offset. The caller has seen that it is there.
func startAt(b []byte, width int, big bool) uint32 {
	switch width {
	case 1:
		return uint32(b[0])
	case 2:
		return uint32(u16(b, big))
	}
	return u32(b, big)
}

func (r *rowWalk) truncated() {
	r.w.log.add(Fault{Code: FRETruncated,
		Span: model.Span{Off: r.w.d.fres.base + int64(r.pos), Len: int64(len(r.w.fres) - r.pos)},
		FDE:  r.fde, FRE: r.done, Want: uint64(r.w.e.claimed), Got: uint64(r.done)})
}

func (r *rowWalk) undefinedSize(at int, info uint8) {
	r.w.log.add(Fault{Code: WordSizeUndefined,
		Span: model.Span{Off: r.w.d.fres.base + int64(at), Len: 1},
		FDE:  r.fde, FRE: r.done, Want: uint64(r.w.e.claimed), Got: uint64(info >> model.FREInfoSizeShift & 3)})
}
