package dump

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/asm"
	"github.com/sframe-lint/sframe-lint/internal/elf64"
	"github.com/sframe-lint/sframe-lint/reader"
)

// decode reads a structure of fixed size from the start of b. It leaves v as it is if b is too short.
func decode(order binary.ByteOrder, b []byte, v any) { _, _ = binary.Decode(b, order, v) }

// header returns the header of a section as it is in the file.
func (t *elfText) header(i int) (h elf.Section64) {
	decode(t.e.Order, t.file[t.e.Sections[i].Header.Off:], &h)
	return h
}

// contents returns the bytes of a section in the file, nil if the file does not have all of them.
func (t *elfText) contents(i int) []byte {
	s := &t.e.Sections[i]
	size := uint64(len(t.file))
	if i == 0 || s.Type == elf.SHT_NOBITS || s.Type == elf.SHT_NULL || s.Offset > size || s.Size > size-s.Offset {
		return nil
	}
	return t.file[s.Offset : s.Offset+s.Size]
}

// chooseFillers chooses the sections that the assembler fills.
func (t *elfText) chooseFillers() {
	secs := t.e.Sections
	t.holds, t.tables, t.count = make([]string, len(secs)), map[int]*asm.NameTable{}, map[string]int{}
	for i := 1; i < len(secs); i++ {
		t.count[secs[i].Name]++
	}
	claim := func(i int, what string) bool {
		if i <= 0 || i >= len(secs) || t.holds[i] != "" || len(t.contents(i)) == 0 {
			return false
		}
		t.holds[i] = what
		t.stated += len(t.contents(i))
		return true
	}
	if t.shows != nil && !claim(t.shows.Index, "sframe") && len(secs) > 0 {
		t.shows = nil // it is in no section of its own
	}
	names := int(t.head.Shstrndx)
	if names == int(elf.SHN_XINDEX) && len(secs) > 0 {
		names = int(secs[0].Link)
	}
	if names > 0 && names < len(secs) && secs[names].Type == elf.SHT_STRTAB {
		claim(names, "names")
	}
	for i := range secs {
		s := &secs[i]
		if s.Type != elf.SHT_SYMTAB || s.EntSize != elf64.SymSize || s.Size%elf64.SymSize != 0 || uint64(s.Link) >= uint64(len(secs)) {
			continue
		}
		strings := int(s.Link)
		if strings == i || secs[strings].Type != elf.SHT_STRTAB || t.contents(strings) == nil || t.holds[strings] != "" && t.holds[strings] != "names" {
			continue
		}
		if null := t.contents(i); len(null) > 0 && bytes.Count(null[:elf64.SymSize], []byte{0}) < elf64.SymSize {
			continue // the assembler makes the null symbol
		}
		if claim(i, "symbols") {
			break
		}
	}
	if i := t.relocations(); i > 0 {
		claim(i, "relocs")
	}
}

// relocations returns the section of relocations of the SFrame section, 0 for none.
func (t *elfText) relocations() int {
	if t.shows == nil {
		return 0
	}
	for i := range t.e.Sections {
		s := &t.e.Sections[i]
		size := uint64(elf64.RelaSize)
		if s.Type == elf.SHT_REL {
			size = uint64(elf64.RelaAddend.Off)
		}
		if (s.Type == elf.SHT_RELA || s.Type == elf.SHT_REL) && int(s.Info) == t.shows.Index && s.EntSize == size && s.Size%size == 0 {
			return i
		}
	}
	return 0
}

