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
	switch size := int64(len(w.fres)); {
	case t.Width() == 0:
		w.log.add(Fault{Code: FRETypeUndefined, Span: w.span(e, model.FDEInfo), FDE: i, FRE: -1, Got: uint64(t)})
		return 0, off
	case off >= size:
		f := Fault{Code: FREOffBeyond, Span: w.span(e, model.FDEStartFREOff), FDE: i, FRE: -1, Want: uint64(size), Got: uint64(e.freOff)}
		if w.attr { // the attribute itself was there
			f = Fault{Code: FRETruncated, Span: model.Span{Off: w.d.fres.base + off}, FDE: i, FRE: 0, Want: uint64(e.claimed)}
		}
		w.log.add(f)
		return 0, off
	case w.budget <= 0 && off < w.top:
		w.log.add(Fault{Code: FREsShared, Span: w.span(e, model.FDEStartFREOff), FDE: i, FRE: -1, Got: uint64(e.freOff)})
		return 0, off
	}
	r := &w.row
	r.fde, r.claimed, r.width = i, int(min(e.claimed, math.MaxInt32)), t.Width()
	r.class = survey.RowClass(e.info, e.info2, w.flex)
	r.done, r.pos = 0, int(off)
	r.run(e.extent())
	w.budget -= int64(r.pos) - off
	w.top = max(w.top, int64(r.pos))
	return uint32(r.done), int64(r.pos)
}

// rowWalk walks the rows of one FDE.
type rowWalk struct {
	w       *part
	fde     int
	claimed int
	width   int // of the start offsets, bytes
	class   uint8

	done    int // rows decoded so far
	pos     int // of the next row in the FRE sub-section
	content int // where the content of the previous row starts
}

// window is more than the bytes of any row whose content fits a key: start
// offset, info byte and the bytes that a key is made of.
const window = 16

// wordBytes is how many bytes of data words an info byte announces;
// undefinedWords where their size is undefined.
var wordBytes = func() (t [256]uint8) {
	for info := range t {
		n := uint8(info >> model.FREInfoCountShift & model.MaxWords)
		code := info >> model.FREInfoSizeShift & 3
		t[info] = n << code
		if code == 3 && n > 0 {
			t[info] = undefinedWords
		}
	}
	return t
}()

const undefinedWords = 0xff

// run is the loop that takes all the time: it looks at rows through a window
// of fixed size, which avoids most bounds checks, and leaves unusual rows
// to slow.
func (r *rowWalk) run(extent uint32) {
	buf, big, width, class, claimed := r.w.fres, r.w.big, r.width, r.class, r.claimed
	sv := &r.w.sv
	done, begin, pos, last := 0, r.pos, r.pos, r.pos
	var prevKey, firstKey uint64
	first, prev := uint32(0), int64(-1)
	traits := survey.Trait(0)
	for done < claimed {
		var start uint32
		var key uint64
		at := pos
		if len(buf)-pos >= window {
			b := buf[pos : pos+window : pos+window]
			var info uint8
			var v uint64
			switch width {
			case 1:
				start, info, v = uint32(b[0]), b[1], binary.LittleEndian.Uint64(b[2:])
			case 2:
				start, info, v = uint32(u16(b, big)), b[2], binary.LittleEndian.Uint64(b[3:])
			default:
				start, info, v = u32(b, big), b[4], binary.LittleEndian.Uint64(b[5:])
			}
			if n := wordBytes[info]; n <= survey.KeyBytes {
				key = survey.RowKey(v, n, info, class)
				pos += width + 1 + int(n)
				switch {
				case key == prevKey:
					traits |= survey.RowsRepeat
				case !sv.Seen(key):
					sv.Row(key, r.fde, done, at)
				}
				r.content = at + width
			}
		}
		if key == 0 {
			r.done, r.pos = done, pos
			var ok bool
			if start, key, ok = r.slow(); !ok {
				break
			}
			pos = r.pos
		}
		if done == 0 {
			first, firstKey = start, key
		}
		if int64(start) <= prev {
			traits |= survey.RowsUnordered
		}
		if start >= extent {
			traits |= survey.RowBeyond
		}
		last, prev, prevKey = at, int64(start), key
		done++
	}
	r.done, r.pos = done, pos
	sv.Traits |= traits
	if done > 0 {
		r.ends(ends{first, firstKey, begin, prev, prevKey, last})
	}
}

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
	n := int(wordBytes[info])
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
	if old := r.content; r.done > 0 && bytes.Equal(buf[old:r.pos], buf[at-1:at+n]) {
		r.w.sv.Traits |= survey.RowsRepeat
	}
	r.content, r.pos = at-1, at+n
	return start, key, true
}

// ends are the first and the last row of an FDE.
type ends struct {
	first    uint32 // start
	firstKey uint64
	begin    int   // offset of the first row
	last     int64 // start
	lastKey  uint64
	at       int // offset of the last row
}

// ends notes what the first and the last row show.
func (r *rowWalk) ends(e ends) {
	sv := &r.w.sv
	if e.first != 0 {
		sv.Traits |= survey.FirstRowLate
	}
	if r.width > 1 && e.last <= narrowerMax(r.width) {
		sv.Traits |= survey.StartsWide
	}
	if e.firstKey != 0 {
		sv.First(e.firstKey, r.fde, e.begin)
	} else {
		at := e.begin + r.width
		info := r.w.fres[at]
		sv.LongFirst(r.w.fres[at+1:at+1+int(wordBytes[info])], info, r.class, r.fde, e.begin)
	}
	sv.Last(e.lastKey, r.fde, r.done-1, e.at)
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
