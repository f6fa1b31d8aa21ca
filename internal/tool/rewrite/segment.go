package rewrite

import (
	"debug/elf"
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// segment makes PT_GNU_SFRAME cover the section. A file without one gets one if it has a
// header of type PT_NULL.
func (c *Change) segment(e *reader.ELF, sec *reader.Section) {
	c.cover(e, sec.Offset)
	if len(e.SFrameSegments()) > 0 || sec.Flags&elf.SHF_ALLOC == 0 || len(e.Segments) == 0 {
		return
	}
	for _, p := range e.Segments {
		if p.Type == elf.PT_NULL {
			c.edit(p.Header.Off, encode(e, c.header(sec, 0)))
			c.Segment = true
			return
		}
	}
	c.NoRoom = true
}

// cover makes the segments PT_GNU_SFRAME that begin with the section as large as it is.
func (c *Change) cover(e *reader.ELF, off uint64) {
	for _, i := range e.SFrameSegments() {
		if p := e.Segments[i]; p.Offset == off {
			c.put(e, p.Header, elf64.PhdrFilesz, uint64(len(c.Data)))
			c.put(e, p.Header, elf64.PhdrMemsz, uint64(len(c.Data)))
		}
	}
}

// header returns the program header of the section, which moves by some bytes.
func (c *Change) header(sec *reader.Section, by uint64) elf.Prog64 {
	n := uint64(len(c.Data))
	return elf.Prog64{Type: uint32(reader.PT_GNU_SFRAME), Flags: uint32(elf.PF_R), Off: sec.Offset + by,
		Vaddr: sec.Addr + by, Paddr: sec.Addr + by, Filesz: n, Memsz: n, Align: max(sec.AddrAlign, 1)}
}

func encode(e *reader.ELF, headers ...elf.Prog64) []byte { return elf64.Encode(e.Order, headers) }

// decodeAs reads headers in the byte order of the file.
func decodeAs(e *reader.ELF, b []byte, v any) (int, error) { return binary.Decode(b, e.Order, v) }

// headers returns the program headers. It reports whether one of them loads the section
// from where it is, and the table.
func headers(e *reader.ELF, sec *reader.Section) (all []elf.Prog64, loaded bool) {
	size := len(e.Segments) * elf64.PhdrSize
	table, err := e.Data(model.Span{Off: e.Segments[0].Header.Off, Len: int64(size)})
	if err != nil || len(table) != size || len(e.Segments)+1 >= 0xffff {
		return nil, false
	}
	all = make([]elf.Prog64, len(e.Segments), len(e.Segments)+1)
	if _, err := binary.Decode(table, e.Order, all); err != nil {
		return nil, false
	}
	for _, p := range all {
		if elf.ProgType(p.Type) == elf.PT_LOAD && p.Vaddr <= sec.Addr && p.Vaddr+p.Filesz >= sec.Addr+sec.Size && p.Vaddr-p.Off == sec.Addr-sec.Offset {
			return all, true
		}
	}
	return all, false
}

// shift makes room for another program header, in one of two ways. Where only the name of
// the interpreter and notes precede the section, which nothing else refers to, they and
// the section move by the size of a header. Otherwise the whole table moves to the bytes
// that the section no longer needs.
func (c *Change) shift(e *reader.ELF, sf *reader.SFrame, sec *reader.Section, build func(by uint64) (*Result, error)) error {
	all, loaded := headers(e, sec)
	if !loaded {
		return nil
	}
	from := e.Segments[len(e.Segments)-1].Header.End()
	if int64(len(c.Data))+elf64.PhdrSize > c.Before || !movable(e, from, sec) {
		c.moveTable(e, sf, sec, all)
		return nil
	}
	const by = elf64.PhdrSize
	r, err := build(by)
	if err != nil {
		return err
	}
	before, err := e.Data(model.Span{Off: from, Len: sf.Offset - from})
	if err != nil {
		return err
	}
	c.Result, c.Edits = r, nil
	for i := range all {
		p := &all[i]
		switch in := p.Off >= uint64(from) && p.Off < sec.Offset; {
		case elf.ProgType(p.Type) == elf.PT_PHDR:
			p.Filesz, p.Memsz = p.Filesz+by, p.Memsz+by
		case in && elf.ProgType(p.Type) != elf.PT_GNU_STACK && p.Filesz > 0:
			p.Off, p.Vaddr, p.Paddr = p.Off+by, p.Vaddr+by, p.Paddr+by
		}
	}
	b := encode(e, append(all, c.header(sec, by))...)
	b = append(append(b, before...), c.Data...)
	c.edit(e.Segments[0].Header.Off, pad(b, sf.Offset+c.Before-e.Segments[0].Header.Off))
	c.put(e, model.Span{}, elf64.EhdrPhnum, uint64(len(all)+1))
	for i := range e.Sections {
		if s := &e.Sections[i]; s.Type != elf.SHT_NULL && s.Offset >= uint64(from) && s.Offset <= sec.Offset && s.Flags&elf.SHF_ALLOC != 0 && s.Size > 0 {
			c.put(e, s.Header, elf64.ShdrAddr, s.Addr+by)
			c.put(e, s.Header, elf64.ShdrOffset, s.Offset+by)
		}
	}
	c.put(e, sec.Header, elf64.ShdrSizeField, uint64(len(c.Data)))
	c.setType(e, sec)
	c.Segment, c.NoRoom = true, false
	return nil
}

// movable reports whether only notes and the name of the interpreter are between the
// program headers and the section.
func movable(e *reader.ELF, from int64, sec *reader.Section) bool {
	if uint64(from) > sec.Offset {
		return false
	}
	covered := uint64(from)
	for i := range e.Sections {
		s := &e.Sections[i]
		if s.Type == elf.SHT_NULL || s.Type == elf.SHT_NOBITS || s.Size == 0 || s.Offset+s.Size <= uint64(from) || s.Offset > sec.Offset {
			continue
		}
		if s.Offset < uint64(from) || s.AddrAlign > 8 || s.Addr-s.Offset != sec.Addr-sec.Offset ||
			s.Type != elf.SHT_NOTE && s.Name != ".interp" && s != sec {
			return false
		}
		covered = max(covered, s.Offset+s.Size)
	}
	return covered >= sec.Offset+sec.Size
}

// moveTable writes the program headers, with one more, after the section.
func (c *Change) moveTable(e *reader.ELF, sf *reader.SFrame, sec *reader.Section, all []elf.Prog64) {
	at := (sec.Addr + uint64(len(c.Data)) + 7) &^ 7
	off := sec.Offset + (at - sec.Addr)
	size := uint64(len(all)+1) * elf64.PhdrSize
	if at+size > sec.Addr+uint64(c.Before) || off%8 != 0 {
		return
	}
	for i := range all {
		if p := &all[i]; elf.ProgType(p.Type) == elf.PT_PHDR {
			p.Off, p.Vaddr, p.Paddr, p.Filesz, p.Memsz = off, at, at, size, size
		}
	}
	for i := range c.Edits {
		if x := &c.Edits[i]; x.Off == sf.Offset {
			copy(x.New[off-sec.Offset:], encode(e, append(all, c.header(sec, 0))...))
		}
	}
	c.put(e, model.Span{}, elf64.EhdrPhoff, off)
	c.put(e, model.Span{}, elf64.EhdrPhnum, uint64(len(all)+1))
	c.Segment, c.NoRoom = true, false
}
