package shrink

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// maxCode bounds the code of an object file, in bytes, if no function needs more than one: a linker writes all of it.
const maxCode = 1 << 16

// Around returns the smallest file around the bytes of a section that consumers accept. addr is the section's address in a
// linked file. An object file has zero bytes as code, the symbol _start and a relocation for each start field of s; s is nil
// if the bytes cannot be decoded.
func Around(abi model.ABIInfo, typ elf.Type, data []byte, addr uint64, s *model.Section) []byte {
	sframe := &elf64.Section{Label: ".sframe", Data: data, Section64: elf.Section64{Type: uint32(elf64.SHTGNUSFrame), Flags: uint64(elf.SHF_ALLOC), Addr: addr, Addralign: 8}}
	strtab := &elf64.Section{Label: ".strtab", Section64: elf.Section64{Type: uint32(elf.SHT_STRTAB), Addralign: 1}}
	f := elf64.File{Type: typ, Machine: abi.Machine, Order: number.Order(abi.Big), Sections: []*elf64.Section{sframe, strtab}, Names: strtab}
	if typ != elf.ET_REL {
		n := uint64(len(data))
		load := elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R), Vaddr: addr, Paddr: addr, Filesz: n, Memsz: n, Align: 8}
		shows := load
		shows.Type = elf64.PTGNUSFrame
		f.Page = 8
		f.Segments = []elf64.Segment{{Prog64: load, Covers: sframe}, {Prog64: shows, Covers: sframe}}
		return f.Bytes()
	}
	sframe.Addr, strtab.Data = 0, []byte("\x00_start\x00")
	text := &elf64.Section{Label: ".text", Section64: elf.Section64{Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR), Addralign: 16}}
	rela := &elf64.Section{Label: ".rela.sframe", Section64: elf.Section64{Type: uint32(elf.SHT_RELA), Flags: uint64(elf.SHF_INFO_LINK), Link: 4, Info: 2, Addralign: 8, Entsize: elf64.RelaSize}}
	n, size := 0, uint64(0)
	if s != nil {
		n = s.NumFDEs()
	}
	for i := range n {
		fde := s.FDE(i)
		rela.Data = append(rela.Data, elf64.Encode(f.Order, elf.Rela64{Off: uint64(fde.FieldSpan(model.FDEStart).Off),
			Info: elf.R_INFO(1, abi.StartReloc(s.Version())), Addend: int64(size)})...)
		size += min(max(uint64(fde.Size()), 1), max(maxCode/uint64(n), 1))
	}
	text.Data = make([]byte, size)
	symtab := &elf64.Section{Label: ".symtab", Section64: elf.Section64{Type: uint32(elf.SHT_SYMTAB), Link: 5, Info: 1, Addralign: 8, Entsize: elf64.SymSize},
		Data: elf64.Encode(f.Order, elf.Sym64{}, elf.Sym64{Name: 1, Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC), Shndx: 1, Size: size})}
	f.Sections = []*elf64.Section{text, sframe, rela, symtab, strtab}
	return f.Bytes()
}
