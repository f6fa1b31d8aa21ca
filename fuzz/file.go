package fuzz

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// File returns a copy of an ELF file, an archive or a section with up to n changes to headers, tables or, as by
// [Mutator.Section], SFrame data. Other files are changed as by [Mutator.Blind]. The result has at most Max bytes and
// differs from the input if possible.
func (m *Mutator) File(data []byte, n int) []byte {
	m.log = m.log[:0]
	b := slices.Clone(data)
	for range 1 + m.Rand.IntN(max(n, 1)) {
		b = m.fileOnce(b)
	}
	return m.another(b, data, m.fileOnce)
}

func (m *Mutator) fileOnce(b []byte) []byte {
	switch {
	case bytes.HasPrefix(b, []byte(elf.ELFMAG)) && len(b) >= elf64.EhdrSize:
		return m.elfField(b)
	case len(b) >= len(arMagic) && (string(b[:len(arMagic)]) == arMagic || string(b[:len(arMagic)]) == arThinMagic):
		return m.arField(b)
	}
	return m.sectionOnce(b)
}

// Widths of the fields of an ELF64 file's structures, in order, in bytes. The
// rest of e_ident and e_version, which no program reads, are one field each.
var (
	ehdrFields = []int{4, 1, 1, 1, 9, 2, 2, 4, 8, 8, 8, 4, 2, 2, 2, 2, 2, 2}
	phdrFields = []int{4, 4, 8, 8, 8, 8, 8, 8}
	shdrFields = []int{4, 4, 8, 8, 8, 8, 4, 4, 8, 8}
	symFields  = []int{4, 1, 1, 2, 8, 8}
	relaFields = []int{8, 4, 4, 8}
)

// elfField changes a field of the ELF header, of a program or section header,
// of a symbol or of a relocation.
func (m *Mutator) elfField(b []byte) []byte {
	f := image{b, number.Order(b[elf.EI_DATA] == byte(elf.ELFDATA2MSB))}
	if m.Rand.IntN(6) == 0 {
		if at, n := m.drawTable(&f, reader.SHT_GNU_SFRAME, 1); n > 0 {
			copy(b[at:at+n], m.sectionOnce(slices.Clone(b[at:at+n])))
			return b
		}
	}
	what, sp := m.drawELFField(&f)
	if !f.holds(sp) {
		return m.blindOnce(b)
	}
	v := m.claim(&f, sp)
	number.Put(f.order, b[sp.Off:sp.End()], v)
	m.note("%s at 0x%x = 0x%x", what, sp.Off, v)
	return b
}

// claim draws a value for a field: an edge, a number close to the size of the
// file, a small number, or the value of another field.
func (m *Mutator) claim(f *image, sp model.Span) uint64 {
	switch m.Rand.IntN(5) {
	case 0:
		return uint64(len(f.b) + m.Rand.IntN(5) - 2)
	case 1:
		return uint64(m.Rand.IntN(32))
	case 2:
		_, other := m.drawELFField(f)
		if f.holds(other) {
			return f.get(other)
		}
	case 3: // close to the old value
		return f.get(sp) + uint64(m.Rand.IntN(33)-16)
	}
	return m.edge(8 * int(sp.Len))
}

// image is an ELF64 file, which may be damaged.
type image struct {
	b     []byte
	order binary.ByteOrder
}

// holds reports whether a span is a number inside the file.
func (f *image) holds(sp model.Span) bool {
	size := int64(len(f.b))
	return sp.Off >= 0 && sp.Off <= size && sp.Len <= 8 && sp.Len <= size-sp.Off
}

func (f *image) get(sp model.Span) uint64 { return number.Get(f.order, f.b[sp.Off:sp.End()]) }

// drawELFField draws a structure of the file and one of its fields. The span may
// be outside the file.
func (m *Mutator) drawELFField(f *image) (string, model.Span) {
	phoff, shoff := int64(f.get(elf64.EhdrPhoff)), int64(f.get(elf64.EhdrShoff))
	phnum, shnum := int(f.get(elf64.EhdrPhnum)), int(f.get(elf64.EhdrShnum))
	switch m.Rand.IntN(6) {
	case 0:
		return m.fieldOf("e_ident to e_shstrndx", 0, ehdrFields)
	case 1:
		if phnum > 0 {
			return m.fieldOf("program header", phoff+elf64.PhdrSize*m.Rand.Int64N(int64(phnum)), phdrFields)
		}
	case 2:
		if at, n := m.drawTable(f, elf.SHT_SYMTAB, elf64.SymSize); n > 0 {
			return m.fieldOf("symbol", at+elf64.SymSize*m.Rand.Int64N(n), symFields)
		}
	case 3:
		if at, n := m.drawTable(f, elf.SHT_RELA, elf64.RelaSize); n > 0 {
			return m.fieldOf("relocation", at+elf64.RelaSize*m.Rand.Int64N(n), relaFields)
		}
	}
	if shnum > 0 {
		return m.fieldOf("section header", shoff+elf64.ShdrSize*m.Rand.Int64N(int64(shnum)), shdrFields)
	}
	return m.fieldOf("e_ident to e_shstrndx", 0, ehdrFields)
}

