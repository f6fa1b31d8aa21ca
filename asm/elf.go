package asm

import (
	"debug/elf"
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/elfwrite"
	"github.com/sframe-lint/sframe-lint/model"
)

// elfFile is the file around the section.
type elfFile struct {
	typ      elf.Type
	machine  int64 // -1: that of the ABI
	entry    int64
	sections []*elfSection
	symbols  []symbol
	relocs   []reloc
	segments []segment
}

// elfSection is a section of the file. The one called .sframe has no data here.
type elfSection struct {
	elfwrite.Section
	at pos
}

type symbol struct {
	at      pos
	name    string
	section string // "": undefined
	value   int64
	size    int64
	info    uint8
}

// reloc is a relocation of the SFrame section.
type reloc struct {
	at     pos
	fn     string // whose start it sets; "": of the bytes at off
	off    int64
	typ    int64
	none   bool // there is no relocation
	symbol string
	addend int64
}

type segment struct {
	at    pos
	typ   uint32
	flags uint32
	cover string // a section
}

// sframeName is the name of the section that the text states.
const sframeName = ".sframe"

func (p *parser) setELF(t token) error {
	if p.unit.elf != nil {
		return failure{t.pos, ".elf is given twice"}
	}
	p.unit.elf = &elfFile{machine: -1}
	switch {
	case p.word("rel"):
		p.unit.elf.typ, p.unit.relocatable = elf.ET_REL, true
	case p.word("exec"):
		p.unit.elf.typ = elf.ET_EXEC
	case p.word("dyn"):
		p.unit.elf.typ = elf.ET_DYN
	default:
		return p.wrong("rel, exec or dyn")
	}
	return nil
}

// file returns the ELF file, an error if the text has not asked for one.
func (p *parser) file(t token) (*elfFile, error) {
	if p.unit.elf == nil {
		return nil, failure{t.pos, t.text + " needs .elf before it"}
	}
	return p.unit.elf, nil
}

func (p *parser) setMachine(t token) error {
	f, err := p.file(t)
	if err == nil {
		f.machine, err = p.count("a machine", 0xffff)
	}
	return err
}

func (p *parser) setEntry(t token) error {
	f, err := p.file(t)
	if err == nil {
		f.entry, err = p.value()
	}
	return err
}

var sectionTypes = map[string]elf.SectionType{
	"progbits": elf.SHT_PROGBITS, "nobits": elf.SHT_NOBITS, "note": elf.SHT_NOTE, "gnu_sframe": elfwrite.SHTGNUSFrame,
}

// addSection begins a section, or changes the header of the SFrame section.
func (p *parser) addSection(t token) error {
	f, err := p.file(t)
	if err != nil {
		return err
	}
	name, err := p.name("the name of a section")
	if err != nil {
		return err
	}
	s := &elfSection{at: t.pos, Section: elfwrite.Section{Label: name}}
	s.Type, s.Addralign = uint32(elf.SHT_PROGBITS), 1
	if name == sframeName {
		s.Section.Section64 = sframeHeader(p.unit)
	}
	for p.peek().kind != 0 {
		if err := p.sectionAttribute(s); err != nil {
			return err
		}
	}
	f.sections = append(f.sections, s)
	p.section = s
	return nil
}

func sframeHeader(u *unit) elf.Section64 {
	return elf.Section64{Type: uint32(elfwrite.SHTGNUSFrame), Flags: uint64(elf.SHF_ALLOC), Addr: uint64(u.addr), Addralign: 8}
}

// sectionAttribute reads NAME=VALUE, or a flag.
func (p *parser) sectionAttribute(s *elfSection) error {
	t := p.take()
	switch t.text {
	case "alloc":
		s.Flags |= uint64(elf.SHF_ALLOC)
		return nil
	case "exec":
		s.Flags |= uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR)
		return nil
	case "write":
		s.Flags |= uint64(elf.SHF_ALLOC | elf.SHF_WRITE)
		return nil
	}
	if t.kind != 'w' || !p.accept('=') {
		return failure{t.pos, fmt.Sprintf("%q is not an attribute of a section", t.text)}
	}
	if typ, ok := sectionTypes[p.peek().text]; ok && t.text == "type" {
		p.take()
		s.Type = uint32(typ)
		return nil
	}
	v, err := p.value()
	switch t.text {
	case "type":
		s.Type = uint32(v)
	case "flags":
		s.Flags = uint64(v)
	case "addr":
		s.Addr = uint64(v)
	case "align":
		s.Addralign = uint64(v)
	case "size":
		s.Size = uint64(v)
	case "link":
		s.Link = uint32(v)
	case "info":
		s.Info = uint32(v)
	case "entsize":
		s.Entsize = uint64(v)
	default:
		return failure{t.pos, fmt.Sprintf("%q is not an attribute of a section", t.text)}
	}
	return err
}

