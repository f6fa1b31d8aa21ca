package rewrite

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

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
	return readable(reader.PT_GNU_SFRAME, sec.Offset+by, sec.Addr+by, uint64(len(c.Data)), max(sec.AddrAlign, 1))
}

// readable returns the program header of n bytes that can only be read.
func readable(typ elf.ProgType, off, addr, n, align uint64) elf.Prog64 {
	return elf.Prog64{Type: uint32(typ), Flags: uint32(elf.PF_R), Off: off, Vaddr: addr, Paddr: addr, Filesz: n, Memsz: n, Align: align}
}

// moveTable says in the program headers where their table is.
func moveTable(all []elf.Prog64, off, addr, size uint64) {
	for i := range all {
		if p := &all[i]; elf.ProgType(p.Type) == elf.PT_PHDR {
			p.Off, p.Vaddr, p.Paddr, p.Filesz, p.Memsz = off, addr, addr, size, size
		}
	}
}

func encode(e *reader.ELF, headers ...elf.Prog64) []byte { return elf64.Encode(e.Order, headers) }

// readHeaders reads headers at an offset in the byte order of the file.
func readHeaders(e *reader.ELF, off int64, v any) error {
	b, err := e.Data(model.Span{Off: off, Len: int64(binary.Size(v))})
	if err == nil {
		_, err = binary.Decode(b, e.Order, v)
	}
	return err
}

// noRoom is the failure to add to n program headers.
func noRoom(n int) error {
	return fmt.Errorf("it has %d program headers, and can't get two more", n)
}

// segments returns the program headers, if there can be some more.
func segments(e *reader.ELF, more int) ([]elf.Prog64, error) {
	n := len(e.Segments)
	if n == 0 || n+more >= math.MaxUint16 {
		return nil, noRoom(n)
	}
	all := make([]elf.Prog64, n, n+more)
	return all, readHeaders(e, e.Segments[0].Header.Off, all)
}

// headers returns the program headers. It reports whether one of them loads the section
// from where it is, and the table.
func headers(e *reader.ELF, sec *reader.Section) (all []elf.Prog64, loaded bool) {
	all, err := segments(e, 1)
	if err != nil {
		return nil, false
	}
	for _, p := range all {
		if elf.ProgType(p.Type) == elf.PT_LOAD && p.Vaddr <= sec.Addr && p.Vaddr+p.Filesz >= sec.Addr+sec.Size && p.Vaddr-p.Off == sec.Addr-sec.Offset {
			return all, true
		}
	}
	return all, false
}

