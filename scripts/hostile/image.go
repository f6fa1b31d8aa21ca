//go:build linux

package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
)

// ptGNUSFrame is the type of the segment with the SFrame section.
const ptGNUSFrame = 0x6474e554

// shtGNUSFrame is the type of an SFrame section.
const shtGNUSFrame = 0x6ffffff4

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
	w := &imageWriter{f: f, at: 64 + 56*int64(len(m.segs))}
	heads := w.sections(m)
	h := m.header(w, len(heads))
	if m.patch != nil {
		m.patch(&h)
	}
	w.place(0, h)
	for i, p := range m.segs {
		w.place(64+56*int64(i), p)
	}
	if h.Shoff > 0 {
		w.place(int64(h.Shoff), heads)
	}
	if w.err == nil && m.length > 0 {
		w.err = f.Truncate(m.length)
	}
	if err := f.Close(); w.err == nil {
		w.err = err
	}
	return w.err
}

func (m *image) header(w *imageWriter, sections int) elf.Header64 {
	w.at = (w.at + 63) &^ 63
	h := elf.Header64{
		Type: uint16(m.typ), Machine: uint16(m.machine), Version: 1, Ehsize: 64,
		Phentsize: 56, Phnum: uint16(min(len(m.segs), 0xffff)),
		Shoff: uint64(w.at), Shentsize: 64, Shnum: uint16(sections), Shstrndx: uint16(sections - 1),
	}
	if h.Machine == 0 {
		h.Machine = uint16(elf.EM_X86_64)
	}
	if len(m.segs) > 0 {
		h.Phoff = 64
	}
	if sections >= int(elf.SHN_LORESERVE) {
		h.Shnum, h.Shstrndx = 0, uint16(elf.SHN_XINDEX)
	}
	copy(h.Ident[:], elf.ELFMAG+"\x02\x01\x01")
	return h
}

// imageWriter writes at any offset and keeps the first error.
type imageWriter struct {
	f   *os.File
	at  int64 // of the next data
	err error
}

// place writes a value at an offset.
func (w *imageWriter) place(at int64, v any) {
	var b bytes.Buffer
	if data, ok := v.([]byte); ok {
		b.Write(data)
	} else if err := binary.Write(&b, binary.LittleEndian, v); err != nil && w.err == nil {
		w.err = err
	}
	if w.err == nil {
		_, w.err = w.f.WriteAt(b.Bytes(), at)
	}
}

// sections writes the data of sections and returns the headers.
func (w *imageWriter) sections(m *image) []elf.Section64 {
	names := m.names
	if names == nil {
		names = []byte{0}
	}
	heads := []elf.Section64{m.null}
	for i := range m.secs {
		s := &m.secs[i]
		w.at = (w.at + 15) &^ 15
		h := elf.Section64{
			Name: s.nameAt, Type: uint32(s.typ), Flags: uint64(s.flags), Addr: s.addr, Off: uint64(w.at), Size: uint64(len(s.data)),
			Link: s.link, Info: s.info, Addralign: max(s.align, 1), Entsize: s.entsize,
		}
		if s.nameAt == 0 && m.names == nil {
			h.Name = uint32(len(names))
			names = append(append(names, s.name...), 0)
		}
		if s.at != 0 {
			h.Off = s.at
		}
		if s.size != 0 {
			h.Size = s.size
		}
		if !s.existing {
			w.place(int64(h.Off), s.data)
			if s.at == 0 {
				w.at += int64(len(s.data))
			}
		}
		heads = append(heads, h)
	}
	table := elf.Section64{Name: uint32(len(names)), Type: uint32(elf.SHT_STRTAB), Off: uint64(w.at), Size: uint64(len(names))}
	if m.names == nil {
		names = append(names, ".shstrtab\x00"...)
		table.Size = uint64(len(names))
	}
	if m.namesLen != 0 {
		table.Size = m.namesLen
	}
	w.place(w.at, names)
	w.at += int64(len(names))
	heads = append(heads, table)
	if len(heads) >= int(elf.SHN_LORESERVE) {
		heads[0].Size, heads[0].Link = uint64(len(heads)), uint32(len(heads)-1)
	}
	return heads
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

// symbols adds a table of symbols and one of names.
func (m *image) symbols(syms []elf.Sym64, names []byte) {
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, elf.Sym64{}) // a Buffer has no errors
	_ = binary.Write(&b, binary.LittleEndian, syms)
	m.add(section{name: ".symtab", typ: elf.SHT_SYMTAB, link: m.index() + 1, entsize: 24, data: b.Bytes()})
	m.add(section{name: ".strtab", typ: elf.SHT_STRTAB, data: names})
}
