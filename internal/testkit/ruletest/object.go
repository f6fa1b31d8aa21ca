package ruletest

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Raw returns an object that is a raw section at [Addr].
func Raw(data []byte) *reader.Object {
	f := reader.DecodeSFrame(data, reader.SectionOptions{Addr: Addr})
	return &reader.Object{Path: "test.sframe", Size: int64(len(data)), Status: reader.StatusOK, SFrames: []*reader.SFrame{f}}
}

// Linked returns an executable for the ABI. The section is at [Addr], which is also its offset in the file, and .text
// is from 0x1000 to 0x1400. Further sections follow.
func Linked(data []byte, abi model.ABIInfo, more ...reader.Section) *reader.Object {
	o := Raw(data)
	o.Path, o.Size = "test.elf", Addr+int64(len(data))
	o.ELF = file(elf.ET_EXEC, data, abi, more)
	o.ELF.Sections[1].Addr, o.ELF.Sections[2].Addr = 0x1000, Addr
	o.ELF.Segments = []reader.Segment{
		{Type: elf.PT_LOAD, Flags: elf.PF_R | elf.PF_X, Offset: 0x1000, Vaddr: 0x1000, Filesz: 0x400, Memsz: 0x400, Align: 0x1000},
		{Type: elf.PT_LOAD, Flags: elf.PF_R, Offset: Addr, Vaddr: Addr, Filesz: uint64(len(data)), Memsz: uint64(len(data)), Align: 0x1000},
		{Type: reader.PT_GNU_SFRAME, Flags: elf.PF_R, Offset: Addr, Vaddr: Addr, Filesz: uint64(len(data)), Memsz: uint64(len(data)), Align: 8},
	}
	place(o)
	return o
}

// Text is the section header index of .text in [Linked] and [Relocatable].
const Text = 1

// Relocatable returns an object file for the ABI, without relocation entries. The i-th FDE has the i-th start. FDEs
// without an element in starts have no start.
func Relocatable(data []byte, abi model.ABIInfo, starts []model.Start, more ...reader.Section) *reader.Object {
	n := 0
	f := reader.DecodeSFrame(data, reader.SectionOptions{Relocatable: true,
		Start: func(int64, int) model.Start {
			n++
			if n > len(starts) {
				return model.Start{}
			}
			return starts[n-1]
		}})
	o := &reader.Object{Path: "test.o", Size: Addr + int64(len(data)), Status: reader.StatusOK, SFrames: []*reader.SFrame{f}}
	o.ELF = file(elf.ET_REL, data, abi, more)
	place(o)
	return o
}

// file is the structure of an ELF file: the null section, .text and .sframe.
func file(typ elf.Type, data []byte, abi model.ABIInfo, more []reader.Section) *reader.ELF {
	e := &reader.ELF{Type: typ, Machine: abi.Machine, Order: number.Order(abi.Big), Symbols: &reader.Symbols{}}
	e.Sections = append([]reader.Section{
		{},
		{Name: ".text", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, Offset: 0x1000, Size: 0x400, AddrAlign: 16},
		{Name: ".sframe", Type: reader.SHT_GNU_SFRAME, Flags: elf.SHF_ALLOC, Offset: Addr, Size: uint64(len(data)), AddrAlign: 8},
	}, more...)
	return e
}

// place says where the section stands in the file.
func place(o *reader.Object) {
	f := o.SFrames[0]
	f.Name, f.Index, f.Offset = ".sframe", 2, Addr
	for i := range o.ELF.Sections {
		o.ELF.Sections[i].Header = model.Span{Off: o.Size + int64(i)*64, Len: 64}
	}
}
