package reader

import (
	"cmp"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/model"
)

// BigEndian reports whether the file is big-endian.
func (e *ELF) BigEndian() bool { return e.Order == binary.BigEndian }

// ABI returns the facts of the SFrame ABI of the file's machine and byte order. If the format has no such ABI, it
// returns a value whose Known method reports false.
func (e *ELF) ABI() model.ABIInfo { return model.LookupMachine(e.Machine, e.BigEndian()) }

// Relocatable reports whether the file is ET_REL: sections have no addresses yet, and values of symbols are offsets
// in their sections.
func (e *ELF) Relocatable() bool { return e.Type == elf.ET_REL }

// Stripped reports whether the file has section headers of code but not the bytes, as objcopy --only-keep-debug
// writes it.
func (e *ELF) Stripped() bool {
	left := false
	for i := range e.Sections {
		if s := &e.Sections[i]; s.Flags&elf.SHF_EXECINSTR != 0 && s.Size > 0 {
			if s.Type != elf.SHT_NOBITS {
				return false
			}
			left = true
		}
	}
	return left
}

// FrameSections returns the indices of the sections that are named like call frame information, and of .text and
// .got, from which pointers in .eh_frame may count.
func (e *ELF) FrameSections() []int { return e.parts().frames }

// CodeSections returns the indices of the sections whose machine code is in the file.
func (e *ELF) CodeSections() []int { return e.parts().code }

// SymbolTables returns the indices of the symbol tables.
func (e *ELF) SymbolTables() []int { return e.parts().symbols }

// RelaTables returns the indices of the SHT_RELA sections, sorted by the sections that they apply to.
func (e *ELF) RelaTables() []int { return e.parts().relas }

// BoltSections returns the indices of the sections that BOLT adds: its note and the original code.
func (e *ELF) BoltSections() []int { return e.parts().bolt }

// FrameSegment returns the first PT_GNU_EH_FRAME segment. Unwinders ignore others.
func (e *ELF) FrameSegment() (*Segment, bool) {
	i := e.parts().frameSegment
	if i < 0 {
		return nil, false
	}
	return &e.Segments[i], true
}

// SFrameSegments returns the indices of the PT_GNU_SFRAME segments. Callers must not modify the slice.
func (e *ELF) SFrameSegments() []int { return e.parts().sframeSegments }

// parts are the indices of parts of a file. They are found once: a file may have many SFrame sections, and
// these are asked for each.
type parts struct {
	once                               sync.Once
	frames, code, symbols, relas, bolt []int
	sframeSegments                     []int
	frameSegment                       int // -1 for none
}

func (e *ELF) parts() *parts {
	p := &e.found
	p.once.Do(func() {
		for i := range e.Sections {
			p.section(&e.Sections[i], i)
		}
		slices.SortStableFunc(p.relas, func(i, j int) int { return cmp.Compare(e.Sections[i].Info, e.Sections[j].Info) })
		p.frameSegment = -1
		for i := range e.Segments {
			switch t := e.Segments[i].Type; {
			case t == PT_GNU_SFRAME:
				p.sframeSegments = append(p.sframeSegments, i)
			case t == elf.PT_GNU_EH_FRAME && p.frameSegment < 0:
				p.frameSegment = i
			}
		}
	})
	return p
}

func (p *parts) section(s *Section, i int) {
	switch s.Type {
	case elf.SHT_SYMTAB, elf.SHT_DYNSYM:
		p.symbols = append(p.symbols, i)
	case elf.SHT_RELA:
		p.relas = append(p.relas, i)
	}
	if s.Type != elf.SHT_NOBITS && s.Flags&elf.SHF_EXECINSTR != 0 { // of any other type: it counts where code is limited
		p.code = append(p.code, i)
	}
	switch s.Name {
	case ".eh_frame", ".eh_frame_hdr", ".debug_frame", ".zdebug_frame", ".text", ".got":
		p.frames = append(p.frames, i)
	case ".note.bolt_info":
		p.bolt = append(p.bolt, i)
	default:
		if strings.HasPrefix(s.Name, ".bolt.org.") {
			p.bolt = append(p.bolt, i)
		}
	}
}

// SectionOf returns the header of the section that f was read from. It reports false if the file has no section
// headers.
func (e *ELF) SectionOf(f *SFrame) (*Section, bool) {
	if f.Index <= 0 || f.Index >= len(e.Sections) {
		return nil, false
	}
	return &e.Sections[f.Index], true
}

// occupies returns the addresses of a linked file's section in memory.
// Thread-local sections without bytes have an address but take no memory.
func (s *Section) occupies() (AddrRange, bool) {
	tbss := s.Type == elf.SHT_NOBITS && s.Flags&elf.SHF_TLS != 0
	if s.Flags&elf.SHF_ALLOC == 0 || s.Size == 0 || tbss {
		return AddrRange{}, false
	}
	return addrRange(s.Addr, s.Size), true
}

// SectionAt returns the index of the section of a linked file that contains an address. If sections overlap, it
// returns the one that starts last.
func (e *ELF) SectionAt(addr uint64) (int, bool) {
	if e.Relocatable() {
		return 0, false
	}
	e.atOnce.Do(func() {
		for i := range e.Sections {
			if r, ok := e.Sections[i].occupies(); ok {
				e.at.add(r.First, r.Last, int32(i))
			}
		}
		e.at.sort()
	})
	id, ok := e.at.covering(addr)
	return int(id), ok
}

