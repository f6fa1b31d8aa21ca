package breaks

import (
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// index has the offsets of all parts of a section that the generator has
// written. Offsets count from the section's start.
type index struct {
	size                       int64
	headerEnd, fdeOff, fdeSize int64
	freOff, freEnd             int64
	funcs                      []funcIndex
	layout                     *generator.Layout
}

type funcIndex struct {
	entry int64 // of the FDE
	data  int64 // of the attribute, or of the first row
	end   int64 // after the last row
	width int   // of the rows' starts
	rows  []rowIndex
}

type rowIndex struct {
	at        int64
	width     int // of the start
	info      uint8
	n         int // data words
	wordWidth int
}

func (r rowIndex) infoAt() int64 { return r.at + int64(r.width) }
func (r rowIndex) word(k int) model.Span {
	return model.Span{Off: r.infoAt() + 1 + int64(k*r.wordWidth), Len: int64(r.wordWidth)}
}
func (r rowIndex) end() int64 { return r.word(r.n).Off }

func newIndex(file *generator.File) *index {
	p, l, b := file.Plan, file.Layout, file.Bytes[file.Offset:]
	x := &index{size: l.Size, headerEnd: int64(p.Version.Info().HeaderSize + len(p.Aux)), fdeSize: int64(model.FDESize(p.Version)), layout: l}
	x.fdeOff, x.freOff = x.headerEnd+int64(l.FDEOff), x.headerEnd+int64(l.FREOff)
	x.freEnd = x.freOff + int64(l.FRELen)
	x.funcs = make([]funcIndex, len(p.Funcs))
	rows := make([]rowIndex, 0, p.NumFREs())
	for i := range p.Funcs {
		f := &x.funcs[i]
		f.entry = x.fdeOff + int64(i)*x.fdeSize
		f.data, f.width = x.freOff+int64(l.Funcs[i].StartFREOff), l.Funcs[i].FREType.Width()
		at := f.data + int64(p.Version.Info().AttrSize)
		first := len(rows)
		for range p.Funcs[i].Rows {
			info := b[at+int64(f.width)]
			r := rowIndex{at: at, width: f.width, info: info, n: int(info >> model.FREInfoCountShift & model.MaxWords),
				wordWidth: model.WordSize(info >> model.FREInfoSizeShift & 3).Width()}
			rows = append(rows, r)
			at = r.end()
		}
		f.rows, f.end = rows[first:len(rows):len(rows)], at
	}
	return x
}

// written and line return where a function and a row were written.
func (x spot) written() *funcIndex { return &x.ix.funcs[x.i] }
func (x spot) line() rowIndex      { return x.written().rows[x.j] }

// field returns the bytes of an FDE's field; none if the version does not have
// it.
func (x spot) field(f model.FDEField) model.Span {
	at, base := x.format().Field(f), x.written().entry
	if at.Attr {
		base = x.written().data
	}
	return model.Span{Off: base + at.Off, Len: at.Len}
}

// order returns the byte order of the section and its file.
func (s *Subject) order() binary.ByteOrder { return number.Order(s.plan.BigEndian) }

// get reads a number of the section.
func (s *Subject) get(sp model.Span) uint64 {
	return number.Get(s.order(), s.object[s.off+sp.Off:][:sp.Len])
}

// words returns the data words of a row as they are in the section:
// control words unsigned, all others signed.
func (x spot) words() []int64 {
	r := x.line()
	out := make([]int64, r.n)
	for k := range out {
		bits := 64 - 8*r.wordWidth
		out[k] = int64(x.get(r.word(k))) << bits >> bits
	}
	for _, e := range x.entities() {
		out[e.word] = int64(e.control)
	}
	return out
}

// entity is a control word of a flexible row and what belongs to it.
type entity struct {
	role    int // 0 CFA, 1 RA, 2 FP
	word    int // index of the control word
	control uint64
}

func (e entity) regP() bool   { return e.control&model.FlexRegP != 0 }
func (e entity) derefP() bool { return e.control&model.FlexDerefP != 0 }

// entities takes a flexible row apart; padding words are left out, and a
// control word without its offset, which an earlier break has made.
func (x spot) entities() []entity {
	if x.fn().FDEType != model.SFRAME_FDE_TYPE_FLEX {
		return nil
	}
	r := x.line()
	var out []entity
	for role, k := 0, 0; role < 3 && k < r.n; role++ {
		e := entity{role: role, word: k, control: x.get(r.word(k))}
		if e.control == 0 {
			k++
			continue
		}
		if k+1 == r.n {
			break
		}
		out = append(out, e)
		k += 2
	}
	return out
}
