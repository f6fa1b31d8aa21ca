package asm

import (
	"fmt"

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
