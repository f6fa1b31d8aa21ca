package asm

import (
	"cmp"
	"debug/elf"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/machinecode"
	"github.com/sframe-lint/sframe-lint/model"
)

// Output is the result of assembling a text.
type Output struct {
	Bytes   []byte // the file: a raw section or an ELF file
	Section []byte // the section
	Addr    uint64 // of the section
	ELF     bool   // Bytes is an ELF file
	BigEndian,
	Relocatable bool

	layout *layout
}

// Span returns the bytes of a field in the section, and whether there is such a field. Assignments use the same
// names.
func (o *Output) Span(name string) (model.Span, bool) { return o.layout.span(name) }

// assemble returns the output of a unit.
func (u *unit) assemble(opts Options) *Output {
	l := u.section(opts.Limit)
	o := &Output{Bytes: l.out, Section: l.out, Addr: uint64(u.addr), BigEndian: u.big, Relocatable: u.relocatable, layout: l}
	if u.elf != nil {
		o.ELF = true
		o.Bytes = (&wrapper{layout: l, index: map[string]uint32{}}).bytes()
	}
	return o
}

const (
	// maxCode bounds the code that no section of the text contains.
	maxCode = 1 << 20
	// pageSize is the modulus in which addresses and file offsets of loaded sections agree.
	pageSize = 0x1000
)

// wrapper writes the ELF file.
type wrapper struct {
	*layout
	file  elf64.File
	index map[string]uint32 // of symbols
}

func (w *wrapper) bytes() []byte {
	w.file = elf64.File{Type: w.elf.typ, Machine: model.LookupABI(w.abi).Machine, Order: w.order()}
	if w.text() == 0 && len(w.funcs) > 0 {
		w.code()
	}
	if w.elf.sframe == nil {
		w.elf.sframe = w.add(sframeName, sframeHeader(w.unit), nil)
	}
	if s := w.elf.sframe; elf.SectionType(s.Type) != elf.SHT_NOBITS {
		s.Data = w.out
	} else if s.Size == 0 {
		s.Size = uint64(len(w.out))
	}
	if !w.relocatable {
		w.file.Page = pageSize
	}
	total := uint64(0)
	for _, s := range w.elf.sections { // alignment moves a section by less than this
		if total += uint64(len(s.Data)) + min(s.Addralign, uint64(w.limit)) + w.file.Page; total > uint64(w.limit) {
			fail(s.at, "the file has more than %d bytes", w.limit)
		}
	}
	w.functionSymbols()
	symbols, names := w.symbols()
	relocs := w.relocs()
	if len(relocs) > 0 {
		w.add(".rela"+sframeName, elf.Section64{Type: uint32(elf.SHT_RELA), Flags: uint64(elf.SHF_INFO_LINK), Link: uint32(len(w.elf.sections) + 2),
			Info: uint32(slices.Index(w.elf.sections, w.elf.sframe) + 1), Addralign: 8, Entsize: elf64.RelaSize}, relocs)
	}
	w.add(".symtab", elf.Section64{Type: uint32(elf.SHT_SYMTAB), Link: uint32(len(w.elf.sections) + 2), Info: w.locals(), Addralign: 8, Entsize: elf.Sym64Size}, symbols)
	w.add(".strtab", elf.Section64{Type: uint32(elf.SHT_STRTAB), Addralign: 1}, names)
	for _, s := range w.elf.sections {
		w.file.Sections = append(w.file.Sections, &s.Section)
	}
	if !w.relocatable {
		w.segments()
	}
	return w.file.Bytes()
}

// add adds a section that the text does not state.
func (w *wrapper) add(name string, h elf.Section64, data []byte) *elfSection {
	s := &elfSection{Section: elf64.Section{Label: name, Section64: h, Data: data}, at: w.elf.at}
	w.elf.sections = append(w.elf.sections, s)
	return s
}

// text returns the index of the first section with code, 0 for none.
func (w *wrapper) text() uint32 {
	for i, s := range w.elf.sections {
		if s.Flags&uint64(elf.SHF_EXECINSTR) != 0 {
			return uint32(i + 1)
		}
	}
	return 0
}

