package breaks

import (
	"debug/elf"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// Fields of ELF64's structures.
var (
	ehPhoff, ehPhnum, ehPhentsize                  = elf64.EhdrPhoff, elf64.EhdrPhnum, elf64.EhdrPhentsize
	ehShoff, ehShnum, ehShentsize, ehShstrndx      = elf64.EhdrShoff, elf64.EhdrShnum, elf64.EhdrShentsize, elf64.EhdrShstrndx
	shName, shType, shFlags, shAddr, shOffset      = elf64.ShdrName, elf64.ShdrType, elf64.ShdrFlags, elf64.ShdrAddr, elf64.ShdrOffset
	shSize, shLink, shInfo, shAddralign, shEntsize = elf64.ShdrSizeField, elf64.ShdrLink, elf64.ShdrInfo, elf64.ShdrAddralign, elf64.ShdrEntsize
	pType, pOffset, pVaddr, pFilesz, pMemsz        = elf64.PhdrType, elf64.PhdrOffset, elf64.PhdrVaddr, elf64.PhdrFilesz, elf64.PhdrMemsz
	relInfo, relAddend                             = elf64.RelaInfo, elf64.RelaAddend
	in                                             = elf64.In
)

const (
	shdrSize, phdrSize, relaSize, symSize = elf64.ShdrSize, elf64.PhdrSize, elf64.RelaSize, elf64.SymSize

	shtGNUSFrame elf.SectionType = elf64.SHTGNUSFrame
	ptGNUSFrame  elf.ProgType    = elf64.PTGNUSFrame
)

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
	get := func(at int64, f model.Span) uint64 { return number.Of(b[at+f.Off:][:f.Len], big) }
	x := &elfIndex{names: int(get(0, ehShstrndx))}
	for i := range int64(get(0, ehPhnum)) {
		at := int64(get(0, ehPhoff)) + i*phdrSize
		x.segments = append(x.segments, elfSegment{at, elf.ProgType(get(at, pType)), get(at, pVaddr), get(at, pMemsz)})
	}
	for i := range int64(get(0, ehShnum)) {
		at := int64(get(0, ehShoff)) + i*shdrSize
		x.sections = append(x.sections, elfSection{
			at: at, typ: elf.SectionType(get(at, shType)), flags: elf.SectionFlag(get(at, shFlags)), addr: get(at, shAddr),
			off: get(at, shOffset), size: get(at, shSize), link: uint32(get(at, shLink)), info: uint32(get(at, shInfo)),
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
func (x spot) text() *elfSection {
	f := x.fn()
	if x.rel() {
		return &x.elf.sections[f.Place]
	}
	for k := range x.elf.sections {
		t := &x.elf.sections[k]
		if t.flags&elf.SHF_EXECINSTR != 0 && f.Start >= t.addr && f.Start-t.addr < t.size {
			return t
		}
	}
	return nil
}

// code returns where a function's code lies in the object; false if the
// file does not have it.
func (x spot) code() (int64, bool) {
	if !x.inELF() {
		return 0, false
	}
	t := x.text()
	if t == nil || t.typ != elf.SHT_PROGBITS {
		return 0, false
	}
	return int64(t.off + x.fn().Start - t.addr), true // addr is 0 in an object file
}
func (x spot) inCode() bool {
	_, ok := x.code()
	return ok
}