// code returns the section that bytes are added to.
func (p *parser) code(t token) (*elfSection, error) {
	if p.section == nil || p.section.Label == sframeName {
		return nil, failure{t.pos, t.text + " needs a .section before it, other than .sframe"}
	}
	return p.section, nil
}

func (p *parser) sectionBytes(t token) error {
	s, err := p.code(t)
	if err != nil {
		return err
	}
	b, err := p.hexBytes()
	s.Data = append(s.Data, b...)
	return err
}

func (p *parser) sectionZeros(t token) error {
	s, err := p.code(t)
	if err != nil {
		return err
	}
	n, err := p.count("a number of bytes", p.opts.Limit)
	if err == nil {
		err = p.spend(n, t.pos)
	}
	if err == nil {
		s.Data = append(s.Data, make([]byte, n)...)
	}
	return err
}

func (p *parser) sectionFile(t token) error {
	s, err := p.code(t)
	if err != nil {
		return err
	}
	_, b, err := p.open(t)
	if err == nil {
		err = p.spend(int64(len(b)), t.pos)
	}
	s.Data = append(s.Data, b...)
	return err
}

// addSymbol reads a symbol: .symbol NAME VALUE, and attributes.
func (p *parser) addSymbol(t token) error {
	f, err := p.file(t)
	if err != nil {
		return err
	}
	s := symbol{at: t.pos, section: ".text", info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC)}
	if s.name, err = p.name("the name of a symbol"); err != nil {
		return err
	}
	if s.value, err = p.value(); err != nil {
		return err
	}
	for p.peek().kind != 0 {
		if err := p.symbolAttribute(&s); err != nil {
			return err
		}
	}
	f.symbols = append(f.symbols, s)
	return nil
}

func (p *parser) symbolAttribute(s *symbol) (err error) {
	bind, typ := elf.ST_BIND(s.info), elf.ST_TYPE(s.info)
	t := p.take()
	switch t.text {
	case "local":
		bind = elf.STB_LOCAL
	case "global":
		bind = elf.STB_GLOBAL
	case "weak":
		bind = elf.STB_WEAK
	case "func":
		typ = elf.STT_FUNC
	case "object":
		typ = elf.STT_OBJECT
	case "notype":
		typ = elf.STT_NOTYPE
	case "undefined":
		s.section = ""
	case "size":
		if err = p.expect('='); err == nil {
			s.size, err = p.value()
		}
	case "section":
		if err = p.expect('='); err == nil {
			s.section, err = p.name("the name of a section")
		}
	default:
		err = failure{t.pos, fmt.Sprintf("%q is not an attribute of a symbol", t.text)}
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
	if r.symbol, err = p.name("the name of a symbol"); err != nil {
		return err
	}
	if k := p.peek().kind; k == '+' || k == '-' {
		p.next--
		p.tokens[p.next] = token{'w', "0", t.pos}
		r.addend, err = p.value()
	}
	f.relocs = append(f.relocs, r)
	return err
}

// relocType reads a number, or the name of a type of the ABI.
func (p *parser) relocType() (int64, error) {
	t := p.peek()
	if t.kind != 'w' || isNumber(t.text) {
		return p.count("the type of a relocation", 1<<32-1)
	}
	abi := model.LookupABI(p.unit.abi)
	for typ := range uint32(2048) {
		if strings.EqualFold(abi.RelocName(typ), t.text) {
			p.take()
			return int64(typ), nil
		}
	}
	return 0, failure{t.pos, fmt.Sprintf("%s has no relocation %q", abi.Name, t.text)}
}

var segmentTypes = map[string]uint32{
	"load": uint32(elf.PT_LOAD), "note": uint32(elf.PT_NOTE), "gnu_sframe": elfwrite.PTGNUSFrame, "gnu_stack": uint32(elf.PT_GNU_STACK),
}

// addSegment reads a program header: .segment TYPE FLAGS SECTION.
func (p *parser) addSegment(t token) error {
	f, err := p.file(t)
	if err != nil {
		return err
	}
	s := segment{at: t.pos}
	if typ, ok := segmentTypes[p.peek().text]; ok {
		p.take()
		s.typ = typ
	} else {
		v, err := p.count("the type of a segment", 1<<32-1)
		if err != nil {
			return err
		}
		s.typ = uint32(v)
	}
	at := p.peek()
	for _, c := range p.take().text {
		flag, ok := map[rune]elf.ProgFlag{'r': elf.PF_R, 'w': elf.PF_W, 'x': elf.PF_X}[c]
		if !ok {
			return failure{at.pos, "the flags of a segment are letters of rwx"}
		}
		s.flags |= uint32(flag)
	}
	if s.cover, err = p.name("the name of a section"); err != nil {
		return err
	}
	f.segments = append(f.segments, s)
	return nil
}
