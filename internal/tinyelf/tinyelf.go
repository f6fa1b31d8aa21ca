// Package tinyelf writes the smallest ELF64 files that consumers of SFrame data accept: a section,
// its name and, in an object file, the symbol and the relocations of its functions. The section's
// bytes may be anything.
package tinyelf

import (
	"bytes"
	"debug/elf"
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/internal/elf64"
	"github.com/sframe-lint/sframe-lint/model"
)

// shtGNUSFrame is SHT_GNU_SFRAME, for which package elf has no name.
const shtGNUSFrame = 0x6ffffff4

// File describes a file to write.
type File struct {
	Type    elf.Type // ET_REL for an object file
	Machine elf.Machine
	Order   binary.ByteOrder
	SFrame  []byte
	Addr    uint64 // of the section, in a linked file

	// Text is the size of the code of an object file, in bytes, all of them zero in memory. Its
	// start has the symbol _start.
	Text      uint64
	RelocType uint32
	Relocs    []Reloc
}

// Reloc is the relocation of a start field, against the start of the code.
type Reloc struct {
	Off    int64 // of the field in the section, bytes
	Addend int64
}

// Of returns the file for the bytes of a section of an ABI. The relocations of an object file are
// those of the start fields that the section has, at the functions' distances from the code; s is
// nil if it cannot be decoded.
func Of(abi model.ABIInfo, typ elf.Type, data []byte, s *model.Section) File {
	f := File{Type: typ, Machine: abi.Machine, Order: binary.LittleEndian, SFrame: data}
	if abi.Big {
		f.Order = binary.BigEndian
	}
	if s == nil {
		return f
	}
	f.Addr = s.Addr()
	if typ != elf.ET_REL {
		return f
	}
	f.Addr, f.RelocType = 0, abi.StartReloc(s.Version())
	for i := range s.NumFDEs() {
		fde := s.FDE(i)
		at := f.Text
		f.Text += min(max(uint64(fde.Size()), 1), maxCode)
		f.Relocs = append(f.Relocs, Reloc{fde.FieldSpan(model.FDEStart).Off, int64(at)})
	}
	return f
}

// maxCode bounds the code of a function, in bytes: a linker writes all of it.
const maxCode = 1 << 16

type section struct {
	elf.Section64
	name string
	data []byte
}

// Bytes returns the file.
func (f File) Bytes() []byte {
	var all []section
	names := []byte{0}
	add := func(name string, typ elf.SectionType, flags elf.SectionFlag, align uint64, data []byte) *elf.Section64 {
		all = append(all, section{elf.Section64{Name: uint32(len(names)), Type: uint32(typ), Flags: uint64(flags),
			Size: uint64(len(data)), Addralign: align}, name, data})
		names = append(append(names, name...), 0)
		return &all[len(all)-1].Section64
	}
	linked := f.Type != elf.ET_REL
	if !linked {
		add(".text", elf.SHT_NOBITS, elf.SHF_ALLOC|elf.SHF_EXECINSTR, 16, nil).Size = f.Text
	}
	add(".sframe", shtGNUSFrame, elf.SHF_ALLOC, 8, f.SFrame).Addr = f.Addr
	if !linked {
		sframe := uint32(len(all))
		rela := add(".rela.sframe", elf.SHT_RELA, elf.SHF_INFO_LINK, 8, f.relas())
		rela.Link, rela.Info, rela.Entsize = sframe+2, sframe, elf64.RelaSize
		syms := f.encode(elf.Sym64{}, elf.Sym64{Name: uint32(len(names) + len(".symtab") + 1), Info: byte(elf.STB_GLOBAL)<<4 | byte(elf.STT_FUNC), Shndx: 1, Size: f.Text})
		symtab := add(".symtab", elf.SHT_SYMTAB, 0, 8, syms)
		symtab.Link, symtab.Info, symtab.Entsize = sframe+3, 1, elf64.SymSize
		names = append(names, "_start\x00"...)
	}
	strtab := add(".strtab", elf.SHT_STRTAB, 0, 1, nil)
	strtab.Size = uint64(len(names))
	all[len(all)-1].data = names
	return f.write(all)
}

// write places the sections after their headers.
func (f File) write(all []section) []byte {
	at := uint64(elf64.EhdrSize + elf64.ShdrSize*(len(all)+1))
	var body bytes.Buffer
	for i := range all {
		s := &all[i]
		for at%s.Addralign != 0 {
			body.WriteByte(0)
			at++
		}
		s.Off = at
		body.Write(s.data)
		at += uint64(len(s.data))
	}
	h := elf.Header64{Type: uint16(f.Type), Machine: uint16(f.Machine), Version: 1, Ehsize: elf64.EhdrSize, Shoff: elf64.EhdrSize,
		Shentsize: elf64.ShdrSize, Shnum: uint16(len(all) + 1), Shstrndx: uint16(len(all))}
	copy(h.Ident[:], elf.ELFMAG)
	h.Ident[elf.EI_CLASS], h.Ident[elf.EI_DATA], h.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)
	if f.Order == binary.ByteOrder(binary.BigEndian) {
		h.Ident[elf.EI_DATA] = byte(elf.ELFDATA2MSB)
	}
	out := append(f.encode(h), make([]byte, elf64.ShdrSize)...)
	for i := range all {
		out = append(out, f.encode(all[i].Section64)...)
	}
	return append(out, body.Bytes()...)
}

func (f File) relas() (out []byte) {
	for _, r := range f.Relocs {
		out = append(out, f.encode(elf.Rela64{Off: uint64(r.Off), Info: elf.R_INFO(1, f.RelocType), Addend: r.Addend})...)
	}
	return out
}

// encode returns values of fixed size in the file's byte order.
func (f File) encode(values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		if err := binary.Write(&b, f.Order, v); err != nil {
			panic(err) // of no fixed size
		}
	}
	return b.Bytes()
}
