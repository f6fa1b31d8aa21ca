package lines

import (
	"debug/elf"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/reader"
)

// codeAddr is an address. In a relocatable file it is an offset in the section with this index;
// otherwise the index is 0.
type codeAddr struct {
	section uint32
	addr    uint64
}

// source is a file whose debug information is read: the object itself, or another one.
type source struct {
	o        *reader.Object
	e        *reader.ELF
	spend    *allowance
	sections map[string]*section
	packed   int64 // bytes of the sections that were decompressed
}

// allowance is what a search may still cost: a part of what the budget has left, so that a
// search never exceeds the budget.
type allowance struct {
	budget     *budget.Budget
	work, read int64
}

// Steps of work for any file, for each of its bytes, and at most: a file may have a hole of any size.
const baseWork, workPerByte, mostWork = 1 << 24, 32, 1 << 28

func newAllowance(o *reader.Object) *allowance {
	b := budget.Of(o.Context)
	return &allowance{b, min(baseWork+workPerByte*min(o.Size, mostWork/workPerByte), b.Room(budget.Work)/2), b.Room(budget.Read) / 2}
}

// step takes n steps of work, and reports whether they are allowed.
func (a *allowance) step(n int64) bool {
	a.work -= n
	return a.work >= 0 && a.budget.Step(n) == nil
}

func newFile(o *reader.Object, a *allowance) *source {
	f := &source{o: o, e: o.ELF, spend: a, sections: map[string]*section{}}
	for i := range f.e.Sections {
		s := &f.e.Sections[i]
		read, ordered := debugSection(name(s))
		if _, twice := f.sections[name(s)]; read && s.Type != elf.SHT_NOBITS && !twice {
			f.sections[name(s)] = &section{f: f, index: i, ordered: ordered}
		}
	}
	if f.e.Relocatable() {
		f.relocations()
	}
	return f
}

// name returns the name of a section as if it were not compressed.
func name(s *reader.Section) string {
	if len(s.Name) > 2 && s.Name[:2] == ".z" && s.Compressed() {
		return "." + s.Name[2:]
	}
	return s.Name
}

// debugSection reports whether a section with a name is read, and if so, from its start to its end.
func debugSection(name string) (read, ordered bool) {
	switch strings.TrimSuffix(name, ".dwo") {
	case ".debug_line", ".debug_info":
		return true, true
	case ".debug_line_str", ".debug_str", ".debug_abbrev", ".debug_ranges", ".debug_rnglists", ".debug_addr", ".debug_str_offsets":
		return true, false
	}
	return false, false
}

// relocations finds the sections of relocations of a relocatable file.
func (f *source) relocations() {
	if f.e.Symbols.Load() != nil {
		f.sections = nil
		return
	}
	of := map[int]*section{}
	for _, s := range f.sections {
		of[s.index] = s
	}
	for i := range f.e.Sections {
		r := &f.e.Sections[i]
		if s := of[int(r.Info)]; s != nil && r.Type == elf.SHT_RELA && r.EntSize == elf64.RelaSize {
			s.rela = i
		}
	}
}

// section is a section of debug information. A nil section has no bytes.
type section struct {
	f       *source
	index   int
	rela    int // the section of its relocations, 0 for none
	opened  bool
	ordered bool // it is read from its start to its end
	size    int64
	whole   []byte // of a compressed section
	last    window
	held    int64 // bytes of memory
	buf     []byte
}

// window is a part of a section, after relocation.
type window struct {
	data   []byte
	off    int64   // of data in the section
	fields []field // that hold addresses, in order
}

// field is an address of a relocatable file.
type field struct {
	off     int64 // in the section
	section uint32
}

// placeAt returns the section that the address at an offset is in, 0 for none.
func (w *window) placeAt(off int64) uint32 {
	i, ok := slices.BinarySearchFunc(w.fields, off, func(f field, off int64) int { return int(f.off - off) })
	if !ok {
		return 0
	}
	return w.fields[i].section
}

// Bytes that are read at once where fewer are asked for, and the most that are.
const (
	ahead    = 64 << 10
	mostRead = 256 << 20
)

// length returns the size of the section's data, 0 for one that cannot be read.
func (s *section) length() int64 {
	if s == nil {
		return 0
	}
	if s.opened {
		return s.size
	}
	s.opened = true
	e := s.f.e
	n, err := e.DataSize(s.index)
	if err != nil || n > uint64(1<<62) {
		return 0
	}
	if !e.Sections[s.index].Compressed() {
		s.size = int64(n)
		return s.size
	}
	b := s.f.spend.budget
	if packed := int64(min(e.Sections[s.index].Size, uint64(s.f.o.Size-s.f.packed))); packed > 0 {
		s.f.packed += packed
		b.ContentMore(packed)
	}
	if !s.f.spend.step(int64(n)/8) || n > mostRead || b.Room(budget.Memory) < int64(n)+inflating {
		return 0
	}
	if s.whole, err = e.SectionData(s.index, mostRead); err == nil {
		s.size = int64(len(s.whole))
	}
	return s.size
}

