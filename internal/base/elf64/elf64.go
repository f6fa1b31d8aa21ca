// Package elf64 has the layouts of ELF64 structures (System V gABI, "Object Files"): the offset and size of each
// field that is reported, changed or damaged. It also writes ELF64 files, valid ones and ones with false headers. It
// does not read any.
package elf64

import (
	"debug/elf"
	"encoding/binary"
	"io"
)

// Sizes of the structures, in bytes.
const (
	EhdrSize = 64
	ShdrSize = 64
	PhdrSize = 56
	SymSize  = 24
	RelaSize = 24
	ChdrSize = 24
)

// Field is a range of bytes. The type has no name of its own, so a model.Span is assignable to it.
type Field = struct {
	Off, Len int64
}

// Fields of the structures, from the start of each.
var (
	Ehdr          = Field{Off: 0x00, Len: EhdrSize}
	EhdrType      = Field{Off: 0x10, Len: 2}
	EhdrMachine   = Field{Off: 0x12, Len: 2}
	EhdrPhoff     = Field{Off: 0x20, Len: 8}
	EhdrShoff     = Field{Off: 0x28, Len: 8}
	EhdrPhentsize = Field{Off: 0x36, Len: 2}
	EhdrPhnum     = Field{Off: 0x38, Len: 2}
	EhdrShentsize = Field{Off: 0x3a, Len: 2}
	EhdrShnum     = Field{Off: 0x3c, Len: 2}
	EhdrShstrndx  = Field{Off: 0x3e, Len: 2}

	ShdrName      = Field{Off: 0x00, Len: 4}
	ShdrType      = Field{Off: 0x04, Len: 4}
	ShdrFlags     = Field{Off: 0x08, Len: 8}
	ShdrAddr      = Field{Off: 0x10, Len: 8}
	ShdrOffset    = Field{Off: 0x18, Len: 8}
	ShdrSizeField = Field{Off: 0x20, Len: 8}
	ShdrPlace     = Field{Off: 0x18, Len: 16} // sh_offset and sh_size
	ShdrLink      = Field{Off: 0x28, Len: 4}
	ShdrInfo      = Field{Off: 0x2c, Len: 4}
	ShdrAddralign = Field{Off: 0x30, Len: 8}
	ShdrEntsize   = Field{Off: 0x38, Len: 8}

	PhdrType   = Field{Off: 0x00, Len: 4}
	PhdrOffset = Field{Off: 0x08, Len: 8}
	PhdrVaddr  = Field{Off: 0x10, Len: 8}
	PhdrFilesz = Field{Off: 0x20, Len: 8}
	PhdrMemsz  = Field{Off: 0x28, Len: 8}
	PhdrPlace  = Field{Off: 0x08, Len: 32} // p_offset to p_filesz

	RelaInfo   = Field{Off: 8, Len: 8}
	RelaAddend = Field{Off: 16, Len: 8}
)

// In returns the range of a field of the structure at an offset.
func In(at int64, field Field) Field {
	return Field{Off: at + field.Off, Len: field.Len}
}

// Types of the SFrame section and its segment, for which package elf has no names.
const (
	SHTGNUSFrame = 0x6ffffff4
	PTGNUSFrame  = 0x6474e554
)

// File is an ELF64 file. Without sections, it has no section headers.
type File struct {
	Type     elf.Type
	Machine  elf.Machine
	Order    binary.ByteOrder // nil: little-endian
	Entry    uint64
	Null     elf.Section64 // the header of the null section
	Sections []*Section    // after the null section
	Segments []Segment
	// Names is the section that contains the names of all sections. They follow its own data. If it is nil, .shstrtab
	// is added.
	Names *Section
	// Page is the modulus by which addresses and offsets of allocated sections agree; 0 means that they need not
	// agree.
	Page uint64
	// Patch may change the header after everything else has been placed. If it changes the offsets of the section or
	// program headers, these move.
	Patch func(*elf.Header64)
}

