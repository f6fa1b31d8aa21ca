package shrink

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// maxCode bounds the code of an object file, in bytes, if no function needs more than one: a linker writes all of it.
const maxCode = 1 << 16

// Around puts the bytes of a section into the smallest file that consumers accept. addr is the section's address in a
// linked file. In an object file, zero bytes are the code, and there is the symbol _start and a relocation for each
// start field of s; s is nil if the bytes cannot be decoded.
func Around(abi model.ABIInfo, typ elf.Type, data []byte, addr uint64, s *model.Section) []byte {
	sframe := elf64.NewSection(".sframe", elf64.SHTGNUSFrame, elf.SHF_ALLOC, 8, data)
	strtab := elf64.NewSection(".strtab", elf.SHT_STRTAB, 0, 1, []byte("\x00_start\x00"))
	f := elf64.File{Type: typ, Machine: abi.Machine, Order: number.Order(abi.Big), Sections: []*elf64.Section{sframe, strtab}, Names: strtab}
	if typ != elf.ET_REL {
		sframe.Addr, strtab.Data, f.Page = addr, nil, 8
		f.Segments = []elf64.Segment{elf64.Load(sframe, 8), elf64.Cover(elf64.PTGNUSFrame, elf.PF_R, sframe)}
		return f.Bytes()
	}
	text := elf64.NewSection(".text", elf.SHT_PROGBITS, elf.SHF_ALLOC|elf.SHF_EXECINSTR, 16, nil)
	rela := elf64.NewSection(".rela.sframe", elf.SHT_RELA, elf.SHF_INFO_LINK, 8, nil)
	rela.Link, rela.Info, rela.Entsize = 4, 2, elf64.RelaSize
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
	symtab := elf64.NewSection(".symtab", elf.SHT_SYMTAB, 0, 8,
		elf64.Encode(f.Order, elf.Sym64{}, elf.Sym64{Name: 1, Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC), Shndx: 1, Size: size}))
	symtab.Link, symtab.Info, symtab.Entsize = 5, 1, elf64.SymSize
	f.Sections = []*elf64.Section{text, sframe, rela, symtab, strtab}
	return f.Bytes()
}
