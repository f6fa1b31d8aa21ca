package rewrite

import (
	"debug/elf"
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/reader"
)

// relocatable adds the section to an object file, with a relocation for each start field.
func (s *synth) relocatable() error {
	if len(s.sections) == 0 {
		return fmt.Errorf("it has no section headers")
	}
	symtab := 0
	for i := range s.sections {
		if elf.SectionType(s.sections[i].Type) == elf.SHT_SYMTAB {
			symtab = i
		}
	}
	if symtab == 0 {
		return fmt.Errorf("it has no symbols that relocations could refer to")
	}
	if err := s.expect(0); err != nil {
		return err
	}
	relas, err := s.relas()
	if err != nil {
		return err
	}
	s.base = s.o.Size
	at, h := s.section(s.index(), ".sframe")
	h.Type, h.Flags, h.Off, h.Size, h.Addralign = uint32(reader.SHT_GNU_SFRAME), uint64(elf.SHF_ALLOC), uint64(s.add(s.x.Data, 8)), uint64(len(s.x.Data)), 8
	old := 0
	for i := range s.sections {
		if x := &s.sections[i]; elf.SectionType(x.Type) == elf.SHT_RELA && int(x.Info) == at {
			old = i
		}
	}
	b := elf64.Encode(s.e.Order, relas)
	_, h = s.section(old, ".rela.sframe")
	*h = elf.Section64{Name: h.Name, Type: uint32(elf.SHT_RELA), Flags: h.Flags | uint64(elf.SHF_INFO_LINK), Off: uint64(s.add(b, 8)), Size: uint64(len(b)),
		Link: uint32(symtab), Info: uint32(at), Addralign: 8, Entsize: elf64.RelaSize}
	return s.finish()
}

// relas returns the relocations of the start fields, as assemblers write them: against the symbols
// of sections. A section without one has another symbol, a local one if there is any.
func (s *synth) relas() ([]elf.Rela64, error) {
	starts := s.x.starts
	if err := budget.Of(s.o.Context).Spend(budget.Memory, int64(len(starts))*2*elf64.RelaSize); err != nil {
		return nil, err
	}
	type target struct {
		symbol, rank int
		value        uint64
	}
	targets := map[int]target{}
	for _, p := range starts {
		targets[int(p.Place)] = target{}
	}
	err := s.e.Symbols.Each(func(i int, y reader.Symbol) {
		t, used := targets[y.Section]
		if !used || y.Reserved || i == 0 {
			return
		}
		rank := 1
		switch {
		case y.Type == elf.STT_SECTION:
			rank = 3
		case y.Bind == elf.STB_LOCAL && y.Type != elf.STT_TLS:
			rank = 2
		}
		if rank > t.rank {
			targets[y.Section] = target{i, rank, y.Value}
		}
	})
	if err != nil {
		return nil, err
	}
	v := s.opts.Version
	info := v.Info()
	typ := s.e.ABI().StartReloc(v)
	out := make([]elf.Rela64, 0, len(starts))
	for i, p := range starts {
		t := targets[int(p.Place)]
		if t.rank == 0 {
			return nil, fmt.Errorf("section %d has functions and no symbol that a relocation could refer to", p.Place)
		}
		at := info.HeaderSize + i*info.FDESize
		out = append(out, elf.Rela64{Off: uint64(at), Info: elf.R_INFO(uint32(t.symbol), typ), Addend: int64(p.Addr - t.value)})
	}
	return out, nil
}
