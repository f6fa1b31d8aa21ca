package rewrite

import (
	"debug/elf"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

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
	all, err := s.segments()
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
	load := elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R), Off: off, Vaddr: addr, Paddr: addr, Filesz: table + n, Memsz: table + n, Align: pageSize(s.e.Machine)}
	shows := elf.Prog64{Type: uint32(reader.PT_GNU_SFRAME), Flags: uint32(elf.PF_R), Off: off + table, Vaddr: addr + table, Paddr: addr + table, Filesz: n, Memsz: n, Align: 8}
	if shown >= 0 {
		all[shown] = shows
	} else {
		all = append(all, shows)
	}
	for i := range all {
		if p := &all[i]; elf.ProgType(p.Type) == elf.PT_PHDR {
			p.Off, p.Vaddr, p.Paddr, p.Filesz, p.Memsz = off, addr, addr, table, table
		}
	}
	all = slices.Insert(all, last+1, load)
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

// segments returns the program headers.
func (s *synth) segments() ([]elf.Prog64, error) {
	n := len(s.e.Segments)
	if n == 0 || n != int(s.head.Phnum) || n+2 >= math.MaxUint16 {
		return nil, fmt.Errorf("it has %d program headers, and can't get two more", n)
	}
	b, err := s.e.Data(model.Span{Off: s.e.Segments[0].Header.Off, Len: int64(n) * elf64.PhdrSize})
	if err != nil {
		return nil, err
	}
	all := make([]elf.Prog64, n, n+2)
	_, err = decodeAs(s.e, b, all)
	return all, err
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

// room returns where a new segment goes in the file and in memory: after all others. Its address and its
// offset differ by as much as those of the first segment: kernels before Linux 5.18 and QEMU take
// that for the distance of the program headers from their address, too. Only a file that would get
// too large a hole goes without.
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
