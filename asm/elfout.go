package asm

import (
	"debug/elf"
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/elfwrite"
	"github.com/sframe-lint/sframe-lint/model"
)

// Output is what a text states.
type Output struct {
	Bytes   []byte // the file: the section alone, or an ELF file
	Section []byte // the section
	Addr    uint64 // of the section
	ELF     bool   // Bytes are an ELF file
	BigEndian,
	Relocatable bool

	layout *layout
}

// Span returns the bytes of a field in the section, by the name that assignments use. It reports
// whether there is such a field.
func (o *Output) Span(name string) (model.Span, bool) { return o.layout.span(name) }

// assemble returns the output of a unit.
func (u *unit) assemble(opts Options) (*Output, error) {
	l, err := u.section(opts.Limit)
	if err != nil {
		return nil, err
	}
	o := &Output{Bytes: l.out, Section: l.out, Addr: uint64(u.addr), BigEndian: u.big, Relocatable: u.relocatable, layout: l}
	if u.elf == nil {
		return o, nil
	}
	o.ELF = true
	w := &wrapper{layout: l, file: elfwrite.File{Type: u.elf.typ, Order: u.order(), Entry: uint64(u.elf.entry)}}
	o.Bytes, err = w.bytes()
	return o, err
}

// maxCode bounds the code that no section of the text contains.
const maxCode = 1 << 20

// pageSize is the modulus in which addresses and file offsets of loaded sections agree.
const pageSize = 0x1000

// wrapper writes the ELF file.
type wrapper struct {
	*layout
	file   elfwrite.File
	sframe *elfwrite.Section
	names  elfwrite.Strings
	syms   []elf.Sym64
	index  map[string]uint32 // of symbols
}

func (w *wrapper) bytes() ([]byte, error) {
	w.file.Machine = model.LookupABI(w.abi).Machine
	if w.elf.machine >= 0 {
		w.file.Machine = elf.Machine(w.elf.machine)
	}
	total := int64(len(w.out))
	for _, s := range w.elf.sections {
		w.file.Sections = append(w.file.Sections, &s.Section)
		if s.Label == sframeName && w.sframe == nil {
			w.sframe = &s.Section
		}
		total += int64(len(s.Data))
	}
	if total > w.limit {
		return nil, failure{w.elf.sections[0].at, fmt.Sprintf("the file has more than %d bytes", w.limit)}
	}
	if w.text() == 0 && len(w.funcs) > 0 {
		if err := w.code(); err != nil {
			return nil, err
		}
	}
	if w.sframe == nil {
		w.sframe = &elfwrite.Section{Label: sframeName, Section64: sframeHeader(w.unit)}
		w.file.Sections = append(w.file.Sections, w.sframe)
	}
	if elf.SectionType(w.sframe.Type) != elf.SHT_NOBITS {
		w.sframe.Data = w.out
	}
	if w.sframe.Size == 0 {
		w.sframe.Size = uint64(len(w.out))
	}
	if err := w.symbols(); err != nil {
		return nil, err
	}
	if err := w.relocs(); err != nil {
		return nil, err
	}
	w.file.Sections = append(w.file.Sections,
		&elfwrite.Section{Label: ".symtab", Data: elfwrite.Encode(w.order(), w.syms), Section64: elf.Section64{
			Type: uint32(elf.SHT_SYMTAB), Link: uint32(len(w.file.Sections) + 2), Info: w.locals(), Addralign: 8, Entsize: elf.Sym64Size}},
		&elfwrite.Section{Label: ".strtab", Data: w.names.Bytes(), Section64: elf.Section64{Type: uint32(elf.SHT_STRTAB), Addralign: 1}})
	if err := w.segments(); err != nil {
		return nil, err
	}
	return w.file.Bytes(), nil
}

// text returns the index of the first section with code, 0 for none.
func (w *wrapper) text() uint32 {
	for i, s := range w.file.Sections {
		if s.Flags&uint64(elf.SHF_EXECINSTR) != 0 {
			return uint32(i + 1)
		}
	}
	return 0
}

// code adds a section of code: instructions that do nothing, and a return at the end of each function.
func (w *wrapper) code() error {
	first, end := uint64(w.funcs[0].start), uint64(0)
	for _, f := range w.funcs {
		first = min(first, uint64(f.start))
		end = max(end, uint64(f.start)+uint64(f.size))
	}
	if w.relocatable {
		first = 0
	}
	if end-first > maxCode {
		return failure{w.funcs[0].at, fmt.Sprintf("the functions extend over more than %d bytes: give a .section with their code", maxCode)}
	}
	abi := model.LookupABI(w.abi)
	code := make([]byte, end-first)
	for at := 0; len(abi.Nop) > 0 && at+len(abi.Nop) <= len(code); at += len(abi.Nop) {
		copy(code[at:], abi.Nop)
	}
	for _, f := range w.funcs {
		if n := uint64(len(abi.Return)); uint64(f.size) >= n {
			copy(code[uint64(f.start)-first+uint64(f.size)-n:], abi.Return)
		}
	}
	w.file.Sections = append(w.file.Sections, &elfwrite.Section{Label: ".text", Data: code, Section64: elf.Section64{
		Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR), Addr: first, Addralign: 16}})
	return nil
}

