package asm

import (
	"debug/elf"
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

type symbol struct {
	at      pos
	name    string
	nameAt  int64 // offset of the name; -1: where the table has it
	section ref   // index 0: undefined
	value   int64
	size    int64
	info    uint8
	other   uint8
}

// reloc is a relocation of the SFrame section.
type reloc struct {
	at     pos
	fn     string // whose start it sets; "": of the bytes at off
	off    int64
	typ    int64
	none   bool // there is no relocation
	symbol ref
	addend int64
}

type segment struct {
	at    pos
	typ   uint32
	flags uint32
	cover []ref // sections: none, one, or the first and the last
	set   map[string]uint64
}

// addSymbol reads a symbol: .symbol NAME VALUE, and attributes.
func (p *parser) addSymbol(t token) error {
	f, err := p.file(t)
	if err != nil {
		return err
	}
	s := symbol{at: t.pos, nameAt: -1, section: ref{".text", -1}, info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC)}
	if k := p.peek().kind; k != 'w' && k != '"' {
		return p.wrong("the name of a symbol")
	}
	s.name = p.take().text
	if s.value, err = p.value(); err != nil {
		return err
	}
	for p.peek().kind != 0 {
		if err := p.symbolAttribute(&s); err != nil {
			return err
		}
	}
	f.symbols = append(f.symbols, s)
	return p.spend(costElement, t.pos)
}

func (p *parser) symbolAttribute(s *symbol) (err error) {
	bind, typ := elf.ST_BIND(s.info), elf.ST_TYPE(s.info)
	t := p.take()
	var v int64
	if b, ok := SymbolBinds[t.text]; ok {
		bind = b
	} else if y, ok := SymbolTypes[t.text]; ok && p.peek().kind != '=' {
		typ = y
	} else if t.text == "undefined" {
		s.section = ref{}
	} else if t.kind != 'w' || !p.accept('=') {
		err = failure{t.pos, fmt.Sprintf("%q is not an attribute of a symbol", t.text)}
	} else {
		switch t.text {
		case "size":
			s.size, err = p.value()
		case "section":
			s.section, err = p.ref("a section")
		case "name":
			s.nameAt, err = p.count("an offset", 1<<32-1)
		case "other":
			v, err = p.count("the visibility", 0xff)
			s.other = uint8(v)
		case "type":
			v, err = p.count("the type of a symbol", 15)
			typ = elf.SymType(v)
		case "bind":
			v, err = p.count("the binding of a symbol", 15)
			bind = elf.SymBind(v)
		default:
			err = failure{t.pos, fmt.Sprintf("%q is not an attribute of a symbol", t.text)}
		}
	}
	s.info = elf.ST_INFO(bind, typ)
	return err
}

// addReloc reads a relocation: .reloc FUNCTION or OFFSET, the type, a symbol and an addend; or
// .reloc FUNCTION none.
func (p *parser) addReloc(t token) error {
	f, err := p.file(t)
	if err != nil {
		return err
	}
	r := reloc{at: t.pos}
	if n := p.peek(); n.kind == '"' || n.kind == 'w' && !isNumber(n.text) && !p.isVar(n.text) {
		r.fn = p.take().text
	} else if r.off, err = p.value(); err != nil {
		return err
	}
	if p.word("none") {
		r.none = true
		f.relocs = append(f.relocs, r)
		return nil
	}
	if r.typ, err = p.relocType(); err != nil {
		return err
	}
	if r.symbol, err = p.symbolRef(); err != nil {
		return err
	}
	if k := p.peek().kind; k == '+' || k == '-' {
		r.addend, err = p.sum(0)
	}
	f.relocs = append(f.relocs, r)
	if err == nil {
		err = p.spend(costElement, t.pos)
	}
	return err
}

// symbolRef reads the name of a symbol, or its index.
func (p *parser) symbolRef() (ref, error) {
	t := p.peek()
	if t.kind != 'w' || !isNumber(t.text) {
		return p.ref("a symbol")
	}
	n, ok := parseNumber(t.text)
	if !ok || n < 0 || n > 1<<32-1 {
		return ref{}, p.wrong("the index of a symbol")
	}
	p.take()
	return ref{index: n}, nil
}

