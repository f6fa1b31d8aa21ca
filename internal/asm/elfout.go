package asm

import (
	"cmp"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/elf64"
	"github.com/sframe-lint/sframe-lint/internal/elfwrite"
	"github.com/sframe-lint/sframe-lint/internal/machinecode"
	"github.com/sframe-lint/sframe-lint/model"
)

// Output is what a text states.
type Output struct {
	Bytes   []byte // the file: only the section, or an ELF file
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

// wrapper writes the ELF file.
type wrapper struct {
	*layout
	file     elfwrite.File
	syms     []elf.Sym64
	index    map[string]uint32 // of symbols
	labels   map[string]uint32 // of sections, after all are there; the first one with a name
	segments []segment
	tables   map[uint32]*NameTable // by the index of the section
	headers  uint64                // offset of the sections' headers
}

func (w *wrapper) bytes() ([]byte, error) {
	w.file.Machine = model.LookupABI(w.abi).Machine
	if w.elf.machine >= 0 {
		w.file.Machine = elf.Machine(w.elf.machine)
	}
	if w.elf.order != "" {
		w.file.Order = map[string]binary.ByteOrder{"big": binary.BigEndian, "little": binary.LittleEndian}[w.elf.order]
	}
	w.segments = w.elf.segments
	if !w.elf.exact {
		if err := w.defaults(); err != nil {
			return nil, err
		}
	}
	for _, step := range []func() error{w.sframe, w.symbols, w.relocs, w.names, w.places, w.programs} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	w.file.Bare, w.file.Patch = true, w.header
	return w.patched(w.file.Bytes())
}

// header sets fields of the ELF header.
func (w *wrapper) header(h *elf.Header64) {
	h.Ident[elf.EI_OSABI], h.Flags = byte(w.elf.osabi), uint32(w.elf.flags)
	if h.Shoff = w.headers; w.elf.shoff == 0 {
		h.Shoff, h.Shentsize, h.Shnum, h.Shstrndx = 0, 0, 0, 0
	}
	if w.elf.phoff >= 0 {
		h.Phoff = uint64(w.elf.phoff)
	}
}

// patched returns the file with the bytes and the size that the text states.
func (w *wrapper) patched(b []byte) ([]byte, error) {
	for _, p := range w.elf.patches {
		end := p.off + int64(len(p.bytes))
		if end > w.limit {
			return nil, failure{p.at, fmt.Sprintf("its bytes end at 0x%x, beyond the limit of %d bytes", uint64(end), w.limit)}
		}
		if n := end - int64(len(b)); n > 0 {
			b = append(b, make([]byte, n)...)
		}
		copy(b[p.off:], p.bytes)
	}
	if n := w.elf.size; n > int64(len(b)) {
		b = append(b, make([]byte, n-int64(len(b)))...)
	} else if n >= 0 {
		b = b[:n]
	}
	return b, nil
}

// add adds a section that the text does not state.
func (w *wrapper) add(name, holds string, h elf.Section64) *elfSection {
	s := &elfSection{Section: elfwrite.Section{Label: name, Section64: h}, at: w.elf.at, holds: holds, name: -1}
	w.elf.sections = append(w.elf.sections, s)
	return s
}

// defaults adds the sections, symbols and segments that a text need not state.
func (w *wrapper) defaults() error {
	if w.text() == 0 && len(w.funcs) > 0 {
		if err := w.code(); err != nil {
			return err
		}
	}
	if w.elf.holder("sframe") == 0 {
		w.add(sframeName, "sframe", sframeHeader(w.unit))
	}
	w.functionSymbols()
	if w.functionRelocs(); len(w.elf.relocs) > 0 && w.elf.holder("relocs") == 0 {
		w.add(".rela"+sframeName, "relocs", elf.Section64{Type: uint32(elf.SHT_RELA), Flags: uint64(elf.SHF_INFO_LINK),
			Link: uint32(len(w.elf.sections) + 2), Info: w.elf.holder("sframe"), Addralign: 8, Entsize: elf64.RelaSize})
	}
	if w.elf.holder("symbols") == 0 {
		w.add(".symtab", "symbols", elf.Section64{Type: uint32(elf.SHT_SYMTAB), Link: uint32(len(w.elf.sections) + 2), Info: w.locals(), Addralign: 8, Entsize: elf.Sym64Size})
		w.add(".strtab", "", elf.Section64{Type: uint32(elf.SHT_STRTAB), Addralign: 1})
	}
	if w.elf.holder("names") == 0 {
		w.add(".shstrtab", "names", elf.Section64{Type: uint32(elf.SHT_STRTAB), Addralign: 1})
	}
	if w.relocatable || len(w.segments) > 0 {
		return nil
	}
	for i, s := range w.elf.sections {
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
		w.segments = append(w.segments, segment{at: w.elf.at, typ: uint32(elf.PT_LOAD), flags: uint32(flags), cover: []ref{{index: int64(i + 1)}}})
	}
	w.segments = append(w.segments, segment{at: w.elf.at, typ: elfwrite.PTGNUSFrame, flags: uint32(elf.PF_R), cover: []ref{{index: int64(w.elf.holder("sframe"))}}})
	return nil
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
	machine := machinecode.Of(&abi)
	code := make([]byte, end-first)
	for at := 0; len(machine.Nop) > 0 && at+len(machine.Nop) <= len(code); at += len(machine.Nop) {
		copy(code[at:], machine.Nop)
	}
	for _, f := range w.funcs {
		if n := uint64(len(machine.Return)); uint64(f.size) >= n {
			copy(code[uint64(f.start)-first+uint64(f.size)-n:], machine.Return)
		}
	}
	w.add(".text", "", elf.Section64{Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR), Addr: first, Addralign: 16}).Data = code
	return nil
}