// section returns the index of a section by its name, 0 for none.
func (w *wrapper) section(name string) uint32 {
	for i, s := range w.file.Sections {
		if s.Label == name {
			return uint32(i + 1)
		}
	}
	return 0
}

// symbols makes the symbol table: the text's symbols, and one for each function without one.
func (w *wrapper) symbols() error {
	w.syms, w.index = make([]elf.Sym64, 1), map[string]uint32{}
	all := w.elf.symbols
	given := map[string]bool{}
	for i := range w.elf.symbols {
		given[w.elf.symbols[i].name] = true
	}
	for _, f := range w.funcs {
		if !given[f.name] {
			all = append(all, symbol{at: f.at, name: f.name, value: f.start, size: f.size, section: "*", info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC)})
		}
	}
	for _, local := range []bool{true, false} {
		for _, s := range all {
			if (elf.ST_BIND(s.info) == elf.STB_LOCAL) != local {
				continue
			}
			place := uint32(0)
			switch {
			case s.section == "*":
				place = w.containing(uint64(s.value))
			case s.section != "":
				if place = w.section(s.section); place == 0 {
					return failure{s.at, fmt.Sprintf("there is no section %q", s.section)}
				}
			}
			w.index[s.name] = uint32(len(w.syms))
			w.syms = append(w.syms, elf.Sym64{Name: w.names.Add(s.name), Info: s.info, Shndx: uint16(place), Value: uint64(s.value), Size: uint64(s.size)})
		}
	}
	return nil
}

// containing returns the section with the code of a function.
func (w *wrapper) containing(start uint64) uint32 {
	for i, s := range w.file.Sections {
		if !w.relocatable && start >= s.Addr && start-s.Addr < max(s.Size, uint64(len(s.Data))) {
			return uint32(i + 1)
		}
	}
	return w.text()
}

// locals returns the index of the first symbol that is not local.
func (w *wrapper) locals() uint32 {
	for i, s := range w.syms[1:] {
		if elf.ST_BIND(s.Info) != elf.STB_LOCAL {
			return uint32(i + 1)
		}
	}
	return uint32(len(w.syms))
}

// relocs adds the relocations: the text's, and in a relocatable file one for each function without.
func (w *wrapper) relocs() error {
	var all []elf.Rela64
	given := map[string]bool{}
	add := func(off int64, typ uint32, name string, addend int64, at pos) error {
		sym, ok := w.index[name]
		if !ok {
			return failure{at, fmt.Sprintf("there is no symbol %q", name)}
		}
		all = append(all, elf.Rela64{Off: uint64(off), Info: elf.R_INFO(sym, typ), Addend: addend})
		return nil
	}
	for _, r := range w.elf.relocs {
		off := r.off
		if r.fn != "" {
			f := w.byName[r.fn]
			if f == nil {
				return failure{r.at, fmt.Sprintf("there is no function %q", r.fn)}
			}
			off, given[r.fn] = f.place.fde, true
		}
		if r.none {
			continue
		}
		if err := add(off, uint32(r.typ), r.symbol, r.addend, r.at); err != nil {
			return err
		}
	}
	abi := model.LookupABI(w.abi)
	for _, f := range w.funcs {
		if w.relocatable && !given[f.name] {
			if err := add(f.place.fde, abi.StartReloc(w.version), f.name, 0, f.at); err != nil {
				return err
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	w.file.Sections = append(w.file.Sections, &elfwrite.Section{Label: ".rela" + sframeName, Data: elfwrite.Encode(w.order(), all), Section64: elf.Section64{
		Type: uint32(elf.SHT_RELA), Flags: uint64(elf.SHF_INFO_LINK), Link: uint32(len(w.file.Sections) + 2), Info: w.section(sframeName),
		Addralign: 8, Entsize: 24}})
	return nil
}

// segments adds the program headers: the text's, or one for each section in memory and that of the
// SFrame section.
func (w *wrapper) segments() error {
	add := func(typ, flags uint32, s *elfwrite.Section) {
		p := elf.Prog64{Type: typ, Flags: flags, Vaddr: s.Addr, Paddr: s.Addr, Filesz: uint64(len(s.Data)),
			Memsz: max(s.Size, uint64(len(s.Data))), Align: s.Addralign}
		if typ == uint32(elf.PT_LOAD) {
			p.Align = pageSize
		}
		w.file.Segments = append(w.file.Segments, elfwrite.Segment{Prog64: p, Covers: s})
	}
	if !w.relocatable {
		w.file.Page = pageSize
	}
	for _, s := range w.elf.segments {
		i := w.section(s.cover)
		if i == 0 {
			return failure{s.at, fmt.Sprintf("there is no section %q", s.cover)}
		}
		add(s.typ, s.flags, w.file.Sections[i-1])
	}
	if w.relocatable || len(w.elf.segments) > 0 {
		return nil
	}
	for _, s := range w.file.Sections {
		if s.Flags&uint64(elf.SHF_ALLOC) == 0 {
			continue
		}
		flags := elf.PF_R
		if s.Flags&uint64(elf.SHF_EXECINSTR) != 0 {
			flags |= elf.PF_X
		}
		if s.Flags&uint64(elf.SHF_WRITE) != 0 {
			flags |= elf.PF_W
		}
		add(uint32(elf.PT_LOAD), uint32(flags), s)
	}
	add(elfwrite.PTGNUSFrame, uint32(elf.PF_R), w.sframe)
	return nil
}
