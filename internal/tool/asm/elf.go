package asm

import (
	"debug/elf"
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
)

// elfText is the file around the section.
type elfText struct {
	at       pos // of .elf: the place of what the text does not state
	typ      elf.Type
	sections []*elfSection
	sframe   *elfSection // the one of sections that holds the SFrame section; nil: not stated
	symbols  []symbol
	relocs   []reloc
}

// elfSection is a section of the file.
type elfSection struct {
	elf64.Section
	at pos
}

// symbol is a symbol of the file.
type symbol struct {
	at          pos
	name        string
	section     string // "": undefined
	value, size int64
	bind        elf.SymBind
	typ         elf.SymType
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

// Names of the sections that the assembler makes.
const (
	sframeName = ".sframe"
	textName   = ".text"
)

func (p *parser) setELF(t token) error {
	if p.unit.elf != nil {
		return failure{t.pos, ".elf is given twice"}
	}
	f := &elfText{at: t.pos}
	p.unit.elf = f
	switch {
	case p.word("rel"):
		f.typ, p.unit.relocatable = elf.ET_REL, true
	case p.word("exec"):
		f.typ = elf.ET_EXEC
	case p.word("dyn"):
		f.typ = elf.ET_DYN
	default:
		return p.wrong("rel, exec or dyn")
	}
	return nil
}

// file returns the ELF file, an error if the text has not asked for one.
func (p *parser) file(t token) (*elfText, error) {
	if p.unit.elf == nil {
		return nil, failure{t.pos, t.text + " needs .elf before it"}
	}
	return p.unit.elf, nil
}

// addSection begins a section, or changes the header of the SFrame section.
func (p *parser) addSection(t token) error {
	f, err := p.file(t)
	if err != nil {
		return err
	}
	s := &elfSection{at: p.peek().pos}
	if s.Label, err = p.name("the name of a section"); err != nil {
		return err
	}
	s.Type, s.Addralign = uint32(elf.SHT_PROGBITS), 1
	if s.Label == sframeName && f.sframe == nil {
		s.Section64, f.sframe = sframeHeader(p.unit), s
	}
	for p.peek().kind != 0 {
		if err := p.sectionAttribute(s); err != nil {
			return err
		}
	}
	f.sections = append(f.sections, s)
	p.section = s
	return p.spend(costElement, t.pos)
}

func sframeHeader(u *unit) elf.Section64 {
	return elf.Section64{Type: uint32(elf64.SHTGNUSFrame), Flags: uint64(elf.SHF_ALLOC), Addr: uint64(u.addr), Addralign: 8}
}

// sectionTypes are the types of sections that have names in texts.
var sectionTypes = map[string]elf.SectionType{
	"progbits": elf.SHT_PROGBITS, "nobits": elf.SHT_NOBITS, "note": elf.SHT_NOTE, "gnu_sframe": elf64.SHTGNUSFrame,
}

// sectionFlags are the flags of sections by their names in texts.
var sectionFlags = map[string]elf.SectionFlag{
	"alloc": elf.SHF_ALLOC, "exec": elf.SHF_ALLOC | elf.SHF_EXECINSTR, "write": elf.SHF_ALLOC | elf.SHF_WRITE,
	"merge": elf.SHF_MERGE, "strings": elf.SHF_STRINGS, "info_link": elf.SHF_INFO_LINK, "group": elf.SHF_GROUP, "tls": elf.SHF_TLS,
}

// sectionAttribute reads NAME=VALUE, or a flag.
func (p *parser) sectionAttribute(s *elfSection) error {
	t := p.take()
	if flag, ok := sectionFlags[t.text]; ok && t.kind == 'w' {
		s.Flags |= uint64(flag)
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
	if p.section == nil || p.section == p.unit.elf.sframe {
		return nil, failure{t.pos, t.text + " needs a .section before it, other than " + sframeName}
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
	at, off, n := p.peek().pos, int64(0), int64(-1)
	name, err := p.fileName(t)
	if err != nil {
		return err
	}
	if p.peek().kind != 0 {
		p.accept(',')
		at = p.peek().pos
		if off, err = p.count("an offset", 1<<62); err != nil {
			return err
		}
		p.accept(',')
		if n, err = p.count("a number of bytes", 1<<40); err != nil {
			return err
		}
	}
	b, err := p.readFile(name, off, n, at)
	if len(s.Data) == 0 {
		s.Data = slices.Clip(b)
	} else {
		s.Data = append(s.Data, b...)
	}
	return err
}

var (
	symbolTypes = map[string]elf.SymType{
		"notype": elf.STT_NOTYPE, "object": elf.STT_OBJECT, "func": elf.STT_FUNC, "section": elf.STT_SECTION, "file": elf.STT_FILE, "tls": elf.STT_TLS,
	}
	symbolBinds = map[string]elf.SymBind{"local": elf.STB_LOCAL, "global": elf.STB_GLOBAL, "weak": elf.STB_WEAK}
)

// addSymbol reads a symbol: .symbol NAME VALUE, and attributes.
func (p *parser) addSymbol(t token) error {
	f, err := p.file(t)
	if err != nil {
		return err
	}
	s := symbol{at: t.pos, section: textName, bind: elf.STB_GLOBAL, typ: elf.STT_FUNC}
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
	return p.spend(costElement, t.pos)
}

func (p *parser) symbolAttribute(s *symbol) (err error) {
	t := p.take()
	bind, isBind := symbolBinds[t.text]
	typ, isType := symbolTypes[t.text]
	switch {
	case isBind:
		s.bind = bind
	case isType && p.peek().kind != '=':
		s.typ = typ
	case t.text == "undefined":
		s.section = ""
	case t.text == "size" && p.accept('='):
		s.size, err = p.value()
	case t.text == "section" && p.accept('='):
		s.section, err = p.name("the name of a section")
	default:
		err = failure{t.pos, fmt.Sprintf("%q is not an attribute of a symbol", t.text)}
	}
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
		r.addend, err = p.sum(0)
	}
	f.relocs = append(f.relocs, r)
	if err == nil {
		err = p.spend(costElement, t.pos)
	}
	return err
}

// namedRelocs is the number of types of relocations that texts name. Others stand as numbers.
const namedRelocs = 2048

// relocType reads a number, or the name of a type of the ABI.
func (p *parser) relocType() (int64, error) {
	t := p.peek()
	if t.kind != 'w' || isNumber(t.text) {
		return p.count("the type of a relocation", 1<<32-1)
	}
	abi := model.LookupABI(p.unit.abi)
	key := abi.Name + " " + t.text
	typ, ok := p.relocs[key]
	for n := uint32(0); n < namedRelocs && !ok; n++ {
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