// shift makes room for another program header. If only the interpreter's name and notes are before the section, and
// nothing else refers to these, they and the section move by the size of a header. Otherwise the table moves to bytes
// that the section no longer needs.
func (c *Change) shift(e *reader.ELF, sf *reader.SFrame, sec *reader.Section, build func(by uint64) (*Result, error)) error {
	all, loaded := headers(e, sec)
	if !loaded {
		return nil
	}
	from := e.Segments[len(e.Segments)-1].Header.End()
	if int64(len(c.Data))+elf64.PhdrSize > c.Before || !movable(e, from, sec) {
		c.moveAway(e, sf, sec, all)
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

// moveAway writes the program headers, with one more, after the section.
func (c *Change) moveAway(e *reader.ELF, sf *reader.SFrame, sec *reader.Section, all []elf.Prog64) {
	at := (sec.Addr + uint64(len(c.Data)) + 7) &^ 7
	off := sec.Offset + (at - sec.Addr)
	size := uint64(len(all)+1) * elf64.PhdrSize
	if at+size > sec.Addr+uint64(c.Before) || off%8 != 0 {
		return
	}
	moveTable(all, off, at, size)
	for i := range c.Edits {
		if x := &c.Edits[i]; x.Off == sf.Offset {
			copy(x.New[off-sec.Offset:], encode(e, append(all, c.header(sec, 0))...))
		}
	}
	c.put(e, model.Span{}, elf64.EhdrPhoff, off)
	c.put(e, model.Span{}, elf64.EhdrPhnum, uint64(len(all)+1))
	c.Segment, c.NoRoom = true, false
}

// maxGap bounds the hole in a file before a new segment, in bytes: it is as large as .bss, about.
const maxGap = 1 << 26

// pageSize returns the size of the largest page that programs of a machine run with, in bytes.
func pageSize(m elf.Machine) uint64 {
	if m == elf.EM_AARCH64 {
		return 1 << 16
	}
	return 1 << 12
}

// addToLinked adds the section to a linked file: in the place of the old one, or in a segment of its own
// after all others, together with the program headers, for which there is no room where they are.
func (s *synth) addToLinked() error {
	if done, err := s.inPlace(); done || err != nil {
		return err
	}
	all, err := segments(s.e, 2)
	if err == nil && len(all) != int(s.head.Phnum) {
		err = noRoom(len(all))
	}
	if err != nil {
		return err
	}
	last, shown := lastLoad(all), slices.IndexFunc(all, func(p elf.Prog64) bool { return p.Type == uint32(reader.PT_GNU_SFRAME) })
	count := len(all) + 1
	if shown < 0 {
		count++
	}
	off, addr, err := s.room(all)
	if err != nil {
		return err
	}
	table := uint64(count) * elf64.PhdrSize
	s.base = int64(off)
	if err := s.expect(addr + table); err != nil {
		return err
	}
	n := uint64(len(s.x.Data))
	shows := readable(reader.PT_GNU_SFRAME, off+table, addr+table, n, 8)
	if shown >= 0 {
		all[shown] = shows
	} else {
		all = append(all, shows)
	}
	moveTable(all, off, addr, table)
	all = slices.Insert(all, last+1, readable(elf.PT_LOAD, off, addr, table+n, pageSize(s.e.Machine)))
	s.add(elf64.Encode(s.e.Order, all), 1)
	s.add(s.x.Data, 1)
	s.head.Phoff, s.head.Phnum = off, uint16(count)
	s.c.Segment = true
	if len(s.sections) > 0 {
		_, h := s.section(s.index(), ".sframe")
		h.Type, h.Flags, h.Addr, h.Off, h.Size, h.Addralign = uint32(reader.SHT_GNU_SFRAME), uint64(elf.SHF_ALLOC), addr+table, off+table, n, 8
	}
	return s.finish()
}

// inPlace puts the section into the place of an old one that has a segment, and reports whether it fits.
func (s *synth) inPlace() (bool, error) {
	shown := s.e.SFrameSegments()
	if s.old == nil || s.old.Section == nil || len(shown) != 1 {
		return false, nil
	}
	p := &s.e.Segments[shown[0]]
	if at, ok := s.e.LoadedAt(p.Vaddr); !ok || at.Off != s.old.Offset || p.Offset != uint64(at.Off) || p.Vaddr != s.old.Section.Addr() || p.Filesz != uint64(len(s.old.Data)) {
		return false, nil
	}
	if err := s.expect(s.old.Section.Addr()); err != nil {
		return false, err
	}
	c, err := Put(s.o, s.old, s.x.Data)
	if err != nil {
		return false, nil // a segment of its own has room
	}
	c.Result = s.c.Result
	s.c = c
	return true, nil
}

// lastLoad returns the index of the last segment that is loaded, -1 if there is none.
func lastLoad(all []elf.Prog64) int {
	for i := len(all) - 1; i >= 0; i-- {
		if elf.ProgType(all[i].Type) == elf.PT_LOAD {
			return i
		}
	}
	return -1
}

// room returns the place of a new segment after all others. Its address minus its offset equals that of the first
// segment, which kernels before Linux 5.18 and QEMU expect of the program headers. room fails if this makes too large
// a hole.
func (s *synth) room(all []elf.Prog64) (off, addr uint64, err error) {
	page, end, low := pageSize(s.e.Machine), uint64(0), uint64(math.MaxUint64)
	base := uint64(0)
	for i := range all {
		p := &all[i]
		if elf.ProgType(p.Type) != elf.PT_LOAD {
			continue
		}
		if p.Vaddr+p.Memsz < p.Vaddr || low != math.MaxUint64 && p.Vaddr < end {
			return 0, 0, errors.New("its segments overlap or are not in the order of their addresses")
		}
		if low == math.MaxUint64 {
			low, base = p.Vaddr, p.Vaddr-p.Off
		}
		end = p.Vaddr + p.Memsz
	}
	if low == math.MaxUint64 {
		return 0, 0, errors.New("no segment is loaded")
	}
	if base%page != 0 {
		return 0, 0, fmt.Errorf("its first segment has offset and address that differ modulo %d", page)
	}
	up := func(x uint64) uint64 { return (x + page - 1) &^ (page - 1) }
	first := up(uint64(s.o.Size))
	if addr = max(up(end), first+base); addr < end || addr > math.MaxUint64-1<<32 {
		return 0, 0, fmt.Errorf("the segments end at 0x%x and the file at 0x%x: there is no place for another segment", end, s.o.Size)
	}
	if off = addr - base; off < first || off-first > maxGap {
		off = first
	}
	return off, addr, nil
}