// Section is a section of the file. When the file is written, a name, offset or size of 0 in the header is filled in,
// and Data is written at the offset. A section whose header already has an offset is written at that offset, and the
// sections after it stay where they are.
type Section struct {
	elf.Section64
	Label string // the name; "" if there is none or the header has it
	Data  []byte // nil if the section has no bytes in the file or shares those of others
	Raw   bool   // keep the offset and size in the header, even if they are 0
}

// Segment is a program header.
type Segment struct {
	elf.Prog64
	Covers *Section // the section whose offset it gets; nil for none
	Data   []byte   // bytes outside of sections: written after the headers, and the offset and size are filled in
}

// NewSection returns a section without links.
func NewSection(label string, typ elf.SectionType, flags elf.SectionFlag, align uint64, data []byte) *Section {
	return &Section{Label: label, Data: data, Section64: elf.Section64{Type: uint32(typ), Flags: uint64(flags), Addralign: align}}
}

// Cover returns a segment that covers a section exactly.
func Cover(t elf.ProgType, flags elf.ProgFlag, s *Section) Segment {
	n := uint64(len(s.Data))
	return Segment{Covers: s, Prog64: elf.Prog64{Type: uint32(t), Flags: uint32(flags), Vaddr: s.Addr, Paddr: s.Addr,
		Filesz: n, Memsz: max(n, s.Size), Align: s.Addralign}}
}

// Load returns a segment that loads a section into memory.
func Load(s *Section, page uint64) Segment {
	p := Cover(elf.PT_LOAD, elf.PF_R, s)
	p.Align = page
	if s.Flags&uint64(elf.SHF_EXECINSTR) != 0 {
		p.Flags |= uint32(elf.PF_X)
	}
	if s.Flags&uint64(elf.SHF_WRITE) != 0 {
		p.Flags |= uint32(elf.PF_W)
	}
	return p
}

// Bytes returns the file.
func (f *File) Bytes() []byte {
	var b buffer
	if err := f.Write(&b); err != nil {
		panic(err) // a buffer has no errors
	}
	return b
}

// buffer is a file in memory.
type buffer []byte

func (b *buffer) WriteAt(p []byte, at int64) (int, error) {
	if n := int(at) + len(p) - len(*b); n > 0 {
		*b = append(*b, make([]byte, n)...)
	}
	return copy((*b)[at:], p), nil
}

// Write writes the file. Bytes that belong to no part of it become holes.
func (f *File) Write(w io.WriterAt) error {
	o := writer{w: w, order: f.Order}
	if o.order == nil {
		o.order = binary.LittleEndian
	}
	f.name()
	end := f.place()
	h := f.header(o.order, end)
	if f.Patch != nil {
		f.Patch(&h)
	}
	for i := range f.Segments {
		o.put(f.Segments[i].Off, f.Segments[i].Data)
	}
	for _, s := range f.Sections {
		o.put(s.Off, s.Data)
	}
	o.put(0, Encode(o.order, h))
	if len(f.Segments) > 0 {
		heads := make([]elf.Prog64, len(f.Segments))
		for i := range heads {
			heads[i] = f.Segments[i].Prog64
		}
		o.put(h.Phoff, Encode(o.order, heads))
	}
	if h.Shoff > 0 {
		o.put(h.Shoff, Encode(o.order, f.heads()))
	}
	return o.err
}

// heads returns the section headers.
func (f *File) heads() []elf.Section64 {
	heads := append(make([]elf.Section64, 0, len(f.Sections)+1), f.Null)
	for _, s := range f.Sections {
		heads = append(heads, s.Section64)
	}
	if n := len(heads); n >= int(elf.SHN_LORESERVE) {
		heads[0].Size, heads[0].Link = uint64(n), f.namesIndex()
	}
	return heads
}

// name sets the sections' names, and their table. A name that several have is in it once.
func (f *File) name() {
	if len(f.Sections) == 0 {
		return
	}
	if f.Names == nil {
		f.Names = NewSection(".shstrtab", elf.SHT_STRTAB, 0, 1, nil)
		f.Sections = append(f.Sections, f.Names)
	}
	tab := Strings{f.Names.Data}
	seen := map[string]uint32{}
	for _, s := range f.Sections {
		if s.Label == "" {
			continue
		}
		at, ok := seen[s.Label]
		if !ok {
			at = tab.Add(s.Label)
			seen[s.Label] = at
		}
		s.Name = at
	}
	f.Names.Data = tab.Bytes()
}

