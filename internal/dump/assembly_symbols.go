package dump

import (
	"bytes"
	"debug/elf"
	"slices"
	"strconv"

	"github.com/sframe-lint/sframe-lint/internal/asm"
	"github.com/sframe-lint/sframe-lint/internal/elf64"
)

// readSymbols reads the symbols that the text states.
func (t *elfText) readSymbols() {
	i := slices.Index(t.holds, "symbols")
	if i <= 0 {
		return
	}
	table, names := t.contents(i), t.contents(int(t.e.Sections[i].Link))
	t.syms = make([]elf.Sym64, len(table)/elf64.SymSize)
	t.names = make([]string, len(t.syms))
	shared := len(names) // bytes of names that several symbols may share
	for k := range t.syms {
		decode(t.e.Order, table[k*elf64.SymSize:], &t.syms[k])
		at := uint64(t.syms[k].Name)
		if at >= uint64(len(names)) {
			continue
		}
		if n := bytes.IndexByte(names[at:], 0); n >= 0 && n <= 4*shared {
			t.names[k] = string(names[at : at+uint64(n)])
			shared -= n / 4
		}
	}
}

var (
	symbolTypes = inverse(asm.SymbolTypes)
	symbolBinds = inverse(asm.SymbolBinds)
)

// symbols writes the symbols.
func (t *elfText) symbols() {
	i := slices.Index(t.holds, "symbols")
	for k := 1; k < len(t.syms); k++ {
		s := &t.syms[k]
		t.printf(".symbol %s 0x%x", quoted(t.names[k]), s.Value)
		t.named(int(t.e.Sections[i].Link), t.names[k], s.Name)
		t.attribute("size", s.Size, 0)
		if name, ok := symbolBinds[uint64(elf.ST_BIND(s.Info))]; ok {
			t.str(" " + name)
		} else {
			t.printf(" bind=%d", elf.ST_BIND(s.Info))
		}
		if name, ok := symbolTypes[uint64(elf.ST_TYPE(s.Info))]; ok {
			t.str(" " + name)
		} else {
			t.printf(" type=%d", elf.ST_TYPE(s.Info))
		}
		t.attribute("other", uint64(s.Other), 0)
		if s.Shndx == 0 {
			t.str(" undefined")
		} else {
			t.str(" section=" + t.sectionRef(int(s.Shndx)))
		}
		t.printf("  # %d\n", k)
		t.spill()
	}
}

// sectionRef returns the name of a section that no other one has, else its index.
func (t *elfText) sectionRef(i int) string {
	if i < len(t.e.Sections) && i > 0 && t.count[t.e.Sections[i].Name] == 1 && t.e.Sections[i].Name != "" {
		return quoted(t.e.Sections[i].Name)
	}
	return strconv.Itoa(i)
}

// relocs writes the relocations of the SFrame section.
func (t *elfText) relocs() {
	i := slices.Index(t.holds, "relocs")
	if i <= 0 {
		return
	}
	count := map[string]int{}
	for k := 1; k < len(t.names); k++ {
		count[t.names[k]]++
	}
	types := map[uint32]string{}
	size := int(t.e.Sections[i].EntSize)
	for b := t.contents(i); len(b) >= size; b = b[size:] {
		var r elf.Rela64
		var whole [elf64.RelaSize]byte
		copy(whole[:], b[:size])
		decode(t.e.Order, whole[:], &r)
		t.str(".reloc ")
		if name, ok := t.starts[int64(r.Off)]; ok {
			t.str(name)
		} else {
			t.printf("0x%x", r.Off)
		}
		typ := uint32(r.Info)
		if _, ok := types[typ]; !ok {
			types[typ] = t.relocType(typ)
		}
		t.str(" " + types[typ] + " ")
		if sym := int(r.Info >> 32); sym > 0 && sym < len(t.names) && t.names[sym] != "" && count[t.names[sym]] == 1 {
			t.str(quoted(t.names[sym]))
		} else {
			t.dec(int64(sym))
		}
		if r.Addend != 0 {
			if r.Addend > 0 {
				t.str("+")
			}
			t.dec(r.Addend)
		}
		t.str("\n")
		t.spill()
	}
}

// relocType returns the name of a type of relocations, or its number if the assembler does not find it by
// the name.
func (t *elfText) relocType(typ uint32) string {
	if name := t.abi.RelocName(typ); typ < asm.NamedRelocs && asm.Plain(name) {
		return name
	}
	return strconv.FormatUint(uint64(typ), 10)
}

// mostCovered bounds the sections that all segments together cover by their names.
const mostCovered = 1 << 18

// segments writes the headers of segments.
func (t *elfText) segments() {
	left := mostCovered
	for i := range t.e.Segments {
		var p elf.Prog64
		decode(t.e.Order, t.file[t.e.Segments[i].Header.Off:], &p)
		t.word(".segment ", uint64(p.Type), segmentTypes)
		t.str(" ")
		if name, ok := segmentFlags[p.Flags]; ok {
			t.str(name)
		} else {
			t.number(uint64(p.Flags))
		}
		got := elf.Prog64{}
		if left -= len(t.e.Sections) / 16; left < 0 {
			t.fields(&p, &got)
			continue
		}
		if first, last := t.covered(&p); first > 0 && last-first < left {
			left -= last - first
			t.str(" " + t.sectionRef(first))
			if last != first {
				t.str(" " + t.sectionRef(last))
			}
			heads, sizes := make([]elf.Section64, last-first+1), make([]uint64, last-first+1)
			for i := range heads {
				heads[i], sizes[i] = t.header(first+i), uint64(len(t.contents(first+i)))
			}
			got = asm.Covering(p.Type, p.Flags, heads, sizes)
		}
		t.fields(&p, &got)
	}
}

// fields writes the fields of a segment that do not follow from its sections.
func (t *elfText) fields(p, got *elf.Prog64) {
	for _, f := range asm.SegmentFields {
		t.attribute(f.Name, *f.Field(p), *f.Field(got))
	}
	t.str("\n")
	t.spill()
}

var segmentFlags = func() map[uint32]string {
	out := map[uint32]string{}
	for _, name := range []string{"r", "w", "x", "rw", "rx", "wx", "rwx"} {
		v := elf.ProgFlag(0)
		for _, c := range name {
			v |= map[rune]elf.ProgFlag{'r': elf.PF_R, 'w': elf.PF_W, 'x': elf.PF_X}[c]
		}
		out[uint32(v)] = name
	}
	return out
}()

// covered returns the first and the last section that a segment has in memory, 0 for none.
func (t *elfText) covered(p *elf.Prog64) (first, last int) {
	for i := 1; i < len(t.e.Sections); i++ {
		s := &t.e.Sections[i]
		tbss := s.Type == elf.SHT_NOBITS && s.Flags&elf.SHF_TLS != 0 && p.Type != uint32(elf.PT_TLS)
		if s.Flags&elf.SHF_ALLOC == 0 || s.Size == 0 || tbss || s.Addr < p.Vaddr || s.Addr-p.Vaddr >= p.Memsz {
			continue
		}
		if first == 0 {
			first = i
		}
		last = i
	}
	return first, last
}