// decideTables decides which string tables the text states. The assembler makes the others of the names.
func (t *elfText) decideTables() {
	names, symbols := slices.Index(t.holds, "names"), slices.Index(t.holds, "symbols")
	uses := func(i int, yield func(name string, at uint32)) {
		if symbols > 0 && int(t.e.Sections[symbols].Link) == i {
			for k := 1; k < len(t.syms); k++ {
				yield(t.names[k], t.syms[k].Name)
			}
		}
		for k := 1; i == names && k < len(t.e.Sections); k++ {
			yield(t.e.Sections[k].Name, t.header(k).Name)
		}
	}
	all := []int{names}
	if symbols > 0 {
		all = append(all, int(t.e.Sections[symbols].Link))
	}
	for _, i := range all {
		if i <= 0 || t.tables[i] != nil {
			continue
		}
		made, same := asm.NewNameTable(nil), true
		uses(i, func(name string, at uint32) {
			got, _ := made.Offset(name)
			same = same && got == at
		})
		shared := i == names && symbols > 0 && int(t.e.Sections[symbols].Link) == i
		if t.tables[i] = made; shared || !same || !bytes.Equal(made.Bytes(), t.contents(i)) {
			t.tables[i] = asm.NewNameTable(append([]byte{}, t.contents(i)...))
		}
	}
}

// named writes the offset of a name, if the table does not have the name there.
func (t *elfText) named(table int, name string, at uint32) {
	got, ok := uint32(0), name == ""
	if tab := t.tables[table]; tab != nil {
		got, ok = tab.Offset(name)
	}
	if !ok || got != at {
		t.printf(" name=0x%x", at)
	}
}

// plan finds where the parts of the file are by default.
func (t *elfText) plan() {
	places := asm.NewPlaces(t.e.Type, len(t.e.Segments))
	t.bytesOf, t.defaults = make([][]byte, len(t.e.Sections)), make([]uint64, len(t.e.Sections))
	for i := 1; i < len(t.e.Sections); i++ {
		h := t.header(i)
		t.bytesOf[i] = t.budget(i, t.contents(i))
		t.defaults[i] = places.Next(&h)
		if n := len(t.bytesOf[i]); n > 0 {
			places.Put(h.Off, uint64(n))
		}
	}
	t.headersAt = places.Headers()
}

// states reports whether the text states the contents of a section.
func (t *elfText) states(i int) bool {
	if tab := t.tables[i]; tab != nil {
		return tab.Stated()
	}
	return t.holds[i] == ""
}

// sections writes the sections.
func (t *elfText) sections() {
	names := slices.Index(t.holds, "names")
	if len(t.e.Sections) == 0 && t.shows != nil {
		t.printf(".section .sframe name=0 type=gnu_sframe alloc offset=0x%x", t.shows.Offset)
		if !t.draft {
			t.str(" holds=sframe")
		}
		t.str("\n")
		if t.draft {
			t.reference(uint64(t.shows.Offset), len(t.shows.Data))
		}
		return
	}
	for i := 1; i < len(t.e.Sections); i++ {
		h := t.header(i)
		t.str(".section ")
		t.str(quoted(t.e.Sections[i].Name))
		t.named(names, t.e.Sections[i].Name, h.Name)
		t.word(" type=", uint64(h.Type), sectionTypes)
		t.flags(h.Flags)
		t.attribute("addr", h.Addr, 0)
		t.attribute("offset", h.Off, t.defaults[i])
		if tab := t.tables[i]; tab != nil && tab.Stated() && h.Size == 0 {
			t.str(" size=0") // else the assembler fills it
		} else {
			t.attribute("size", h.Size, uint64(len(t.bytesOf[i])))
		}
		t.attribute("align", h.Addralign, 1)
		t.attribute("link", uint64(h.Link), 0)
		t.attribute("info", uint64(h.Info), 0)
		t.attribute("entsize", h.Entsize, 0)
		meant := t.holds[i] != "" && (t.holds[i] == "names" || !t.draft)
		if meant {
			t.str(" holds=" + t.holds[i])
		}
		t.printf("  # %d\n", i)
		if !meant && t.draft || t.states(i) {
			t.data(&t.e.Sections[i], t.bytesOf[i])
		}
		t.spill()
	}
}

// budget returns the contents of a section, or nil if the text would have more bytes than the file: sections
// may share them. Tables of names are stated in any case, as names refer to them.
func (t *elfText) budget(i int, data []byte) []byte {
	if t.holds[i] != "" || t.tables[i] != nil {
		return data
	}
	if t.stated += len(data); t.stated > len(t.file) {
		return nil
	}
	return data
}

