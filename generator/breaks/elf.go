package breaks

import (
	"debug/elf"
	"encoding/binary"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// Offsets and widths of fields of ELF64's structures (System V gABI, "Object
// Files").
var (
	ehPhoff     = model.Span{Off: 0x20, Len: 8}
	ehShoff     = model.Span{Off: 0x28, Len: 8}
	ehPhentsize = model.Span{Off: 0x36, Len: 2}
	ehPhnum     = model.Span{Off: 0x38, Len: 2}
	ehShentsize = model.Span{Off: 0x3a, Len: 2}
	ehShnum     = model.Span{Off: 0x3c, Len: 2}
	ehShstrndx  = model.Span{Off: 0x3e, Len: 2}

	shName      = model.Span{Off: 0x00, Len: 4}
	shType      = model.Span{Off: 0x04, Len: 4}
	shFlags     = model.Span{Off: 0x08, Len: 8}
	shAddr      = model.Span{Off: 0x10, Len: 8}
	shOffset    = model.Span{Off: 0x18, Len: 8}
	shSize      = model.Span{Off: 0x20, Len: 8}
	shLink      = model.Span{Off: 0x28, Len: 4}
	shAddralign = model.Span{Off: 0x30, Len: 8}
	shEntsize   = model.Span{Off: 0x38, Len: 8}

	pType   = model.Span{Off: 0x00, Len: 4}
	pOffset = model.Span{Off: 0x08, Len: 8}
	pVaddr  = model.Span{Off: 0x10, Len: 8}
	pFilesz = model.Span{Off: 0x20, Len: 8}
	pMemsz  = model.Span{Off: 0x28, Len: 8}

	relInfo   = model.Span{Off: 8, Len: 8}
	relAddend = model.Span{Off: 16, Len: 8}
)

const (
	shdrSize = 64
	phdrSize = 56
	relaSize = 24
	symSize  = 24

	shtGNUSFrame elf.SectionType = 0x6ffffff4
	ptGNUSFrame  elf.ProgType    = 0x6474e554
)

// in returns the bytes of a structure's field, by where the structure begins.
func in(at int64, field model.Span) model.Span {
	return model.Span{Off: at + field.Off, Len: field.Len}
}

// elfIndex has the offsets of the headers of a file that the generator has
// written.
type elfIndex struct {
	sections []elfSection
	segments []elfSegment
	names    int // index of the section of section names
}

type elfSection struct {
	at         int64 // of the header
	name       string
	typ        elf.SectionType
	flags      elf.SectionFlag
	addr, off  uint64
	size       uint64
	link, info uint32
}

type elfSegment struct {
	at           int64
	typ          elf.ProgType
	vaddr, memsz uint64
}

func newELFIndex(b []byte, big bool) *elfIndex {
	var o binary.ByteOrder = binary.LittleEndian
	if big {
		o = binary.BigEndian
	}
	get := func(at int64, f model.Span) uint64 { return number(o, b[at+f.Off:][:f.Len]) }
	x := &elfIndex{names: int(get(0, ehShstrndx))}
	for i := range int64(get(0, ehPhnum)) {
		at := int64(get(0, ehPhoff)) + i*phdrSize
		x.segments = append(x.segments, elfSegment{at, elf.ProgType(get(at, pType)), get(at, pVaddr), get(at, pMemsz)})
	}
	for i := range int64(get(0, ehShnum)) {
		at := int64(get(0, ehShoff)) + i*shdrSize
		x.sections = append(x.sections, elfSection{
			at: at, typ: elf.SectionType(get(at, shType)), flags: elf.SectionFlag(get(at, shFlags)), addr: get(at, shAddr),
			off: get(at, shOffset), size: get(at, shSize), link: uint32(get(at, shLink)), info: uint32(get(at, model.Span{Off: 0x2c, Len: 4})),
		})
	}
	for i := range x.sections {
		name := string(b[x.sections[x.names].off+get(x.sections[i].at, shName):])
		x.sections[i].name, _, _ = strings.Cut(name, "\x00")
	}
	return x
}

// named returns the section of a name, nil if there is none.
func (x *elfIndex) named(name string) *elfSection {
	for i := range x.sections {
		if x.sections[i].name == name {
			return &x.sections[i]
		}
	}
	return nil
}

// sframe, relocs and symtab return the sections that every file here has.
func (x *elfIndex) sframe() *elfSection { return x.named(".sframe") }
func (x *elfIndex) relocs() *elfSection { return x.named(".rela.sframe") }
func (x *elfIndex) symtab() *elfSection { return x.named(".symtab") }

// segment returns the first segment of a type that satisfies ok.
func (x *elfIndex) segment(t elf.ProgType, ok func(elfSegment) bool) *elfSegment {
	for i := range x.segments {
		if x.segments[i].typ == t && (ok == nil || ok(x.segments[i])) {
			return &x.segments[i]
		}
	}
	return nil
}

// loadOf returns the segment that brings the section into memory.
func (x *elfIndex) loadOf(sec *elfSection) *elfSegment {
	return x.segment(elf.PT_LOAD, func(p elfSegment) bool { return p.vaddr <= sec.addr && sec.addr < p.vaddr+p.memsz })
}

// text returns the section that a function's code is in.
func (s *Subject) text(i int) *elfSection {
	f := s.fn(i)
	if s.rel() {
		return &s.elf.sections[f.Place]
	}
	for k := range s.elf.sections {
		t := &s.elf.sections[k]
		if t.flags&elf.SHF_EXECINSTR != 0 && f.Start >= t.addr && f.Start-t.addr < t.size {
			return t
		}
	}
	return nil
}

// code returns where a function's code lies in the object; false if the
// file does not have it.
func (s *Subject) code(i int) (int64, bool) {
	if !s.inELF() {
		return 0, false
	}
	t := s.text(i)
	if t == nil || t.typ != elf.SHT_PROGBITS {
		return 0, false
	}
	return int64(t.off + s.fn(i).Start - t.addr), true // addr is 0 in an object file
}
