package asm

import (
	"debug/elf"
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/elf64"
	"github.com/sframe-lint/sframe-lint/internal/elfwrite"
)

// sframe fills the SFrame section.
func (w *wrapper) sframe() error {
	total := int64(0)
	for _, s := range w.elf.sections {
		if s.holds == "sframe" && elf.SectionType(s.Type) != elf.SHT_NOBITS {
			s.Data = w.out
		}
		if s.holds == "sframe" && !s.Raw && s.Size == 0 {
			s.Size = uint64(len(w.out))
		}
		if total += int64(len(s.Data)); total > w.limit {
			return failure{s.at, fmt.Sprintf("the file has more than %d bytes", w.limit)}
		}
	}
	return nil
}

// held returns the section that the assembler fills with something, nil for none.
func (w *wrapper) held(what string) *elfSection {
	if i := w.elf.holder(what); i > 0 {
		return w.elf.sections[i-1]
	}
	return nil
}

// symbols fills the symbol table, and the table of their names.
func (w *wrapper) symbols() error {
	w.syms, w.index = make([]elf.Sym64, 1, len(w.elf.symbols)+1), map[string]uint32{}
	table := w.held("symbols")
	var strings *NameTable
	if table != nil {
		if strings = w.table(table.Link); strings == nil {
			return failure{table.at, fmt.Sprintf("section %d can't have the names of its symbols: link=N gives the section", table.Link)}
		}
	}
	for _, s := range w.elf.symbols {
		place, err := w.find(s.section, s.at)
		if err != nil {
			return err
		}
		at, ok := uint32(s.nameAt), true
		if s.nameAt < 0 && table != nil {
			at, ok = strings.Offset(s.name)
		}
		if !ok {
			return failure{s.at, fmt.Sprintf("section %d has no name %q: name=N gives an offset", table.Link, s.name)}
		}
		w.index[s.name] = uint32(len(w.syms))
		w.syms = append(w.syms, elf.Sym64{Name: at, Info: s.info, Other: s.other, Shndx: uint16(place), Value: uint64(s.value), Size: uint64(s.size)})
	}
	if table != nil {
		table.Data = elfwrite.Encode(w.file.Order, w.syms)
	}
	return nil
}

// table returns the string table in a section that can be one, else nil.
func (w *wrapper) table(section uint32) *NameTable {
	if section == 0 || uint64(section) > uint64(len(w.elf.sections)) {
		return nil
	}
	s := w.elf.sections[section-1]
	if s.holds != "" && s.holds != "names" {
		return nil
	}
	if w.tables[section] == nil {
		if w.tables == nil {
			w.tables = map[uint32]*NameTable{}
		}
		if w.tables[section] = NewNameTable(s.Data); s.Raw && s.Size == 0 {
			w.tables[section].stated = true
		}
	}
	return w.tables[section]
}

// relocs fills the relocations of the SFrame section.
func (w *wrapper) relocs() error {
	table := w.held("relocs")
	if table == nil {
		if len(w.elf.relocs) > 0 && w.elf.exact {
			return failure{w.elf.relocs[0].at, "no section holds relocations: .section NAME holds=relocs"}
		}
		return nil
	}
	for _, r := range w.elf.relocs {
		off := r.off
		if r.fn != "" {
			f := w.byName[r.fn]
			if f == nil {
				return failure{r.at, fmt.Sprintf("there is no function %q", r.fn)}
			}
			off = f.place.fde
		}
		if r.none {
			continue
		}
		sym, ok := uint32(r.symbol.index), true
		if r.symbol.index < 0 {
			sym, ok = w.index[r.symbol.name]
		}
		if !ok {
			return failure{r.at, fmt.Sprintf("there is no symbol %q", r.symbol.name)}
		}
		e := elf.Rela64{Off: uint64(off), Info: elf.R_INFO(sym, uint32(r.typ)), Addend: r.addend}
		b := elfwrite.Encode(w.file.Order, e)
		if elf.SectionType(table.Type) == elf.SHT_REL {
			if r.addend != 0 {
				return failure{r.at, "relocations of the type rel have no addends"}
			}
			b = b[:elf64.RelaAddend.Off]
		}
		table.Data = append(table.Data, b...)
	}
	return nil
}

// names fills the table of the sections' names, and sets where each is.
func (w *wrapper) names() error {
	holder := w.elf.holder("names")
	strings := w.table(holder)
	if strings != nil {
		w.file.Names = &w.elf.sections[holder-1].Section
	}
	for _, s := range w.elf.sections {
		if s.name >= 0 {
			s.Name = uint32(s.name)
			continue
		}
		at, ok := uint32(0), s.Label == ""
		if strings != nil {
			at, ok = strings.Offset(s.Label)
		}
		if !ok {
			return failure{s.at, fmt.Sprintf("no section has the name %q: name=N gives an offset", s.Label)}
		}
		s.Name = at
	}
	for i, t := range w.tables {
		if !t.stated {
			w.elf.sections[i-1].Data = t.Bytes()
		}
	}
	return nil
}

// places gives the sections their offsets and sizes.
func (w *wrapper) places() error {
	at := NewPlaces(w.elf.typ, len(w.segments))
	for _, s := range w.elf.sections {
		if !s.Raw && s.Size == 0 {
			s.Size = uint64(len(s.Data))
		}
		s.Raw = true
		if !s.placed {
			s.Off = at.Next(&s.Section64)
		}
		n := uint64(len(s.Data))
		if n > 0 && (s.Off > uint64(w.limit) || s.Off+n > uint64(w.limit)) {
			return failure{s.at, fmt.Sprintf("section %q has %d bytes at 0x%x, beyond the limit of %d bytes", s.Label, n, s.Off, w.limit)}
		}
		if n > 0 {
			at.Put(s.Off, n)
		}
		w.file.Sections = append(w.file.Sections, &s.Section)
	}
	if w.headers = at.Headers(); w.elf.shoff >= 0 {
		w.headers = uint64(w.elf.shoff)
	}
	return nil
}

// mostCovered bounds the sections that all segments together cover.
const mostCovered = 1 << 20

// programs adds the program headers.
func (w *wrapper) programs() error {
	left := mostCovered
	for _, s := range w.segments {
		p := elf.Prog64{Type: s.typ, Flags: s.flags}
		var ends [2]uint32
		for i, r := range s.cover {
			n, err := w.find(r, s.at)
			if err == nil && (n == 0 || uint64(n) > uint64(len(w.elf.sections))) {
				err = failure{s.at, fmt.Sprintf("there is no section %d", n)}
			}
			if err != nil {
				return err
			}
			ends[i] = n
		}
		if len(s.cover) > 0 {
			if left -= int(max(ends[0], ends[len(s.cover)-1]) - ends[0]); left < 0 {
				return failure{s.at, fmt.Sprintf("the segments cover more than %d sections", mostCovered)}
			}
			covered := w.file.Sections[ends[0]-1 : max(ends[0], ends[len(s.cover)-1])]
			heads, sizes := make([]elf.Section64, len(covered)), make([]uint64, len(covered))
			for i, c := range covered {
				heads[i], sizes[i] = c.Section64, uint64(len(c.Data))
			}
			p = Covering(s.typ, s.flags, heads, sizes)
		}
		for _, f := range SegmentFields {
			if v, ok := s.set[f.Name]; ok {
				*f.Field(&p) = v
			}
		}
		w.file.Segments = append(w.file.Segments, elfwrite.Segment{Prog64: p})
	}
	return nil
}