// relocType reads a number, or the name of a type of the ABI.
func (p *parser) relocType() (int64, error) {
	t := p.peek()
	if t.kind != 'w' || isNumber(t.text) {
		return p.count("the type of a relocation", 1<<32-1)
	}
	abi := model.LookupABI(p.unit.abi)
	key := abi.Name + " " + t.text
	typ, ok := p.relocs[key]
	for n := uint32(0); n < NamedRelocs && !ok; n++ {
		typ, ok = int64(n), strings.EqualFold(abi.RelocName(n), t.text)
	}
	if !ok {
		return 0, failure{t.pos, fmt.Sprintf("%s has no relocation %q", abi.Name, t.text)}
	}
	if p.relocs == nil {
		p.relocs = map[string]int64{}
	}
	p.relocs[key] = typ
	p.take()
	return typ, nil
}

// NamedRelocs is the number of types of relocations that texts name. Others stand as numbers.
const NamedRelocs = 2048

// addSegment reads a program header: .segment TYPE FLAGS, sections, and attributes.
func (p *parser) addSegment(t token) error {
	f, err := p.file(t)
	if err != nil {
		return err
	}
	s := segment{at: t.pos}
	if typ, ok := SegmentTypes[p.peek().text]; ok {
		p.take()
		s.typ = uint32(typ)
	} else {
		v, err := p.count("the type of a segment", 1<<32-1)
		if err != nil {
			return err
		}
		s.typ = uint32(v)
	}
	if s.flags, err = p.segmentFlags(); err != nil {
		return err
	}
	for p.peek().kind != 0 {
		if p.ahead[1].kind == '=' {
			if err := p.segmentAttribute(&s); err != nil {
				return err
			}
			continue
		}
		if len(s.cover) == 2 {
			return p.wrong("an attribute of the segment")
		}
		r, err := p.ref("a section")
		if err != nil {
			return err
		}
		s.cover = append(s.cover, r)
	}
	if len(s.cover) == 0 && s.set == nil && !f.exact {
		return p.wrong("the name of a section")
	}
	f.segments = append(f.segments, s)
	return p.spend(costElement, t.pos)
}

// segmentFlags reads letters, or a number.
func (p *parser) segmentFlags() (flags uint32, err error) {
	at := p.peek()
	if at.kind == 'w' && isNumber(at.text) {
		v, err := p.count("the flags of a segment", 1<<32-1)
		return uint32(v), err
	}
	for _, c := range p.take().text {
		flag, ok := map[rune]elf.ProgFlag{'r': elf.PF_R, 'w': elf.PF_W, 'x': elf.PF_X}[c]
		if !ok || at.kind != 'w' {
			return 0, failure{at.pos, "the flags of a segment are letters of rwx"}
		}
		flags |= uint32(flag)
	}
	return flags, nil
}

// SegmentFields are the attributes of a segment, which set fields of its header.
var SegmentFields = []struct {
	Name  string
	Field func(*elf.Prog64) *uint64
}{
	{"offset", func(p *elf.Prog64) *uint64 { return &p.Off }},
	{"addr", func(p *elf.Prog64) *uint64 { return &p.Vaddr }},
	{"paddr", func(p *elf.Prog64) *uint64 { return &p.Paddr }},
	{"filesz", func(p *elf.Prog64) *uint64 { return &p.Filesz }},
	{"memsz", func(p *elf.Prog64) *uint64 { return &p.Memsz }},
	{"align", func(p *elf.Prog64) *uint64 { return &p.Align }},
}

// segmentAttribute reads NAME=VALUE.
func (p *parser) segmentAttribute(s *segment) error {
	t := p.take()
	p.take()
	for _, f := range SegmentFields {
		if f.Name == t.text {
			v, err := p.value()
			if s.set == nil {
				s.set = map[string]uint64{}
			}
			s.set[t.text] = uint64(v)
			return err
		}
	}
	return failure{t.pos, fmt.Sprintf("%q is not an attribute of a segment", t.text)}
}