func (m *Mutator) fieldOf(what string, at int64, widths []int) (string, model.Span) {
	k := m.Rand.IntN(len(widths))
	for _, w := range widths[:k] {
		at += int64(w)
	}
	return what, model.Span{Off: at, Len: int64(widths[k])}
}

// drawTable draws a section of a type and returns its offset and its number of
// entries.
func (m *Mutator) drawTable(f *image, typ elf.SectionType, entry int64) (at, n int64) {
	size := int64(len(f.b))
	shoff, shnum := int64(f.get(elf64.EhdrShoff)), int(f.get(elf64.EhdrShnum))
	if shoff < 0 || shoff > size {
		return 0, 0
	}
	for _, i := range m.Rand.Perm(min(shnum, int((size-shoff)/elf64.ShdrSize))) {
		hdr := shoff + elf64.ShdrSize*int64(i)
		if elf.SectionType(f.get(elf64.In(hdr, elf64.ShdrType))) != typ {
			continue
		}
		at = int64(f.get(elf64.In(hdr, elf64.ShdrOffset)))
		if at >= 0 && at < size {
			return at, int64(min(f.get(elf64.In(hdr, elf64.ShdrSizeField)), uint64(size-at))) / entry
		}
	}
	return 0, 0
}

// Parts of an archive.
const (
	arMagic     = "!<arch>\n"
	arThinMagic = "!<thin>\n"
	arHeader    = 60
)

// arField changes a field of a member's header, or the member itself.
func (m *Mutator) arField(b []byte) []byte {
	var members []model.Span // what follows each header
	for at := int64(len(arMagic)); at+arHeader <= int64(len(b)); {
		size, err := strconv.ParseInt(strings.TrimRight(string(b[at+48:at+58]), " "), 10, 40)
		at += arHeader
		if err != nil || size < 0 || size > int64(len(b))-at {
			size = 0
		}
		members = append(members, model.Span{Off: at, Len: size})
		at += size + size&1
	}
	if len(members) == 0 {
		return m.blindOnce(b)
	}
	x := members[m.Rand.IntN(len(members))]
	if x.Len > 0 && m.Rand.IntN(3) == 0 {
		copy(b[x.Off:x.End()], m.fileOnce(slices.Clone(b[x.Off:x.End()])))
		return b
	}
	field, text := model.Span{Off: x.Off - arHeader, Len: 16}, m.arName(len(b))
	switch m.Rand.IntN(4) {
	case 0, 1:
		field, text = model.Span{Off: x.Off - 12, Len: 10}, m.decimal(len(b))
	case 2:
		field, text = model.Span{Off: x.Off - 2, Len: 2}, "\n`"
	}
	copy(b[field.Off:field.End()], fmt.Sprintf("%-*s", field.Len, text))
	m.note("%q at 0x%x", text, field.Off)
	return b
}

// arName draws a name for a member: names with a special meaning, and right and
// wrong references to long names.
func (m *Mutator) arName(size int) string {
	names := []string{"/", "//", "/SYM64/", "/<XFGHASHMAP>/", "__.SYMDEF", "plain.o/", "", "/x", "/0:x", "#1/", "#1/x"}
	k := m.Rand.IntN(len(names) + 3)
	if k < len(names) {
		return names[k]
	}
	return [...]string{"/", "#1/", "/0:"}[k-len(names)] + m.decimal(size)
}

// decimal draws a number in the format of an archive.
func (m *Mutator) decimal(size int) string {
	switch m.Rand.IntN(4) {
	case 0:
		return strconv.Itoa(m.Rand.IntN(100))
	case 1:
		return strconv.Itoa(max(0, size+m.Rand.IntN(200)-150))
	case 2:
		return [...]string{"-1", "+1", "0x10", " 1", "99999999999", "1e3"}[m.Rand.IntN(6)]
	}
	return strconv.FormatUint(m.edge(40), 10)
}
