package reader

import (
	"encoding/binary"
	"math"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// noRows reports why not even the first row of an FDE can be decoded.
func (w *part) noRows(i int, off int64) {
	e := w.entry(i)
	t := model.FREType(e.Info & model.InfoFRETypeMask)
	f := Fault{Code: FREsShared, Span: w.span(i, model.FDEStartFREOff), FDE: i, FRE: -1, Got: uint64(e.StartFREOff)}
	switch size := int64(len(w.fres)); {
	case t.Width() == 0:
		f = Fault{Code: FRETypeUndefined, Span: w.span(i, model.FDEInfo), FDE: i, FRE: -1, Got: uint64(t)}
	case off >= size && w.attr > 0: // the attribute itself was there
		f = Fault{Code: FRETruncated, Span: model.Span{Off: w.d.fres.Off + off}, FDE: i, FRE: 0, Want: uint64(e.NumFREs)}
	case off >= size:
		f = Fault{Code: FREOffBeyond, Span: w.span(i, model.FDEStartFREOff), FDE: i, FRE: -1, Want: uint64(size), Got: uint64(e.StartFREOff)}
	}
	w.log.add(f)
}

// infoByte is what an info byte says about the row's data words.
type infoByte struct {
	mask uint64 // selects the info byte and the words of a window
	size int    // bytes of words; undefinedWords where their size is undefined
}

const undefinedWords = 0xff

// window is the number of bytes that the loop over rows looks at: the last byte of the
// start offset, the info byte and the bytes of data words that a key is made of.
const window = 2 + model.KeyBytes

var infoBytes = func() (t [256]infoByte) {
	for info := range t {
		n := info >> model.FREInfoCountShift & model.MaxWords
		code := info >> model.FREInfoSizeShift & 3
		t[info] = infoByte{mask: model.RowKey(math.MaxUint64, uint8(min(n<<code, model.KeyBytes)), 0xff, 0), size: n << code}
		if code == 3 && n > 0 {
			t[info].size = undefinedWords
		}
	}
	return t
}()

// rows decodes the rows of an FDE, starting at begin in the FRE sub-section, and returns their number and their end.
// It reads rows through a window of fixed size, and passes unusual rows to slow.
func (w *part) rows(fde int, claimed uint32, begin, width int, class uint8, extent uint32) (done uint32, end int64) {
	buf := w.fres
	pos, left := begin, int(claimed)
	prev, top, key, starts := int64(-1), int64(-1), uint64(0), uint32(0)
	if width == 1 && w.odd == 0 {
		pos, left, prev, key = w.plainRows(pos, left, uint64(class))
	}
	for ; left > 0; left-- {
		if left%stepRows == 0 {
			if w.pay(); w.err != nil {
				break
			}
			w.steps = stepRows
		}
		start, k, size, row := uint32(0), uint64(0), undefinedWords, int(claimed)-left
		if pos <= len(buf)-width+1-window {
			win := binary.LittleEndian.Uint64(buf[pos+width-1:])
			t := &infoBytes[uint8(win>>8)]
			start, k, size = startAt(buf[pos:], width, w.big), win&t.mask|uint64(class), t.size
		}
		next := pos + width + 1 + size
		if size > model.KeyBytes {
			var ok bool
			if start, k, next, ok = w.readSlowly(fde, row, pos, width, class); !ok {
				break
			}
		}
		if k == key {
			w.traits |= model.RowsRepeat
		} else if at := k * keyHash >> (64 - recentBits); w.recent[at] != k {
			w.recent[at] = k
			w.sv.Record(model.RowList, k, fde, row, pos)
		}
		if int64(start) <= prev {
			top = max(top, prev)
			w.traits |= model.RowsUnordered
		}
		prev, key, pos = int64(start), k, next
		starts |= start
	}
	w.steps += int64(int(claimed)-left) % stepRows
	if left == int(claimed) {
		return 0, int64(pos)
	}
	if starts&w.odd != 0 {
		w.traits |= model.RowMisaligned
	}
	if w.highest = max(top, prev); w.highest >= int64(extent) {
		w.traits |= model.RowBeyond
	}
	if width > 1 && prev <= narrowerMax(width) {
		w.traits |= model.StartsWide
	}
	w.firstRow(fde, begin, width, class)
	return claimed - uint32(left), int64(pos)
}

// plainRows walks the first rows of an FDE of type ADDR1 while their contents are remembered, and starts ascend without
// repeating. It returns the place of the next row, how many are left, and the start and key of the last. Large sections
// spend most of their time here: few variables fit the registers.
func (w *part) plainRows(pos, left int, class uint64) (next, rest int, prev int64, key uint64) {
	buf, recent := w.fres, w.recent
	prev = -1
	for ; left > 0 && pos <= len(buf)-window; left-- {
		win := binary.LittleEndian.Uint64(buf[pos : pos+window])
		t := &infoBytes[uint8(win>>8)]
		k, start := win&t.mask|class, int64(uint8(win))
		if t.size > model.KeyBytes || recent[k*keyHash>>(64-recentBits)] != k || k == key || start <= prev {
			break
		}
		prev, key = start, k
		pos += t.size + 2
	}
	return pos, left, prev, key
}

// recentBits is the size of the memory of recent rows, which is smaller and
// faster than the survey's: most rows are like one of those before them.
const recentBits, keyHash = 9, 0x9e3779b97f4a7c15

// firstRow notes what the first row of an FDE shows, which has been decoded.
func (w *part) firstRow(fde, pos, width int, class uint8) {
	buf := w.fres
	if startAt(buf[pos:], width, w.big) != 0 {
		w.traits |= model.FirstRowLate
	}
	at := pos + width + 1
	info := buf[at-1]
	t := &infoBytes[info]
	key := number.Window(buf[at:])<<16&t.mask | uint64(info)<<8 | uint64(class)
	if t.size > model.KeyBytes {
		key = model.LongKey(buf[at:at+t.size], info, class)
	}
	if !w.sv.Recent(model.FirstList, key) {
		w.sv.Record(model.FirstList, key, fde, 0, pos)
	}
}

// readSlowly reads a row that is near the end of the sub-section or has many words. It reports what is
// wrong if there is no row.
func (w *part) readSlowly(fde, row, pos, width int, class uint8) (start uint32, key uint64, next int, ok bool) {
	buf := w.fres
	at := pos + width
	if at >= len(buf) {
		w.truncated(fde, row, pos)
		return 0, 0, pos, false
	}
	start = startAt(buf[pos:], width, w.big)
	info := buf[at]
	n := infoBytes[info].size
	at++
	switch {
	case n == undefinedWords:
		w.undefinedSize(fde, row, at-1, info)
		return 0, 0, pos, false
	case n > len(buf)-at:
		w.truncated(fde, row, pos)
		return 0, 0, pos, false
	case n <= model.KeyBytes:
		key = model.RowKey(number.Window(buf[at:]), uint8(n), info, class)
	default:
		key = model.LongKey(buf[at:at+n], info, class)
	}
	return start, key, at + n, true
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
		return uint32(number.U16(b, big))
	}
	return number.U32(b, big)
}

func (w *part) truncated(fde, row, pos int) {
	e := w.entry(fde)
	w.log.add(Fault{Code: FRETruncated,
		Span: model.Span{Off: w.d.fres.Off + int64(pos), Len: int64(len(w.fres) - pos)},
		FDE:  fde, FRE: row, Want: uint64(e.NumFREs), Got: uint64(row)})
}

func (w *part) undefinedSize(fde, row, at int, info uint8) {
	e := w.entry(fde)
	w.log.add(Fault{Code: WordSizeUndefined,
		Span: model.Span{Off: w.d.fres.Off + int64(at), Len: 1},
		FDE:  fde, FRE: row, Want: uint64(e.NumFREs), Got: uint64(info >> model.FREInfoSizeShift & 3)})
}

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