// place sets the offsets and sizes of all parts and returns the end of the last one.
func (f *File) place() uint64 {
	end := uint64(EhdrSize + PhdrSize*len(f.Segments))
	for i := range f.Segments {
		if p := &f.Segments[i]; p.Data != nil {
			p.Off, p.Filesz = end, uint64(len(p.Data))
			p.Memsz = max(p.Memsz, p.Filesz)
			end += p.Filesz
		}
	}
	for _, s := range f.Sections {
		if s.Raw {
			continue
		}
		if s.Size == 0 {
			s.Size = uint64(len(s.Data))
		}
		if s.Off != 0 {
			continue
		}
		end = alignUp(end, s.Addralign)
		if f.Page > 0 && s.Flags&uint64(elf.SHF_ALLOC) != 0 {
			end += (s.Addr - end) % f.Page
		}
		s.Off = end
		end += uint64(len(s.Data))
	}
	for i := range f.Segments {
		if p := &f.Segments[i]; p.Covers != nil {
			p.Off = p.Covers.Off
		}
	}
	return end
}

func alignUp(at, align uint64) uint64 {
	if align > 1 && at%align != 0 {
		at += align - at%align
	}
	return at
}

func (f *File) namesIndex() uint32 {
	for i, s := range f.Sections {
		if s == f.Names {
			return uint32(i + 1)
		}
	}
	return 0
}

// header returns the ELF header of a file whose parts end at an offset.
func (f *File) header(order binary.ByteOrder, end uint64) elf.Header64 {
	h := elf.Header64{Type: uint16(f.Type), Machine: uint16(f.Machine), Version: uint32(elf.EV_CURRENT), Entry: f.Entry, Ehsize: EhdrSize}
	copy(h.Ident[:], elf.ELFMAG)
	h.Ident[elf.EI_CLASS], h.Ident[elf.EI_DATA], h.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)
	if order == binary.ByteOrder(binary.BigEndian) {
		h.Ident[elf.EI_DATA] = byte(elf.ELFDATA2MSB)
	}
	if n := len(f.Segments); n > 0 {
		h.Phoff, h.Phentsize, h.Phnum = EhdrSize, PhdrSize, uint16(min(n, 0xffff))
	}
	n := len(f.Sections)
	if n == 0 {
		return h
	}
	h.Shoff, h.Shentsize = alignUp(end, 8), ShdrSize
	if h.Shnum, h.Shstrndx = uint16(n+1), uint16(f.namesIndex()); n+1 >= int(elf.SHN_LORESERVE) {
		h.Shnum, h.Shstrndx = 0, uint16(elf.SHN_XINDEX)
	}
	return h
}

// writer writes at any offset and keeps the first error.
type writer struct {
	w     io.WriterAt
	order binary.ByteOrder
	err   error
}

func (o *writer) put(at uint64, b []byte) {
	if o.err == nil && len(b) > 0 {
		_, o.err = o.w.WriteAt(b, int64(at))
	}
}

// Encode returns the encoding of fixed-size values in the given byte order.
func Encode(order binary.ByteOrder, values ...any) (b []byte) {
	for _, v := range values {
		var err error
		if b, err = binary.Append(b, order, v); err != nil {
			panic(err) // of no fixed size
		}
	}
	return b
}

// Strings is a string table under construction.
type Strings struct{ b []byte }

// Add appends a string and returns its offset; the offset of "" is 0.
func (t *Strings) Add(s string) uint32 {
	t.b = t.Bytes()
	if s == "" {
		return 0
	}
	at := len(t.b)
	t.b = append(append(t.b, s...), 0)
	return uint32(at)
}

// Bytes returns the table, which begins with an empty string.
func (t *Strings) Bytes() []byte {
	if len(t.b) == 0 {
		return []byte{0}
	}
	return t.b
}
