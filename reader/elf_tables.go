package reader

import (
	"debug/elf"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/model"
)

// table returns where n entries of size bytes at off are, less what the file
// lacks, and holds the memory for as many of cost bytes. ok is false where the
// budget does not allow it.
func (r *elfReader) table(off, n uint64, size, cost int64, field model.Span, what string) (sp model.Span, ok bool) {
	if left := (uint64(r.src.size) - min(off, uint64(r.src.size))) / uint64(size); n > left {
		r.damage(field, "%d %s at 0x%x: the file has room for %d", n, what, off, left)
		n = left
	}
	sp, _ = r.src.clip(off, n*uint64(size))
	if sp.Len > budget.FreeContent {
		r.src.budget.Content(regular.Data(r.src.r, r.src.base+sp.Off, sp.Len))
	}
	if err := r.src.hold(int64(n) * cost); err != nil {
		r.exceeded(field, err, "%d %s", n, what)
		return sp, false
	}
	return sp, true
}

// exceeded notes that something was not read because of the budget.
func (r *elfReader) exceeded(at model.Span, err error, format string, args ...any) {
	r.over = true
	r.fault(Fault{Code: BudgetExceeded, Span: at, Got: overrun(err), Detail: err.Error() + " for " + fmt.Sprintf(format, args...)})
}

// Bytes of an entry in memory.
var (
	sectionCost = int64(reflect.TypeFor[Section]().Size())
	segmentCost = int64(reflect.TypeFor[Segment]().Size())
)

// sectionHeaders reads the section header table.
func (r *elfReader) sectionHeaders() error {
	h, size := &r.hdr, r.shdrSize()
	switch {
	case h.shoff == 0 && h.shnum == 0:
		return nil // stripped of them
	case h.shoff == 0:
		r.damage(r.in(0, elf64.EhdrShoff), "%d section headers at no place", h.shnum)
		return nil
	case int64(h.shentsize) != size:
		r.damage(r.in(0, elf64.EhdrShentsize), "section headers of %d bytes, ELF%d has %d", h.shentsize, r.class(), size)
		return nil
	}
	n, field := uint64(h.shnum), r.in(0, elf64.EhdrShnum)
	if n == 0 {
		// The count did not fit its 16 bits: the first header holds it.
		sp, _ := r.table(h.shoff, 1, size, 0, r.in(0, elf64.EhdrShoff), "section headers")
		b, err := r.src.read(sp)
		if err != nil || b == nil {
			return err
		}
		var first Section
		r.sectionHeader(&first, b, int64(h.shoff))
		n, field = first.Size, r.in(int64(h.shoff), elf64.ShdrSizeField)
		if n == 0 {
			r.damage(r.in(0, elf64.EhdrShnum), "no section headers, but a place for them")
			return nil
		}
	}
	sp, ok := r.table(h.shoff, n, size, sectionCost, field, "section headers")
	if !ok {
		return nil
	}
	r.elf.Sections = make([]Section, sp.Len/size)
	left := r.elf.Sections
	return r.src.each(sp, size, func(b []byte, at int64) error {
		for ; int64(len(b)) >= size; b, at, left = b[size:], at+size, left[1:] {
			r.sectionHeader(&left[0], b, at)
		}
		return nil
	})
}

// sectionHeader reads a header, all but its name.
func (r *elfReader) sectionHeader(s *Section, b []byte, at int64) {
	if r.narrow {
		r.sectionHeader32(s, b, at)
		return
	}
	h := number.Fields{B: b[:shdrSize], Big: r.big}
	s.nameOff, s.Type, s.Flags = h.U32(0), elf.SectionType(h.U32(4)), elf.SectionFlag(h.U64(8))
	s.Addr, s.Offset, s.Size = h.U64(16), h.U64(24), h.U64(32)
	s.Link, s.Info, s.AddrAlign, s.EntSize = h.U32(40), h.U32(44), h.U64(48), h.U64(56)
	s.Header = model.Span{Off: at, Len: shdrSize}
}

