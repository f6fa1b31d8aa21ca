package generator

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// SHT_GNU_SFRAME and PT_GNU_SFRAME mark the section and its segment; the
// standard library has no names for them.
const (
	shtGNUSFrame elf.SectionType = 0x6ffffff4
	ptGNUSFrame  elf.ProgType    = 0x6474e554
)

// pageSize is the modulus in which addresses and file offsets of loaded sections
// agree.
const pageSize = 0x1000

// elfFile is an ELF64 file under construction: sections in the order of
// their headers, without the null section.
type elfFile struct {
	typ   elf.Type
	abi   model.ABIInfo
	order binary.ByteOrder
	entry uint64
	secs  []*elfSection
	segs  []segment // those that no section implies
	out   bytes.Buffer
}

// segment is a program header. If it covers a section, it gets the section's
// address, offset and size.
type segment struct {
	elf.Prog64
	covers *elfSection
}

type elfSection struct {
	elf.Section64
	name string
	data []byte // nil for SHT_NOBITS
}

// add appends a section and returns its index.
func (f *elfFile) add(s *elfSection) uint32 {
	if s.data != nil {
		s.Size = uint64(len(s.data))
	}
	f.secs = append(f.secs, s)
	return uint32(len(f.secs))
}

// index returns a section's index, 0 if it is not in the file.
func (f *elfFile) index(s *elfSection) uint32 { return uint32(slices.Index(f.secs, s) + 1) }

// byAddress orders the sections that are in memory.
func (f *elfFile) byAddress() {
	slices.SortStableFunc(f.secs, func(a, b *elfSection) int {
		switch {
		case a.Addr < b.Addr:
			return -1
		case a.Addr > b.Addr:
			return 1
		}
		return 0
	})
}

// disjoint returns an error if two sections in memory overlap. They must be in
// the order of their addresses.
func (f *elfFile) disjoint() error {
	for i := 1; i < len(f.secs); i++ {
		a, b := f.secs[i-1], f.secs[i]
		if b.Addr-a.Addr < a.Size || a.Addr+a.Size < a.Addr {
			return fmt.Errorf("%s at 0x%x and %s at 0x%x overlap", a.name, a.Addr, b.name, b.Addr)
		}
	}
	return nil
}

// bytes returns the file: headers, sections, section headers.
func (f *elfFile) bytes() []byte {
	names := f.sectionNames()
	linked := f.typ != elf.ET_REL
	phnum := 0
	if linked {
		phnum = len(f.segs)
		for _, s := range f.secs {
			phnum += len(f.segments(s))
		}
	}
	end := uint64(binary.Size(elf.Header64{}) + phnum*binary.Size(elf.Prog64{}))
	for _, s := range f.secs {
		end = s.place(end, linked)
	}
	shoff := (end + 7) / 8 * 8
	f.put(elf.Header64{
		Ident: f.ident(), Type: uint16(f.typ), Machine: uint16(f.abi.Machine), Version: 1, Entry: f.entry,
		Phoff: phoff(phnum), Shoff: shoff, Ehsize: 64, Phentsize: phentsize(phnum), Phnum: uint16(phnum),
		Shentsize: 64, Shnum: uint16(len(f.secs) + 1), Shstrndx: uint16(names),
	})
	if linked {
		for _, s := range f.secs {
			f.put(f.segments(s))
		}
		for _, p := range f.segs {
			if p.covers != nil {
				p.Off = p.covers.Off
			}
			f.put(p.Prog64)
		}
	}
	for _, s := range f.secs {
		if s.data != nil {
			f.pad(s.Off)
			f.out.Write(s.data)
		}
	}
	f.pad(shoff)
	f.put(elf.Section64{})
	for _, s := range f.secs {
		f.put(s.Section64)
	}
	return f.out.Bytes()
}

func phoff(n int) uint64 {
	if n == 0 {
		return 0
	}
	return 64
}

func phentsize(n int) uint16 {
	if n == 0 {
		return 0
	}
	return 56
}

// place gives the section an offset of at least at, which agrees with its
// address modulo the page size, and returns its end.
func (s *elfSection) place(at uint64, linked bool) uint64 {
	if a := max(s.Addralign, 1); at%a != 0 {
		at += a - at%a
	}
	if linked && s.Flags&uint64(elf.SHF_ALLOC) != 0 {
		at += (s.Addr - at) % pageSize
	}
	s.Off = at
	if s.data == nil {
		return at
	}
	return at + s.Size
}

// segments returns the program headers of a section.
func (f *elfFile) segments(s *elfSection) (all []elf.Prog64) {
	if s.Flags&uint64(elf.SHF_ALLOC) == 0 || s.Size == 0 {
		return nil
	}
	p := elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R), Off: s.Off, Vaddr: s.Addr, Paddr: s.Addr,
		Filesz: uint64(len(s.data)), Memsz: s.Size, Align: pageSize}
	if s.Flags&uint64(elf.SHF_EXECINSTR) != 0 {
		p.Flags |= uint32(elf.PF_X)
	}
	if s.Flags&uint64(elf.SHF_WRITE) != 0 {
		p.Flags |= uint32(elf.PF_W)
	}
	return []elf.Prog64{p}
}

// also adds a segment that covers a section exactly.
func (f *elfFile) also(t elf.ProgType, flags elf.ProgFlag, s *elfSection) {
	f.segs = append(f.segs, segment{elf.Prog64{Type: uint32(t), Flags: uint32(flags), Vaddr: s.Addr, Paddr: s.Addr,
		Filesz: uint64(len(s.data)), Memsz: s.Size, Align: s.Addralign}, s})
}

// sectionNames adds .shstrtab and names all sections.
func (f *elfFile) sectionNames() uint32 {
	tab := strtab{}
	s := &elfSection{name: ".shstrtab", Section64: elf.Section64{Type: uint32(elf.SHT_STRTAB), Addralign: 1}}
	f.secs = append(f.secs, s)
	for _, s := range f.secs {
		s.Name = tab.add(s.name)
	}
	s.data = tab.bytes()
	s.Size = uint64(len(s.data))
	return uint32(len(f.secs))
}

func (f *elfFile) ident() (id [elf.EI_NIDENT]byte) {
	copy(id[:], elf.ELFMAG)
	id[elf.EI_CLASS], id[elf.EI_DATA], id[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)
	if f.order == binary.BigEndian {
		id[elf.EI_DATA] = byte(elf.ELFDATA2MSB)
	}
	return id
}

// put writes values of fixed size, which cannot fail in memory.
func (f *elfFile) put(v any) {
	if err := binary.Write(&f.out, f.order, v); err != nil {
		panic(err)
	}
}

func (f *elfFile) pad(to uint64) {
	f.out.Write(make([]byte, to-uint64(f.out.Len())))
}

// encode returns values of fixed size in the file's byte order.
func (f *elfFile) encode(values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		if err := binary.Write(&b, f.order, v); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

// strtab is a string table under construction.
type strtab struct{ b []byte }

func (t *strtab) add(s string) uint32 {
	if len(t.b) == 0 {
		t.b = []byte{0}
	}
	if s == "" {
		return 0
	}
	at := len(t.b)
	t.b = append(append(t.b, s...), 0)
	return uint32(at)
}

func (t *strtab) bytes() []byte {
	if len(t.b) == 0 {
		return []byte{0}
	}
	return t.b
}
