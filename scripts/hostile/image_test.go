//go:build linux

package hostile

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
)

// ptGNUSFrame is the type of the segment with the SFrame section.
const ptGNUSFrame = elf64.PTGNUSFrame

// shtGNUSFrame is the type of an SFrame section.
const shtGNUSFrame = elf64.SHTGNUSFrame

// section is a section of an ELF file that need not be what its header claims.
type section struct {
	name     string
	typ      elf.SectionType
	flags    elf.SectionFlag
	addr     uint64
	link     uint32
	info     uint32
	entsize  uint64
	align    uint64 // 0: 1
	data     []byte
	size     uint64 // that the header claims; 0: that of data
	at       uint64 // offset that the header claims; 0: where data is
	nameAt   uint32 // of the name in the table of names; 0: that of name
	existing bool   // data is not written: at and size are in other data
}

// image is an ELF64 file, little-endian.
type image struct {
	typ      elf.Type
	machine  elf.Machine
	secs     []section // after the null section
	segs     []elf.Prog64
	null     elf.Section64 // the null section's header
	names    []byte        // the table of section names; nil: made from the names
	namesLen uint64        // that its header claims; 0: that of names
	length   int64         // of the file, with a hole up to its end; 0: as needed
	patch    func(*elf.Header64)
}

// index returns the section header index of the next section.
func (m *image) index() uint32 { return uint32(len(m.secs)) + 1 }

// add adds a section and returns its index.
func (m *image) add(s section) uint32 {
	m.secs = append(m.secs, s)
	return uint32(len(m.secs))
}

// write writes the file. What no section has is a hole.
func (m *image) write(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = m.file().Write(f)
	if err == nil && m.length > 0 {
		err = f.Truncate(m.length)
	}
	return errors.Join(err, f.Close())
}

// file returns the image for the writer of ELF files.
func (m *image) file() *elf64.File {
	out := &elf64.File{Type: m.typ, Machine: m.machine, Null: m.null, Patch: func(h *elf.Header64) {
		h.Phentsize = elf64.PhdrSize
		if m.patch != nil {
			m.patch(h)
		}
	}}
	if m.machine == 0 {
		out.Machine = elf.EM_X86_64
	}
	for _, p := range m.segs {
		out.Segments = append(out.Segments, elf64.Segment{Prog64: p})
	}
	add := func(s *section) *elf64.Section {
		w := &elf64.Section{Section64: elf.Section64{
			Name: s.nameAt, Type: uint32(s.typ), Flags: uint64(s.flags), Addr: s.addr, Off: s.at, Size: s.size,
			Link: s.link, Info: s.info, Addralign: max(s.align, 1), Entsize: s.entsize,
		}}
		if m.names == nil && s.nameAt == 0 {
			w.Label = s.name
		}
		if !s.existing {
			w.Data = s.data
		}
		out.Sections = append(out.Sections, w)
		return w
	}
	for i := range m.secs {
		add(&m.secs[i])
	}
	out.Names = add(&section{name: ".shstrtab", typ: elf.SHT_STRTAB, data: m.names, size: m.namesLen})
	return out
}

// text adds code that returns at once.
func (m *image) text(size int) uint32 {
	addr := uint64(textAddr)
	if m.typ == elf.ET_REL {
		addr = 0
	}
	return m.add(section{name: ".text", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, addr: addr, data: bytes.Repeat([]byte{0xc3}, size)})
}

// sframe adds a section of SFrame data.
func (m *image) sframe(data []byte) uint32 {
	addr := uint64(sframeAddr)
	if m.typ == elf.ET_REL {
		addr = 0
	}
	return m.add(section{name: ".sframe", typ: shtGNUSFrame, flags: elf.SHF_ALLOC, addr: addr, data: data})
}

// hollow adds a section that is a hole of n bytes at the end of the file.
func (m *image) hollow(s section, n uint64) {
	s.at, s.size, s.existing = holeAt, n, true
	m.add(s)
	m.length = int64(n) + holeAt
}

// holeAt is the offset of the hole in a file.
const holeAt = 1 << 20

// functions adds n symbols of functions, each with a name at an offset.
func (m *image) functions(n int, name func(i int) uint32, names []byte) {
	syms := make([]elf.Sym64, n)
	for i := range syms {
		syms[i] = elf.Sym64{Name: name(i), Info: 2, Shndx: 1, Value: textAddr + uint64(i)*funcSize, Size: funcSize}
	}
	m.symbols(syms, names)
}

// symbols adds a table of symbols and one of names.
func (m *image) symbols(syms []elf.Sym64, names []byte) {
	data := elf64.Encode(binary.LittleEndian, elf.Sym64{}, syms)
	m.add(section{name: ".symtab", typ: elf.SHT_SYMTAB, link: m.index() + 1, entsize: 24, data: data})
	m.add(section{name: ".strtab", typ: elf.SHT_STRTAB, data: names})
}
