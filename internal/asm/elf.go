package asm

import (
	"debug/elf"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/elfwrite"
)

// elfFile is the file around the section.
type elfFile struct {
	at           pos // of .elf: the place of what the text does not state
	typ          elf.Type
	exact        bool  // it has what the text states, and nothing else
	machine      int64 // -1: that of the ABI
	entry        int64
	order        string // "big" or "little"; "": that of the section
	osabi, flags int64
	phoff, shoff int64 // of the headers of segments and sections; -1: where they are by default
	size         int64 // -1: what the parts have
	sections     []*elfSection
	symbols      []symbol
	relocs       []reloc
	segments     []segment
	patches      []write
}

// elfSection is a section of the file.
type elfSection struct {
	elfwrite.Section
	at     pos
	holds  string // what the assembler fills it with: one of Contents, or ""
	placed bool   // the text states the offset
	name   int64  // offset of its name; -1: where the table has it
}

// Contents are what the assembler fills sections with, if a text says so: the SFrame section, the
// symbols, the relocations of the SFrame section, and the names of sections. The section that the
// symbols' one links to gets their names.
var Contents = []string{"sframe", "symbols", "relocs", "names"}

// ref refers to a section or a symbol by its name or its index.
type ref struct {
	name  string
	index int64 // -1: by the name
}

// ref reads a name, or the index of something.
func (p *parser) ref(what string) (ref, error) {
	if t := p.peek(); t.kind == 'w' && isNumber(t.text) {
		n, err := p.count("the index of "+what, 1<<32-1)
		return ref{index: n}, err
	}
	name, err := p.name("the name of " + what)
	return ref{name: name, index: -1}, err
}

// sframeName is the name of the section that the text states.
const sframeName = ".sframe"

func (p *parser) setELF(t token) error {
	if p.unit.elf != nil {
		return failure{t.pos, ".elf is given twice"}
	}
	f := &elfFile{at: t.pos, machine: -1, phoff: -1, shoff: -1, size: -1}
	p.unit.elf = f
	switch n := p.peek(); {
	case p.word("rel"):
		f.typ, p.unit.relocatable = elf.ET_REL, true
	case p.word("exec"):
		f.typ = elf.ET_EXEC
	case p.word("dyn"):
		f.typ = elf.ET_DYN
	case n.kind == 'w' && isNumber(n.text):
		v, err := p.count("the type of a file", 0xffff)
		if err != nil {
			return err
		}
		f.typ = elf.Type(v)
	default:
		return p.wrong("rel, exec, dyn or a number")
	}
	for p.peek().kind != 0 {
		if err := p.fileAttribute(f); err != nil {
			return err
		}
	}
	return nil
}

// fileAttribute reads NAME=VALUE, or exact.
func (p *parser) fileAttribute(f *elfFile) (err error) {
	t := p.take()
	if t.text == "exact" {
		f.exact = true
		return nil
	}
	if t.kind != 'w' || !p.accept('=') {
		return failure{t.pos, fmt.Sprintf("%q is not an attribute of a file", t.text)}
	}
	at := p.peek()
	switch t.text {
	case "order":
		if !p.word("big") && !p.word("little") {
			return p.wrong("big or little")
		}
		f.order = at.text
	case "osabi":
		f.osabi, err = p.count("the OS ABI", 0xff)
	case "flags":
		f.flags, err = p.count("the flags", 1<<32-1)
	case "phoff":
		f.phoff, err = p.count("an offset", p.opts.Limit)
	case "shoff":
		f.shoff, err = p.count("an offset", p.opts.Limit)
	default:
		err = failure{t.pos, fmt.Sprintf("%q is not an attribute of a file", t.text)}
	}
	return err
}

// patchFile puts bytes at an offset in the file.
func (p *parser) patchFile(t token) error {
	f, err := p.file(t)
	if err != nil {
		return err
	}
	w, err := p.write(t)
	if err == nil {
		f.patches = append(f.patches, w)
	}
	return err
}

func (p *parser) setFileSize(t token) error {
	f, err := p.file(t)
	if err == nil {
		f.size, err = p.count("the size", p.opts.Limit)
	}
	return err
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

// addSection begins a section, or changes the header of the SFrame section.
func (p *parser) addSection(t token) error {
	f, err := p.file(t)
	if err != nil {
		return err
	}
	if k := p.peek().kind; k != 'w' && k != '"' {
		return p.wrong("the name of a section")
	}
	s := &elfSection{at: p.peek().pos, Section: elfwrite.Section{Label: p.take().text}, name: -1}
	s.Type, s.Addralign = uint32(elf.SHT_PROGBITS), 1
	if s.Label == sframeName && !f.exact && f.holder("sframe") == 0 {
		s.Section.Section64, s.holds = sframeHeader(p.unit), "sframe"
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

// holder returns the index of the section that the assembler fills with something, 0 for none.
func (f *elfFile) holder(what string) uint32 {
	for i, s := range f.sections {
		if s.holds == what {
			return uint32(i + 1)
		}
	}
	return 0
}

func sframeHeader(u *unit) elf.Section64 {
	return elf.Section64{Type: uint32(elfwrite.SHTGNUSFrame), Flags: uint64(elf.SHF_ALLOC), Addr: uint64(u.addr), Addralign: 8}
}

// sectionAttribute reads NAME=VALUE, or a flag.
func (p *parser) sectionAttribute(s *elfSection) error {
	t := p.take()
	if flag, ok := SectionFlags[t.text]; ok && t.kind == 'w' {
		s.Flags |= uint64(flag)
		return nil
	}
	if t.kind != 'w' || !p.accept('=') {
		return failure{t.pos, fmt.Sprintf("%q is not an attribute of a section", t.text)}
	}
	if typ, ok := SectionTypes[p.peek().text]; ok && t.text == "type" {
		p.take()
		s.Type = uint32(typ)
		return nil
	}
	if t.text == "holds" {
		if s.holds = p.peek().text; !slices.Contains(Contents, s.holds) {
			return p.wrong("one of " + strings.Join(Contents, ", "))
		}
		if p.unit.elf.holder(s.holds) != 0 {
			return failure{t.pos, "another section holds the " + s.holds + " already"}
		}
		p.take()
		return nil
	}
	at := p.peek().pos
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
		s.Size, s.Raw = uint64(v), true
	case "link":
		s.Link = uint32(v)
	case "info":
		s.Info = uint32(v)
	case "entsize":
		s.Entsize = uint64(v)
	case "offset":
		s.Off, s.placed = uint64(v), true
	case "name":
		if s.name = v & (1<<32 - 1); v < 0 && err == nil {
			err = failure{at, "the offset of a name must not be negative"}
		}
	default:
		return failure{t.pos, fmt.Sprintf("%q is not an attribute of a section", t.text)}
	}
	return err
}

// code returns the section that bytes are added to.
func (p *parser) code(t token) (*elfSection, error) {
	if p.section == nil || p.section.holds != "" && p.section.holds != "names" {
		return nil, failure{t.pos, t.text + " needs a .section before it, other than one that the assembler fills"}
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

// sectionStrings adds strings, each with a zero byte at its end.
func (p *parser) sectionStrings(t token) error {
	s, err := p.code(t)
	for first := true; err == nil && (first || p.peek().kind != 0); first = false {
		text := p.take()
		if text.kind != '"' {
			return failure{text.pos, "expected a string in quotes, not " + strconv.Quote(text.text)}
		}
		s.Data = append(append(s.Data, text.text...), 0)
		err = p.spend(int64(len(text.text))+1, t.pos)
	}
	return err
}
