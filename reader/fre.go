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
	r.done, r.begin, r.pos, r.top = 0, int(off), int(off), -1
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

	done  int   // rows decoded so far
	begin int   // of the first row in the FRE sub-section
	pos   int   // of the next row there
	last  int   // of the previous row there
	top   int64 // the largest start before a smaller one
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
// to slow. It has few variables, so that they fit the registers.
func (r *rowWalk) run(extent uint32) {
	buf, width, class, recent := r.w.fres, r.width, uint64(r.class), r.w.recent
	pos, left := r.pos, r.claimed
	prev, prevKey, starts := int64(-1), uint64(0), uint32(0)
	for left > 0 {
		var start uint32
		var info uint8
		var words uint64
		t := &noInfo
		if len(buf)-pos >= window {
			b := buf[pos : pos+window : pos+window]
			switch width {
			case 1:
				start, info, words = uint32(b[0]), b[1], binary.LittleEndian.Uint64(b[2:])
			case 2:
				start, info, words = uint32(u16(b, r.w.big)), b[2], binary.LittleEndian.Uint64(b[3:])
			default:
				start, info, words = u32(b, r.w.big), b[4], binary.LittleEndian.Uint64(b[5:])
			}
			t = &infoBytes[info]
		}
		key := words&t.mask<<16 | uint64(info)<<8 | class
		if t.size > survey.KeyBytes {
			r.done, r.pos = r.claimed-left, pos
			var ok bool
			if start, key, ok = r.slow(); !ok {
				break
			}
			r.last, pos = pos, r.pos
		} else {
			if key == prevKey {
				r.w.traits |= survey.RowsRepeat
			} else if at := key * keyHash >> (64 - recentBits); recent[at] != key {
				recent[at] = key
				r.w.sv.Row(key, r.fde, r.claimed-left, pos)
			}
			r.last = pos
			pos += width + 1 + t.size
		}
		if int64(start) <= prev {
			r.top = max(r.top, prev)
			r.w.traits |= survey.RowsUnordered
		}
		prev, prevKey = int64(start), key
		starts |= start
		left--
	}
	r.done = r.claimed - left
	if r.done > 0 {
		if starts&r.w.odd != 0 {
			r.w.traits |= survey.RowMisaligned
		}
		r.ends(extent, prev, prevKey)
	}
	r.pos = pos
}

// recentBits is the size of the memory of recent rows, which is smaller and
// faster than the survey's: most rows are like one of those before them.
const recentBits, keyHash = 9, 0x9e3779b97f4a7c15

// ends notes what the first and the last row show. prev and prevKey are of the
// last one.
func (r *rowWalk) ends(extent uint32, prev int64, prevKey uint64) {
	sv, buf := &r.w.sv, r.w.fres
	if startAt(buf[r.begin:], r.width, r.w.big) != 0 {
		r.w.traits |= survey.FirstRowLate
	}
	if max(r.top, prev) >= int64(extent) {
		r.w.traits |= survey.RowBeyond
	}
	if r.width > 1 && prev <= narrowerMax(r.width) {
		r.w.traits |= survey.StartsWide
	}
	at := r.begin + r.width + 1
	info := buf[at-1]
	switch t := &infoBytes[info]; {
	case t.size > survey.KeyBytes:
		sv.LongFirst(buf[at:at+t.size], info, r.class, r.fde, r.begin)
	case len(buf)-at >= 8:
		sv.First(survey.RowKey(binary.LittleEndian.Uint64(buf[at:]), uint8(t.size), info, r.class), r.fde, r.begin)
	default:
		var tail [8]byte
		copy(tail[:], buf[at:])
		sv.First(survey.RowKey(binary.LittleEndian.Uint64(tail[:]), uint8(t.size), info, r.class), r.fde, r.begin)
	}
	sv.Last(prevKey, r.fde, r.done-1, r.last)
	r.w.lastKey = prevKey
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