// sectionNames gives the sections their names. Without a table of names they
// have none.
func (r *elfReader) sectionNames() error {
	secs := r.elf.Sections
	if len(secs) == 0 {
		return nil
	}
	at, field := uint32(r.hdr.shstrndx16), r.in(0, elf64.EhdrShstrndx)
	if at == uint32(elf.SHN_XINDEX) {
		at, field = secs[0].Link, r.in(secs[0].Header.Off, elf64.ShdrLink)
	}
	if at == 0 {
		if slices.ContainsFunc(secs, func(s Section) bool { return s.nameOff != 0 }) {
			r.damage(field, "sections have names, but no section holds them")
		}
		return nil
	}
	if at >= uint32(len(secs)) || secs[at].Type == elf.SHT_NOBITS {
		r.damage(field, "section %d holds no section names", at)
		return nil
	}
	sp, whole := r.src.clip(secs[at].Offset, secs[at].Size)
	if !whole {
		r.damage(r.place(&secs[at]), "the section names reach beyond the file")
	}
	if sp.Len > wholeTable {
		return r.nameEach(&names{pages: &pages{src: r.src, place: sp}}, r.place(&secs[at]))
	}
	b, err := r.src.read(sp)
	if err != nil {
		return err
	}
	if secs[at].Type != elf.SHT_STRTAB || len(b) > 0 && b[0] != 0 {
		r.damage(field, "section %d, of %d bytes, is not a table of section names", at, secs[at].Size)
	}
	r.nameSections(string(b))
	return nil
}

// nameSections cuts the names out of their table. Names may share bytes, but
// a table that is read many times over is an attack on the reader.
func (r *elfReader) nameSections(names string) {
	budget := 64*len(names) + 1<<20
	bad := -1
	for i := range r.elf.Sections {
		s := &r.elf.Sections[i]
		if uint64(s.nameOff) >= uint64(len(names)) || budget < 0 {
			if bad < 0 && s.nameOff != 0 {
				bad = i
			}
			continue
		}
		s.Name = names[s.nameOff:min(len(names), int(s.nameOff)+maxSymbolName)]
		if n := strings.IndexByte(s.Name, 0); n >= 0 {
			s.Name = s.Name[:n]
		}
		budget -= len(s.Name)
	}
	r.unnamed(bad)
}

// nameEach reads the names one by one from a table that is too large to be held.
func (r *elfReader) nameEach(table *names, place model.Span) error {
	bad := -1
	for i := range r.elf.Sections {
		s := &r.elf.Sections[i]
		if int64(s.nameOff) >= table.place.Len {
			if bad < 0 {
				bad = i
			}
			continue
		}
		name, err := table.name(int64(s.nameOff), maxSymbolName, 0, "")
		if first := r.src.first(); first != nil {
			return first
		}
		if s.Name = name; err != nil {
			r.exceeded(place, err, "the names of sections from %d on", i)
			break
		}
	}
	r.unnamed(bad)
	return nil
}

// unnamed reports a section whose name can't be read, below 0 for none.
func (r *elfReader) unnamed(bad int) {
	if bad >= 0 {
		h := r.elf.Sections[bad].Header
		r.damage(r.in(h.Off, elf64.ShdrName), "the name of section %d lies beyond the table of names", bad)
	}
}

// segments reads the program header table.
func (r *elfReader) segments() error {
	h := &r.hdr
	n, field := uint64(h.phnum), elf64.EhdrPhnum
	if n == pnXNum && len(r.elf.Sections) > 0 {
		n, field = uint64(r.elf.Sections[0].Info), elf64.In(r.elf.Sections[0].Header.Off, elf64.ShdrInfo)
	}
	switch {
	case n == 0:
		return nil
	case h.phoff == 0:
		r.damage(elf64.EhdrPhoff, "%d program headers at no place", n)
		return nil
	case h.phentsize != phdrSize:
		r.damage(elf64.EhdrPhentsize, "program headers of %d bytes, ELF64 has %d", h.phentsize, phdrSize)
		return nil
	}
	sp, ok := r.table(h.phoff, n, phdrSize, segmentCost, field, "program headers")
	if !ok {
		return nil
	}
	r.elf.Segments = make([]Segment, 0, sp.Len/phdrSize)
	return r.src.each(sp, phdrSize, func(b []byte, at int64) error {
		for ; len(b) >= phdrSize; b, at = b[phdrSize:], at+phdrSize {
			h := number.Fields{B: b, Big: r.big}
			r.elf.Segments = append(r.elf.Segments, Segment{
				Type: elf.ProgType(h.U32(0)), Flags: elf.ProgFlag(h.U32(4)),
				Offset: h.U64(8), Vaddr: h.U64(16), Filesz: h.U64(32), Memsz: h.U64(40), Align: h.U64(48),
				Header: model.Span{Off: at, Len: phdrSize},
			})
		}
		return nil
	})
}
