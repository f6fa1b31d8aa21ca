package fields

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sort"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// part is a field of a structure of fixed layout.
type part struct {
	name string
	size int64
}

// Structures of ELF64 and of archives, as their specifications call them.
var (
	elfHeader = []part{
		{"e_ident", 16}, {"e_type", 2}, {"e_machine", 2}, {"e_version", 4}, {"e_entry", 8}, {"e_phoff", 8}, {"e_shoff", 8},
		{"e_flags", 4}, {"e_ehsize", 2}, {"e_phentsize", 2}, {"e_phnum", 2}, {"e_shentsize", 2}, {"e_shnum", 2}, {"e_shstrndx", 2},
	}
	sectionHeader = []part{
		{"sh_name", 4}, {"sh_type", 4}, {"sh_flags", 8}, {"sh_addr", 8}, {"sh_offset", 8}, {"sh_size", 8},
		{"sh_link", 4}, {"sh_info", 4}, {"sh_addralign", 8}, {"sh_entsize", 8},
	}
	programHeader = []part{
		{"p_type", 4}, {"p_flags", 4}, {"p_offset", 8}, {"p_vaddr", 8}, {"p_paddr", 8}, {"p_filesz", 8}, {"p_memsz", 8}, {"p_align", 8},
	}
	relaEntry    = []part{{"r_offset", 8}, {"r_info", 8}, {"r_addend", 8}}
	memberHeader = []part{
		{"ar_name", 16}, {"ar_date", 12}, {"ar_uid", 6}, {"ar_gid", 6}, {"ar_mode", 8}, {"ar_size", 10}, {"ar_fmag", 2},
	}
)

const elfHeaderSize = 64

// inFile returns the structure of the object that a place begins in.
func inFile(read func(model.Span) []byte, o *reader.Object, at model.Span) (string, []model.Field) {
	start := read(model.Span{Len: elfHeaderSize})
	if bytes.HasPrefix(start, []byte("!<")) {
		return "the header of a member", textFields(read, at.Off-memberField(read, at.Off))
	}
	order := binary.ByteOrder(nil)
	switch {
	case o.ELF != nil:
		order = o.ELF.Order
	case bytes.HasPrefix(start, []byte("\x7fELF")) && len(start) == elfHeaderSize:
		order = orderOf(start)
	}
	if order == nil {
		return "the file", plain(at)
	}
	title, off, layout := "the ELF header", int64(0), elfHeader
	if at.Off >= elfHeaderSize {
		if title, off, layout = inELF(o, at.Off); title == "" {
			return "the file", plain(at)
		}
	}
	return title, fields(read, off, layout, order)
}

// inELF returns the ELF structure at an offset, its start and its layout; "" for none.
func inELF(o *reader.Object, at int64) (title string, off int64, layout []part) {
	if o.ELF == nil {
		return "", 0, nil
	}
	for i := range o.ELF.Sections {
		if s := &o.ELF.Sections[i]; s.Header.Contains(at) {
			return strings.TrimSpace(fmt.Sprintf("section header %d %s", i, escape.Cut(s.Name, escape.MaxName))), s.Header.Off, sectionHeader
		}
	}
	for i := range o.ELF.Segments {
		if p := &o.ELF.Segments[i]; p.Header.Contains(at) {
			return fmt.Sprintf("program header %d", i), p.Header.Off, programHeader
		}
	}
	for _, sf := range o.SFrames {
		i := sort.Search(len(sf.Relocs), func(i int) bool { return sf.Relocs[i].Entry.End() > at })
		if i < len(sf.Relocs) && sf.Relocs[i].Entry.Contains(at) {
			return fmt.Sprintf("relocation %d", i), sf.Relocs[i].Entry.Off, relaEntry
		}
	}
	return "", 0, nil
}

func orderOf(header []byte) binary.ByteOrder {
	if header[5] == 2 { // EI_DATA: ELFDATA2MSB
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// fields reads the fields of a structure at an offset.
func fields(read func(model.Span) []byte, off int64, layout []part, order binary.ByteOrder) []model.Field {
	var all []model.Field
	for _, p := range layout {
		x := model.Field{Span: model.Span{Off: off, Len: p.size}, Name: p.name}
		off += p.size
		if b := read(x.Span); p.size <= 8 && int64(len(b)) == p.size {
			x.Value = fmt.Sprintf("0x%x", number.Get(order, b))
		}
		all = append(all, x)
	}
	return all
}

// textFields reads the fields of the header of an archive member.
func textFields(read func(model.Span) []byte, off int64) []model.Field {
	var all []model.Field
	for _, p := range memberHeader {
		sp := model.Span{Off: off, Len: p.size}
		off += p.size
		all = append(all, model.Field{Span: sp, Name: p.name, Value: fmt.Sprintf("%q", read(sp))})
	}
	return all
}

// memberField returns how far into its member header an offset lies: the
// header ends with "`\n".
func memberField(read func(model.Span) []byte, off int64) int64 {
	const size = 60
	for back := range int64(size) {
		if tail := off - back + size - 2; tail >= 0 && string(read(model.Span{Off: tail, Len: 2})) == "`\n" {
			return back
		}
	}
	return 0
}
