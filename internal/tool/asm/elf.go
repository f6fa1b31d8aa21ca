package asm

import (
	"debug/elf"
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

func setELF(p *parser, t token) {
	if p.unit.elf != nil {
		fail(t.pos, ".elf is given twice")
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
		p.wrong("rel, exec or dyn")
	}
}

// file returns the ELF file, an error if the text has not asked for one.
func (p *parser) file(t token) *elfText {
	if p.unit.elf == nil {
		fail(t.pos, "%s needs .elf before it", t.text)
	}
	return p.unit.elf
}

// addSection begins a section, or changes the header of the SFrame section.
func addSection(p *parser, t token) {
	f := p.file(t)
	s := &elfSection{at: p.peek().pos}
	s.Label = p.name("the name of a section")
	s.Type, s.Addralign = uint32(elf.SHT_PROGBITS), 1
	if s.Label == sframeName && f.sframe == nil {
		s.Section64, f.sframe = sframeHeader(p.unit), s
	}
	for p.peek().kind != 0 {
		p.sectionAttribute(s)
	}
	f.sections = append(f.sections, s)
	p.section = s
	p.spend(costElement, t.pos)
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
func (p *parser) sectionAttribute(s *elfSection) {
	t := p.take()
	if flag, ok := sectionFlags[t.text]; ok && t.kind == 'w' {
		s.Flags |= uint64(flag)
		return
	}
	if t.kind != 'w' || !p.accept('=') {
		fail(t.pos, "%q is not an attribute of a section", t.text)
	}
	if typ, ok := sectionTypes[p.peek().text]; ok && t.text == "type" {
		p.take()
		s.Type = uint32(typ)
		return
	}
	v := p.value()
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
		fail(t.pos, "%q is not an attribute of a section", t.text)
	}
}

// code returns the section that bytes are added to.
func (p *parser) code(t token) *elfSection {
	if p.section == nil || p.section == p.unit.elf.sframe {
		fail(t.pos, "%s needs a .section before it, other than %s", t.text, sframeName)
	}
	return p.section
}

func sectionBytes(p *parser, t token) {
	s := p.code(t)
	s.Data = append(s.Data, p.hexBytes()...)
}

func sectionZeros(p *parser, t token) {
	s := p.code(t)
	n := p.count("a number of bytes", p.opts.Limit)
	p.spend(n, t.pos)
	s.Data = append(s.Data, make([]byte, n)...)
}

func sectionFile(p *parser, t token) {
	s := p.code(t)
	at, off, n := p.peek().pos, int64(0), int64(-1)
	name := p.fileName(t)
	if p.peek().kind != 0 {
		p.accept(',')
		at = p.peek().pos
		off = p.count("an offset", 1<<62)
		p.accept(',')
		n = p.count("a number of bytes", 1<<40)
	}
	b := p.readFile(name, off, n, at)
	if len(s.Data) == 0 {
		s.Data = slices.Clip(b)
	} else {
		s.Data = append(s.Data, b...)
	}
}

var (
	symbolTypes = map[string]elf.SymType{
		"notype": elf.STT_NOTYPE, "object": elf.STT_OBJECT, "func": elf.STT_FUNC, "section": elf.STT_SECTION, "file": elf.STT_FILE, "tls": elf.STT_TLS,
	}
	symbolBinds = map[string]elf.SymBind{"local": elf.STB_LOCAL, "global": elf.STB_GLOBAL, "weak": elf.STB_WEAK}
)

// addSymbol reads a symbol: .symbol NAME VALUE, and attributes.
func addSymbol(p *parser, t token) {
	f := p.file(t)
	s := symbol{at: t.pos, section: textName, bind: elf.STB_GLOBAL, typ: elf.STT_FUNC}
	s.name, s.value = p.name("the name of a symbol"), p.value()
	for p.peek().kind != 0 {
		p.symbolAttribute(&s)
	}
	f.symbols = append(f.symbols, s)
	p.spend(costElement, t.pos)
}

func (p *parser) symbolAttribute(s *symbol) {
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
		s.size = p.value()
	case t.text == "section" && p.accept('='):
		s.section = p.name("the name of a section")
	default:
		fail(t.pos, "%q is not an attribute of a symbol", t.text)
	}
}

// addReloc reads a relocation: .reloc FUNCTION or OFFSET, the type, a symbol and an addend; or
// .reloc FUNCTION none.
func addReloc(p *parser, t token) {
	f := p.file(t)
	r := reloc{at: t.pos}
	var named bool
	if r.fn, named = p.reference(); !named {
		r.off = p.value()
	}
	if p.word("none") {
		r.none = true
		f.relocs = append(f.relocs, r)
		return
	}
	r.typ, r.symbol, r.addend = p.relocType(), p.name("the name of a symbol"), p.sum(0)
	f.relocs = append(f.relocs, r)
	p.spend(costElement, t.pos)
}

// namedRelocs is the number of types of relocations that texts name. Others stand as numbers.
const namedRelocs = 2048

// relocType reads a number, or the name of a type of the ABI.
func (p *parser) relocType() int64 {
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
		fail(t.pos, "%s has no relocation %q", abi.Name, t.text)
	}
	if p.relocs == nil {
		p.relocs = map[string]int64{}
	}
	p.relocs[key] = typ
	p.take()
	return typ
}