// Within returns the section that contains the code at an address, and the offset of the address in it. Place and
// address are as in [model.FDE.Start].
func (e *ELF) Within(place int, addr uint64) (section int, off uint64, ok bool) {
	if e.Relocatable() {
		return place, addr, place > 0 && place < len(e.Sections)
	}
	if section, ok = e.SectionAt(addr); ok {
		off = addr - e.Sections[section].Addr
	}
	return section, off, ok
}

// Part reads up to n bytes at an address into buf, as [ELF.SectionPart] does. It stops at the end of the section or,
// without section headers, of the segment. Place and address are as in [model.FDE.Start].
func (e *ELF) Part(place int, addr, n uint64, buf []byte) ([]byte, error) {
	if i, off, ok := e.Within(place, addr); ok {
		return e.SectionPart(i, off, n, buf)
	}
	sp, ok := e.LoadedAt(addr)
	if !ok || len(e.Sections) > 0 || e.Relocatable() {
		return nil, nil
	}
	return e.src.part(sp, n, buf)
}

// SectionPart reads up to n bytes of a section, from offset off, into buf, which grows if needed. Call it only while
// the object is visited. Errors: I/O, and a section whose bytes are not in the file.
func (e *ELF) SectionPart(i int, off, n uint64, buf []byte) ([]byte, error) {
	sp, err := e.plain(i)
	if err != nil {
		return nil, err
	}
	if i == 0 || off > uint64(sp.Len) {
		return nil, fmt.Errorf("section %d: not in the file", i)
	}
	return e.src.part(model.Span{Off: sp.Off + int64(off), Len: sp.Len - int64(off)}, n, buf)
}

// plain returns where the bytes of a section are that is in the file as it is.
func (e *ELF) plain(i int) (model.Span, error) {
	if i < 0 || i >= len(e.Sections) || e.src.r == nil {
		return model.Span{}, fmt.Errorf("section %d: not in the file", i)
	}
	s := &e.Sections[i]
	sp, whole := e.src.clip(s.Offset, s.Size)
	if !whole || s.Type == elf.SHT_NOBITS || s.Flags&elf.SHF_COMPRESSED != 0 {
		return model.Span{}, fmt.Errorf("section %d: no plain bytes in the file", i)
	}
	return sp, nil
}

// SectionData returns up to limit bytes of a section, decompressed. Call it only while the object is visited; the
// bytes count as memory until the visit ends. Errors: I/O, the budget, [ErrCompression], and a section whose bytes
// are not in the file.
func (e *ELF) SectionData(i int, limit int64) ([]byte, error) {
	if i < 0 || i >= len(e.Sections) || e.src.r == nil {
		return nil, fmt.Errorf("section %d: not in the file", i)
	}
	s := &e.Sections[i]
	sp, whole := e.src.clip(s.Offset, s.Size)
	if !whole || s.Type == elf.SHT_NOBITS || sp.Len > limit {
		return nil, fmt.Errorf("section %d: no bytes in the file, or more than %d", i, limit)
	}
	if s.Compressed() {
		return e.inflate(s, sp, limit)
	}
	return e.Data(sp)
}

// Data reads bytes of the file, which must contain them. Call it only while the object is visited; the bytes count as
// memory until the visit ends. Errors: I/O and the budget.
func (e *ELF) Data(sp model.Span) ([]byte, error) {
	if err := e.src.hold(sp.Len); err != nil {
		return nil, err
	}
	return e.src.read(sp)
}

// LoadedAt returns the bytes of a linked file that are loaded at an address, up to the end of the segment. It reports
// whether a segment contains the address.
func (e *ELF) LoadedAt(addr uint64) (model.Span, bool) {
	for i := range e.Segments {
		s := &e.Segments[i]
		if s.Type != elf.PT_LOAD || addr < s.Vaddr || addr-s.Vaddr >= s.Filesz {
			continue
		}
		in := addr - s.Vaddr
		if sp, _ := e.src.clip(s.Offset+in, s.Filesz-in); s.Offset <= s.Offset+in && sp.Len > 0 {
			return sp, true
		}
	}
	return model.Span{}, false
}

// EachEntry reads a section as entries of size bytes and calls yield for a few thousand at a time, with the index of
// the first. Call it only while the object is visited. Errors: I/O, the budget, and a section whose bytes are not in
// the file.
func (e *ELF) EachEntry(i int, size int64, yield func(entries []byte, first int)) error {
	sp, err := e.plain(i)
	if err != nil {
		return err
	}
	return e.eachIn(sp, size, yield)
}

// EachLoaded is [ELF.EachEntry] for up to n bytes that a segment of a linked file loads at an address.
func (e *ELF) EachLoaded(addr, n uint64, size int64, yield func(entries []byte, first int)) error {
	sp, ok := e.LoadedAt(addr)
	if !ok {
		return nil
	}
	sp.Len = int64(min(uint64(sp.Len), n))
	return e.eachIn(sp, size, yield)
}

// eachIn calls yield for the entries in a span of the file.
func (e *ELF) eachIn(sp model.Span, size int64, yield func(entries []byte, first int)) error {
	if err := e.src.spend(sp.Len); err != nil {
		return err
	}
	e.src.budget.Release(budget.Read, sp.Len)
	return e.src.each(sp, size, func(entries []byte, at int64) error {
		yield(entries, int((at-sp.Off)/size))
		return nil
	})
}

// intermediate reports whether a relocatable file has only GCC's intermediate code.
func (e *ELF) intermediate() bool {
	if !e.Relocatable() {
		return false
	}
	found := false
	for i := range e.Sections {
		s := &e.Sections[i]
		if s.Flags&elf.SHF_EXECINSTR != 0 && s.Size > 0 {
			return false
		}
		found = found || strings.HasPrefix(s.Name, ".gnu.lto_")
	}
	return found
}
