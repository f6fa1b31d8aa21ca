package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

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

// inFile returns the structure of the object that a finding begins in. data
// are the bytes of the file.
func inFile(data []byte, o *reader.Object, at model.Span) (string, []field) {
	if o.Base < int64(len(data)) {
		data = data[o.Base:]
	}
	if bytes.HasPrefix(data, []byte("!<")) {
		return "the header of a member", textFields(data, at.Off-memberField(data, at.Off), memberHeader)
	}
	if o.ELF == nil {
		if at.Off < elfHeaderSize && bytes.HasPrefix(data, []byte("\x7fELF")) {
			return "the ELF header", fields(data, 0, elfHeader, orderOf(data))
		}
		return "the file", plain(at, int64(len(data)))
	}
	if title, all := inELF(data, o, at); all != nil {
		return title, all
	}
	return "the file", plain(at, int64(len(data)))
}

// inELF returns the ELF structure that holds a span's start, nil for none.
func inELF(data []byte, o *reader.Object, at model.Span) (string, []field) {
	order := o.ELF.Order
	if at.Off < elfHeaderSize {
		return "the ELF header", fields(data, 0, elfHeader, order)
	}
	for i, s := range o.ELF.Sections {
		if s.Header.Contains(at.Off) {
			return strings.TrimSpace(fmt.Sprintf("section header %d %s", i, s.Name)), fields(data, s.Header.Off, sectionHeader, order)
		}
	}
	for i, p := range o.ELF.Segments {
		if p.Header.Contains(at.Off) {
			return fmt.Sprintf("program header %d", i), fields(data, p.Header.Off, programHeader, order)
		}
	}
	for _, sf := range o.SFrames {
		for i, r := range sf.Relocs {
			if r.Entry.Contains(at.Off) {
				return fmt.Sprintf("relocation %d", i), fields(data, r.Entry.Off, relaEntry, order)
			}
		}
	}
	return "", nil
}

func orderOf(data []byte) binary.ByteOrder {
	if data[5] == 2 { // EI_DATA: ELFDATA2MSB
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// fields reads the fields of a structure at an offset.
func fields(data []byte, off int64, layout []part, order binary.ByteOrder) []field {
	var all []field
	for _, p := range layout {
		sp := model.Span{Off: off, Len: p.size}
		x := field{sp, p.name, ""}
		if off += p.size; off <= int64(len(data)) && p.size <= 8 {
			x.value = number(data[sp.Off:off], order)
		}
		all = append(all, x)
	}
	return all
}

func number(b []byte, order binary.ByteOrder) string {
	var v uint64
	switch len(b) {
	case 2:
		v = uint64(order.Uint16(b))
	case 4:
		v = uint64(order.Uint32(b))
	case 8:
		v = order.Uint64(b)
	}
	return fmt.Sprintf("0x%x", v)
}

// textFields reads the fields of a structure of text.
func textFields(data []byte, off int64, layout []part) []field {
	var all []field
	for _, p := range layout {
		sp := model.Span{Off: off, Len: p.size}
		off += p.size
		inside := sp.Clip(int64(len(data)))
		all = append(all, field{sp, p.name, fmt.Sprintf("%q", data[inside.Off:inside.End()])})
	}
	return all
}

// memberField returns how far into its member header an offset lies: the
// header ends with "`\n".
func memberField(data []byte, off int64) int64 {
	var size int64
	for _, p := range memberHeader {
		size += p.size
	}
	for back := range size {
		if tail := off - back + size - 2; tail >= 0 && tail+2 <= int64(len(data)) && string(data[tail:tail+2]) == "`\n" {
			return back
		}
	}
	return 0
}
