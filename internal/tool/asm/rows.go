package asm

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// data writes the data of a function from an offset in the FRE sub-section on: the attribute and
// the FREs. It returns where the next data go.
func (l *layout) data(f *function, at int64) (int64, error) {
	items := f.items
	for len(items) > 0 && items[0].org >= 0 {
		at, items = items[0].org, items[1:]
	}
	f.place.data = l.fres + at
	if !f.own() {
		if f.fresAt >= 0 {
			f.place.data = l.fres + f.fresAt
		}
		if len(items) > 0 {
			return 0, failure{f.at, "a function with fres= has no FREs of its own"}
		}
	}
	if err := l.widths(f); err != nil {
		return 0, err
	}
	if n := int64(l.info.AttrSize); n > 0 && f.own() {
		at += n
		l.freLen = max(l.freLen, at)
	}
	for _, it := range items {
		var b []byte
		var err error
		from := pos{}
		switch {
		case it.org >= 0:
			at = it.org
			continue
		case it.row != nil:
			from = it.row.at
			f.place.rows = append(f.place.rows, l.fres+at)
			b, err = l.fre(f, it.row)
		default:
			from, b = f.at, it.bytes
		}
		if err == nil {
			err = l.put(l.fres+at, b, from)
		}
		if err != nil {
			return 0, err
		}
		at += int64(len(b))
		l.freLen = max(l.freLen, at)
	}
	f.place.count = int64(len(f.place.rows))
	l.numFREs += f.place.count
	return at, nil
}

// widths chooses the type of a function and the width of the starts of its FREs.
func (l *layout) widths(f *function) error {
	f.place.typ, f.place.width = f.typ, f.width
	last := int64(0)
	for _, it := range f.items {
		if it.row == nil {
			continue
		}
		last = max(last, it.row.start)
		if it.row.start < 0 || it.row.start>>32 != 0 {
			return failure{it.row.at, "the start of an FRE has 32 bits"}
		}
		if l.info.Flex && !f.typGiven && f.place.typ == model.SFRAME_FDE_TYPE_DEFAULT && !it.row.raw && !it.row.end {
			if _, err := l.head.Words(model.SFRAME_FDE_TYPE_DEFAULT, l.rules(it.row)); err != nil {
				f.place.typ = model.SFRAME_FDE_TYPE_FLEX
			}
		}
	}
	if f.place.width == 0 {
		f.place.width = 1
		for f.place.width < 4 && last>>(8*f.place.width) != 0 {
			f.place.width *= 2
		}
	}
	return nil
}

// rules returns the rules of a row, those that it does not state included.
func (l *layout) rules(r *row) model.Row {
	ra, fp := l.head.Absent()
	if r.given[1] {
		ra = r.rules[1]
	}
	if r.given[2] {
		fp = r.rules[2]
	}
	return model.Row{CFA: r.rules[0], RA: ra, FP: fp}
}

// fre returns the bytes of an FRE.
func (l *layout) fre(f *function, r *row) ([]byte, error) {
	if err := fits(r.start, int64(f.place.width), r.at, "the start of the FRE"); err != nil || r.start>>(8*f.place.width) != 0 {
		return nil, failure{r.at, fmt.Sprintf("start 0x%x does not fit %d bytes", r.start, f.place.width)}
	}
	words := model.Words{N: len(r.words), Base: r.base}
	copy(words.Word[:], r.words)
	if !r.raw && !r.end {
		var err error
		if words, err = l.head.Words(f.place.typ, l.rules(r)); err != nil {
			return nil, failure{r.at, err.Error()}
		}
	}
	size, ok := words.Size()
	if !ok {
		size = model.SFRAME_FRE_DATAWORD_4B
	}
	for code := range 3 {
		if model.WordSize(code).Width() == r.size {
			size = model.WordSize(code)
		}
	}
	info := uint8(words.Base) | uint8(words.N)<<model.FREInfoCountShift | uint8(size)<<model.FREInfoSizeShift
	if r.signed {
		info |= model.FREInfoMangledBit
	}
	if r.info >= 0 {
		info = uint8(r.info)
	}
	width := size.Width()
	b := make([]byte, f.place.width+1+width*words.N)
	number.Put(l.order(), b[:f.place.width], uint64(r.start))
	b[f.place.width] = info
	for k, v := range words.Word[:words.N] {
		if err := fits(v, int64(width), r.at, "a data word"); err != nil {
			return nil, err
		}
		number.Put(l.order(), b[f.place.width+1+k*width:][:width], uint64(v))
	}
	return b, nil
}