// attribute writes NAME=VALUE, unless the value is the default.
func (t *elfText) attribute(name string, v, without uint64) {
	if v != without {
		t.str(" " + name + "=")
		t.number(v)
	}
}

// number writes a number, in hexadecimal unless it is small.
func (t *elfText) number(v uint64) {
	if v < 10 {
		t.dec(int64(v))
		return
	}
	t.printf("0x%x", v)
}

// word writes a value by its name, or as a number.
func (t *elfText) word(what string, v uint64, names map[uint64]string) {
	t.str(what)
	if name, ok := names[v]; ok {
		t.str(name)
		return
	}
	t.number(v)
}

// inverse returns the names of values.
func inverse[V ~uint32 | ~int](names map[string]V) map[uint64]string {
	out := make(map[uint64]string, len(names))
	for name, v := range names {
		out[uint64(v)] = name
	}
	return out
}

var (
	sectionTypes = inverse(asm.SectionTypes)
	segmentTypes = inverse(asm.SegmentTypes)
	sectionFlags = slices.Sorted(maps.Keys(asm.SectionFlags))
)

// flags writes the flags of a section.
func (t *elfText) flags(v uint64) {
	var words []string
	rest := v
	for _, name := range sectionFlags {
		if f := uint64(asm.SectionFlags[name]); v&f == f {
			words = append(words, name)
			rest &^= f
		}
	}
	switch {
	case rest != 0:
		t.printf(" flags=0x%x", v)
	case len(words) > 1 && (slices.Contains(words, "exec") || slices.Contains(words, "write")):
		words = slices.DeleteFunc(words, func(w string) bool { return w == "alloc" })
		fallthrough
	default:
		for _, w := range words {
			t.str(" " + w)
		}
	}
}

// quoted returns a name as a text has it.
func quoted(name string) string {
	if asm.Plain(strings.TrimLeft(name, ".")) {
		return name
	}
	return strconv.Quote(name)
}

const (
	// fewBytes are stated, even if the text takes contents from the file.
	fewBytes = 32
	// someZeros are stated by their number.
	someZeros = 32
	// lineBytes are the bytes of a line.
	lineBytes = 32
)

// data writes the contents of a section.
func (t *elfText) data(s *reader.Section, b []byte) {
	strs := s.Type == elf.SHT_STRTAB || s.Flags&(elf.SHF_MERGE|elf.SHF_STRINGS) == elf.SHF_MERGE|elf.SHF_STRINGS && s.EntSize == 1
	switch {
	case len(b) == 0:
		return
	case (t.incbin || t.draft) && len(b) > fewBytes:
		t.reference(s.Offset, len(b))
		return
	case strs && s.Flags&elf.SHF_COMPRESSED == 0:
		b = t.strings(b)
	}
	for len(b) > 0 {
		n := len(b) - len(bytes.TrimLeft(b, "\x00"))
		if n >= someZeros || n == len(b) {
			t.printf("  .zero %d\n", n)
			b = b[n:]
			continue
		}
		n = min(lineBytes, len(b))
		t.str("  .byte ")
		t.bytes(b[:n])
		t.str("\n")
		b = b[n:]
		t.spill()
	}
}

// reference writes bytes of the object by their place in its file.
func (t *elfText) reference(off uint64, size int) {
	if !t.draft {
		off += uint64(t.o.Base)
	}
	t.printf("  .incbin %s, 0x%x, 0x%x\n", strconv.Quote(t.path()), off, size)
}

// strings writes the strings at the start of b and returns the rest.
func (t *elfText) strings(b []byte) []byte {
	for {
		n := bytes.IndexByte(b, 0)
		if n < 0 {
			return b
		}
		t.str("  .string ")
		t.str(strconv.Quote(string(b[:n])))
		t.str("\n")
		b = b[n+1:]
		t.spill()
	}
}