// code adds a section of code: instructions that do nothing, and a return at the end of each function.
func (w *wrapper) code() {
	first, end := uint64(w.funcs[0].start), uint64(0)
	for _, f := range w.funcs {
		first = min(first, uint64(f.start))
		end = max(end, uint64(f.start)+uint64(f.size))
	}
	if w.relocatable {
		first = 0
	}
	if end-first > maxCode {
		fail(w.funcs[0].at, "the functions extend over more than %d bytes: give a .section with their code", maxCode)
	}
	abi := model.LookupABI(w.abi)
	machine := machinecode.Of(abi.Machine)
	code := make([]byte, end-first)
	for at := 0; len(machine.Nop) > 0 && at+len(machine.Nop) <= len(code); at += len(machine.Nop) {
		copy(code[at:], machine.Nop)
	}
	for _, f := range w.funcs {
		if n := uint64(len(machine.Return)); uint64(f.size) >= n {
			copy(code[uint64(f.start)-first+uint64(f.size)-n:], machine.Return)
		}
	}
	w.add(textName, elf.Section64{Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR), Addr: first, Addralign: 16}, code)
}

// functionSymbols adds a symbol for each function without one, and puts local ones before others.
func (w *wrapper) functionSymbols() {
	given := map[string]bool{}
	for i := range w.elf.symbols {
		given[w.elf.symbols[i].name] = true
	}
	for _, f := range w.funcs {
		if !given[f.name] {
			w.elf.symbols = append(w.elf.symbols, symbol{at: f.at, name: f.name, value: f.start, size: f.size,
				section: w.containing(uint64(f.start)), bind: elf.STB_GLOBAL, typ: elf.STT_FUNC})
		}
	}
	slices.SortStableFunc(w.elf.symbols, func(a, b symbol) int { return cmp.Compare(min(a.bind, elf.STB_GLOBAL), min(b.bind, elf.STB_GLOBAL)) })
}

// containing returns the name of the section with the code of a function.
func (w *wrapper) containing(start uint64) string {
	for _, s := range w.elf.sections {
		if !w.relocatable && start >= s.Addr && start-s.Addr < max(s.Size, uint64(len(s.Data))) {
			return s.Label
		}
	}
	return w.elf.sections[w.text()-1].Label
}

// symbols returns the symbol table and the table of names.
func (w *wrapper) symbols() (table, names []byte) {
	labels := map[string]uint16{} // of sections; the first one with a name
	for i, s := range slices.Backward(w.elf.sections) {
		labels[s.Label] = uint16(i + 1)
	}
	labels[""] = 0
	var strings elf64.Strings
	all := make([]elf.Sym64, 1, len(w.elf.symbols)+1)
	for _, s := range w.elf.symbols {
		section, ok := labels[s.section]
		if !ok {
			fail(s.at, "the text has no section %q", s.section)
		}
		w.index[s.name] = uint32(len(all))
		all = append(all, elf.Sym64{Name: strings.Add(s.name), Info: elf.ST_INFO(s.bind, s.typ), Shndx: section, Value: uint64(s.value), Size: uint64(s.size)})
	}
	return elf64.Encode(w.file.Order, all), strings.Bytes()
}

// locals returns the index of the first symbol that is not local.
func (w *wrapper) locals() uint32 {
	at := slices.IndexFunc(w.elf.symbols, func(s symbol) bool { return s.bind != elf.STB_LOCAL })
	if at < 0 {
		at = len(w.elf.symbols)
	}
	return uint32(at + 1)
}

// relocs returns the relocations of the SFrame section: those of the text and, in a relocatable file, one for
// the start of each other function.
func (w *wrapper) relocs() (table []byte) {
	given := map[string]bool{}
	for _, r := range w.elf.relocs {
		given[r.fn] = true
	}
	all := w.elf.relocs
	for _, f := range w.funcs {
		if w.relocatable && !given[f.name] {
			all = append(all, reloc{at: f.at, fn: f.name, typ: int64(model.LookupABI(w.abi).StartReloc(w.version)), symbol: f.name})
		}
	}
	for _, r := range all {
		if r.fn != "" {
			f := w.byName[r.fn]
			if f == nil {
				fail(r.at, "there is no function %q", r.fn)
			}
			r.off = f.place.fde
		}
		if r.none {
			continue
		}
		sym, ok := w.index[r.symbol]
		if !ok {
			fail(r.at, "there is no symbol %q", r.symbol)
		}
		table = append(table, elf64.Encode(w.file.Order, elf.Rela64{Off: uint64(r.off), Info: elf.R_INFO(sym, uint32(r.typ)), Addend: r.addend})...)
	}
	return table
}

// segments loads each section in memory, and shows the SFrame section.
func (w *wrapper) segments() {
	for _, s := range w.elf.sections {
		if s.Flags&uint64(elf.SHF_ALLOC) != 0 {
			w.file.Segments = append(w.file.Segments, elf64.Load(&s.Section, pageSize))
		}
	}
	w.file.Segments = append(w.file.Segments, elf64.Cover(elf64.PTGNUSFrame, elf.PF_R, &w.elf.sframe.Section))
}