// find returns the index of a section.
func (w *wrapper) find(r ref, at pos) (uint32, error) {
	if r.index >= 0 {
		return uint32(r.index), nil
	}
	if w.labels == nil {
		w.labels = map[string]uint32{}
		for i, s := range slices.Backward(w.elf.sections) {
			w.labels[s.Label] = uint32(i + 1)
		}
	}
	if i, ok := w.labels[r.name]; ok {
		return i, nil
	}
	return 0, failure{at, fmt.Sprintf("there is no section %q", r.name)}
}

// functionSymbols adds a symbol for each function without one, and puts local ones before others.
func (w *wrapper) functionSymbols() {
	given := map[string]bool{}
	for i := range w.elf.symbols {
		given[w.elf.symbols[i].name] = true
	}
	for _, f := range w.funcs {
		if !given[f.name] {
			w.elf.symbols = append(w.elf.symbols, symbol{at: f.at, name: f.name, nameAt: -1, value: f.start, size: f.size,
				section: ref{index: int64(w.containing(uint64(f.start)))}, info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC)})
		}
	}
	slices.SortStableFunc(w.elf.symbols, func(a, b symbol) int {
		return cmp.Compare(min(elf.ST_BIND(a.info), elf.STB_GLOBAL), min(elf.ST_BIND(b.info), elf.STB_GLOBAL))
	})
}

// containing returns the section with the code of a function.
func (w *wrapper) containing(start uint64) uint32 {
	for i, s := range w.elf.sections {
		if !w.relocatable && start >= s.Addr && start-s.Addr < max(s.Size, uint64(len(s.Data))) {
			return uint32(i + 1)
		}
	}
	return w.text()
}

// locals returns the index of the first symbol that is not local.
func (w *wrapper) locals() uint32 {
	for i := range w.elf.symbols {
		if elf.ST_BIND(w.elf.symbols[i].info) != elf.STB_LOCAL {
			return uint32(i + 1)
		}
	}
	return uint32(len(w.elf.symbols) + 1)
}

// functionRelocs adds a relocation for the start of each function without one, in a relocatable file.
func (w *wrapper) functionRelocs() {
	given := map[string]bool{}
	for _, r := range w.elf.relocs {
		given[r.fn] = true
	}
	for _, f := range w.funcs {
		if w.relocatable && !given[f.name] {
			w.elf.relocs = append(w.elf.relocs, reloc{at: f.at, fn: f.name, typ: int64(model.LookupABI(w.abi).StartReloc(w.version)), symbol: ref{f.name, -1}})
		}
	}
}
