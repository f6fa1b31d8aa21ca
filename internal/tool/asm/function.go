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

// function begins a function. The next rows are its FREs.
func (p *parser) function(t token) error {
	f, err := p.head(t)
	if err != nil {
		return err
	}
	if f.name == "" {
		f.name = fmt.Sprintf("f%d", len(p.unit.byName))
	}
	if p.unit.byName[f.name] != nil {
		return failure{t.pos, fmt.Sprintf("there is a function %q already: use .replace to change it", f.name)}
	}
	p.unit.funcs = append(p.unit.funcs, f)
	p.unit.byName[f.name] = f
	p.now = f
	return p.spend(costElement, t.pos)
}

// replace begins a function in the place of the one of that name.
func (p *parser) replace(t token) error {
	f, err := p.head(t)
	if err != nil {
		return err
	}
	old := p.unit.byName[f.name]
	if old == nil {
		return failure{t.pos, fmt.Sprintf("there is no function %q to replace", f.name)}
	}
	*old = *f
	p.now = old
	return nil
}

// remove takes a function out.
func (p *parser) remove(t token) error {
	name, err := p.name("the name of a function")
	if err != nil {
		return err
	}
	f := p.unit.byName[name]
	if f == nil {
		return failure{t.pos, fmt.Sprintf("there is no function %q", name)}
	}
	delete(p.unit.byName, name)
	if p.now == f {
		p.now = nil
	}
	return nil
}

// head reads the name, the start, the size and the attributes of a function.
func (p *parser) head(t token) (*function, error) {
	f := &function{at: t.pos, fresAt: -1}
	if n := p.peek(); n.kind == '"' || n.kind == 'w' && !isNumber(n.text) && !p.isVar(n.text) {
		f.name = p.take().text
	}
	var err error
	if f.start, err = p.value(); err != nil {
		return nil, err
	}
	p.accept(',')
	at := p.peek().pos
	if f.size, err = p.value(); err != nil {
		return nil, err
	}
	if f.size>>32 != 0 {
		return nil, failure{at, "the size of a function has 32 bits"}
	}
	for p.peek().kind != 0 {
		if err := p.attribute(f); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (p *parser) isVar(name string) bool {
	_, ok := p.vars[name]
	return ok
}

// attribute reads an attribute of a function.
func (p *parser) attribute(f *function) error {
	if p.peek().kind != 'w' {
		return p.wrong("an attribute of a function")
	}
	t := p.take()
	valued := p.accept('=')
	switch {
	case t.text == "mask":
		f.mask = true
		if !valued {
			return nil
		}
		var err error
		f.rep, err = p.count("the size of a stub", 0xff)
		return err
	case t.text == "fres" && valued:
		return p.fresOf(f)
	case valued:
		field, ok := fieldOf(t.text)
		if !ok || field == model.FDEFuncSize {
			return failure{t.pos, fmt.Sprintf("%q is not a field of a function", t.text)}
		}
		v, err := p.value()
		if f.fields == nil {
			f.fields = map[model.FDEField]int64{}
		}
		f.fields[field] = v
		return err
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
		return failure{t.pos, fmt.Sprintf("%q is not an attribute of a function", t.text)}
	}
	return nil
}

// fresOf lets a function point to FREs that are not its own.
func (p *parser) fresOf(f *function) (err error) {
	if t := p.peek(); t.kind == '"' || t.kind == 'w' && !isNumber(t.text) && !p.isVar(t.text) {
		f.fres = p.take().text
		return nil
	}
	f.fresAt, err = p.count("the offset of FREs", 1<<32-1)
	return err
}

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
		f.place.width = model.FRETypeFor(uint32(last)).Width()
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