// inflating is more than the memory that decompression takes besides its result, in bytes.
const inflating = 16 << 20

// read returns n bytes of the section, valid until the next call. It reports false where the
// section does not have them or there is no room for them.
func (s *section) read(off, n int64) (*window, bool) {
	size := s.length()
	if size == 0 || off < 0 || n < 0 || off > size || n > size-off {
		return nil, false
	}
	if w := &s.last; w.data != nil && off >= w.off && off+n <= w.off+int64(len(w.data)) {
		at := off - w.off
		return &window{w.data[at : at+n], off, w.fields}, true
	}
	get := n
	if s.ordered {
		get = max(n, min(ahead, size-off))
	}
	if get > mostRead || !s.f.spend.step(get/8+1000) {
		return nil, false
	}
	s.last = window{}
	data, ok := s.bytes(off, get)
	if !ok {
		return nil, false
	}
	w := window{data: data, off: off}
	if s.rela > 0 && !s.relocate(&w) {
		return nil, false
	}
	s.last = w
	return &window{data[:n], off, w.fields}, true
}

// bytes reads bytes without relocation.
func (s *section) bytes(off, n int64) ([]byte, bool) {
	if s.whole != nil {
		return s.whole[off : off+n], true
	}
	a := s.f.spend
	if a.read -= n; a.read < 0 || !s.hold(n) {
		return nil, false
	}
	data, err := s.f.e.SectionPart(s.index, uint64(off), uint64(n), s.buf)
	s.buf = data
	return data, err == nil && int64(len(data)) == n
}

// hold holds memory for n bytes in all, until the object has been visited.
func (s *section) hold(n int64) bool {
	if n <= s.held {
		return true
	}
	n = max(n, 2*s.held) - s.held
	if s.f.spend.budget.Room(budget.Memory) < n || s.f.o.Hold(n) != nil {
		return false
	}
	s.held += n
	return true
}

// relocate applies the relocations of a window, whose entries must be in the order of their
// offsets, as assemblers and linkers write them.
func (s *section) relocate(w *window) bool {
	e, abi := s.f.e, s.f.e.ABI()
	count := int64(e.Sections[s.rela].Size / elf64.RelaSize)
	from, end := int64(0), count
	for from < end {
		mid := (from + end) / 2
		b, ok := s.entries(mid, 1)
		if !ok {
			return false
		}
		if int64(number.U64(b, e.BigEndian())) < w.off {
			from = mid + 1
		} else {
			end = mid
		}
	}
	to := w.off + int64(len(w.data))
	const some = 512
	for last := w.off; from < count; from += some {
		b, ok := s.entries(from, min(some, count-from))
		if !ok || !s.hold(int64(len(w.data))+int64(cap(w.fields))*16) {
			return false
		}
		for ; len(b) > 0; b = b[elf64.RelaSize:] {
			at := int64(number.U64(b, e.BigEndian()))
			if at >= to {
				return true
			}
			if at < last {
				return false
			}
			last = at + 1
			width, pcrel := abi.RelocField(uint32(number.U64(b[8:], e.BigEndian())))
			in := at - w.off
			section, value, ok := e.Symbols.Place(int(number.U64(b[8:], e.BigEndian()) >> 32))
			if width == 0 || pcrel || !ok || in+int64(width) > int64(len(w.data)) {
				continue
			}
			number.Put(e.Order, w.data[in:in+int64(width)], value+number.U64(b[16:], e.BigEndian()))
			w.fields = append(w.fields, field{at, uint32(section)})
		}
	}
	return true
}

// entries reads n entries of the relocations.
func (s *section) entries(first, n int64) ([]byte, bool) {
	a := s.f.spend
	if a.read -= n * elf64.RelaSize; a.read < 0 || !a.step(n) {
		return nil, false
	}
	b, err := s.f.e.SectionPart(s.rela, uint64(first)*elf64.RelaSize, uint64(n)*elf64.RelaSize, nil)
	return b, err == nil && int64(len(b)) == n*elf64.RelaSize
}

// text returns the string at an offset, "" for none.
func (s *section) text(off uint64) string {
	size := s.length()
	if off >= uint64(size) {
		return ""
	}
	w, ok := s.read(int64(off), min(mostName, size-int64(off)))
	if !ok {
		return ""
	}
	c := newCursor(w, false, false)
	return c.text()
}
