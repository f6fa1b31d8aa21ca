package asm

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// fieldNames are the names of the fields of an FDE.
var fieldNames = [...]string{
	model.FDEStart: "start", model.FDEFuncSize: "size", model.FDEStartFREOff: "start_fre_off", model.FDENumFREs: "num_fres",
	model.FDEInfo: "info", model.FDEInfo2: "info2", model.FDERepSize: "rep_size", model.FDEPadding: "padding2",
}

// FieldName returns the name of a field of an FDE in texts.
func FieldName(f model.FDEField) string { return fieldNames[f] }

func fieldOf(name string) (model.FDEField, bool) {
	for f, n := range fieldNames {
		if n == name {
			return model.FDEField(f), true
		}
	}
	return 0, false
}

// addFunction begins a function. The next rows are its FREs.
func addFunction(p *parser, t token) {
	f := p.head(t)
	if f.name == "" {
		f.name = fmt.Sprintf("f%d", len(p.unit.byName))
	}
	if p.unit.byName[f.name] != nil {
		fail(t.pos, "there is a function %q already: use .replace to change it", f.name)
	}
	p.unit.funcs = append(p.unit.funcs, f)
	p.unit.byName[f.name] = f
	p.now = f
	p.spend(costElement, t.pos)
}

// replace begins a function in the place of the one of that name.
func replace(p *parser, t token) {
	f := p.head(t)
	old := p.unit.byName[f.name]
	if old == nil {
		fail(t.pos, "there is no function %q to replace", f.name)
	}
	*old = *f
	p.now = old
}

// remove takes a function out.
func remove(p *parser, t token) {
	name := p.name("the name of a function")
	f := p.unit.byName[name]
	if f == nil {
		fail(t.pos, "there is no function %q", name)
	}
	delete(p.unit.byName, name)
	if p.now == f {
		p.now = nil
	}
}

// head reads the name, the start, the size and the attributes of a function.
func (p *parser) head(t token) *function {
	f := &function{at: t.pos, fresAt: -1}
	f.name, _ = p.reference()
	f.start = p.value()
	p.accept(',')
	at := p.peek().pos
	f.size = p.value()
	if f.size>>32 != 0 {
		fail(at, "the size of a function has 32 bits")
	}
	for p.peek().kind != 0 {
		p.attribute(f)
	}
	return f
}

// reference steps over a name if one is next, and neither a number nor a variable.
func (p *parser) reference() (name string, ok bool) {
	t := p.peek()
	_, isVar := p.vars[t.text]
	if ok = t.kind == '"' || t.kind == 'w' && !isNumber(t.text) && !isVar; ok {
		p.step()
		name = t.text
	}
	return name, ok
}

// attribute reads an attribute of a function.
func (p *parser) attribute(f *function) {
	if p.peek().kind != 'w' {
		p.wrong("an attribute of a function")
	}
	t := p.take()
	valued := p.accept('=')
	switch {
	case t.text == "mask":
		f.mask = true
		if valued {
			f.rep = p.count("the size of a stub", 0xff)
		}
		return
	case t.text == "fres" && valued: // its FREs are not its own
		if f.fres, valued = p.reference(); !valued {
			f.fresAt = p.count("the offset of FREs", 1<<32-1)
		}
		return
	case valued:
		field, ok := fieldOf(t.text)
		if !ok || field == model.FDEFuncSize {
			fail(t.pos, "%q is not a field of a function", t.text)
		}
		if f.fields == nil {
			f.fields = map[model.FDEField]int64{}
		}
		f.fields[field] = p.value()
		return
	}
	switch t.text {
	case "flex":
		f.typ, f.typGiven = model.SFRAME_FDE_TYPE_FLEX, true
	case "default":
		f.typ, f.typGiven = model.SFRAME_FDE_TYPE_DEFAULT, true
	case "signal":
		f.signal = true
	case "key_b":
		f.keyB = true
	case "addr1":
		f.width = 1
	case "addr2":
		f.width = 2
	case "addr4":
		f.width = 4
	default:
		fail(t.pos, "%q is not an attribute of a function", t.text)
	}
}

// data writes the data of a function from an offset in the FRE sub-section on: the attribute and
// the FREs. It returns where the next data go.
func (l *layout) data(f *function, at int64) int64 {
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
			fail(f.at, "a function with fres= has no FREs of its own")
		}
	}
	l.widths(f)
	if n := int64(l.info.AttrSize); n > 0 && f.own() {
		at += n
		l.freLen = max(l.freLen, at)
	}
	for _, it := range items {
		var b []byte
		from := pos{}
		switch {
		case it.org >= 0:
			at = it.org
			continue
		case it.row != nil:
			from = it.row.at
			f.place.rows = append(f.place.rows, l.fres+at)
			b = l.fre(f, it.row)
		default:
			from, b = f.at, it.bytes
		}
		l.put(l.fres+at, b, from)
		at += int64(len(b))
		l.freLen = max(l.freLen, at)
	}
	f.place.count = int64(len(f.place.rows))
	l.numFREs += f.place.count
	return at
}

// widths chooses the type of a function and the width of the starts of its FREs.
func (l *layout) widths(f *function) {
	f.place.typ, f.place.width = f.typ, f.width
	last := int64(0)
	for _, it := range f.items {
		if it.row == nil {
			continue
		}
		last = max(last, it.row.start)
		if it.row.start < 0 || it.row.start>>32 != 0 {
			fail(it.row.at, "the start of an FRE has 32 bits")
		}
		if l.info.Flex && !f.typGiven && f.place.typ == model.SFRAME_FDE_TYPE_DEFAULT && !it.row.raw && !it.row.end {
			if _, err := l.head.Words(model.SFRAME_FDE_TYPE_DEFAULT, l.rules(it.row)); err != nil {
				f.place.typ = model.SFRAME_FDE_TYPE_FLEX
			}
		}
	}
	if f.place.width == 0 {
		f.place.width = model.FRETypeFor(uint32(last)).Width()
	}
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
func (l *layout) fre(f *function, r *row) []byte {
	if r.start>>(8*f.place.width) != 0 {
		fail(r.at, "start 0x%x does not fit %d bytes", r.start, f.place.width)
	}
	words := model.Words{N: len(r.words), Base: r.base}
	copy(words.Word[:], r.words)
	if !r.raw && !r.end {
		var err error
		if words, err = l.head.Words(f.place.typ, l.rules(r)); err != nil {
			fail(r.at, "%v", err)
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
		fits(v, int64(width), r.at, "a data word")
		number.Put(l.order(), b[f.place.width+1+k*width:][:width], uint64(v))
	}
	return b
}
